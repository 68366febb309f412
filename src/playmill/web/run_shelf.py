"""A folder of runs, as the pages see it: each looked at through its `RunView`, never changed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from playmill.core.errors import PlaymillError, UnknownName, UsageError
from playmill.pipeline.run import require_pack
from playmill.runs.folder import RunFolder
from playmill.runs.view import RunView
from playmill.web.run_page import row_of

Signature = tuple[tuple[int, int], ...]

WAY_OUT = "`playmill run CONFIG --out FOLDER/NAME` begins a run in one"


class RunShelf:
    """The runs that stand side by side in a folder; new ones are found when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rows: dict[str, tuple[Signature, dict[str, Any]]] = {}  # of runs at rest, which are only read when they change

    def names(self) -> list[str]:
        """The folders with a manifest, the newest first."""
        if not self.folder.is_dir():
            return []
        found = [path for path in self.folder.iterdir() if RunFolder(path).manifest.is_file()]
        return [path.name for path in sorted(found, key=lambda path: (-_changed(path), path.name))]

    def view(self, name: str) -> RunView:
        """One look at a run."""
        if name not in self.names():
            raise UnknownName(f"{self.folder}: no run is called '{name:.80}'")
        view = RunView(self.folder / name)
        require_pack(view.folder, view.manifest)
        return view

    def rows(self) -> list[dict[str, Any]]:
        """A row a run; one that can't be read says why."""
        return [self.row(name) for name in self.names()]

    def row(self, name: str) -> dict[str, Any]:
        signature = _signature(self.folder / name)
        known = self._rows.get(name)
        if known is not None and known[0] == signature:
            return known[1]
        try:
            row = {"name": name, "problem": None, **row_of(self.view(name))}
        except PlaymillError as error:
            row = {"name": name, "problem": str(error)}
        if row.get("state") != "running":  # one at work may have ended without a word
            self._rows[name] = signature, row
        return row

    def best_networks(self) -> dict[str, tuple[str, Path]]:
        """By run: the game and the file of its best network, where it has one."""
        rows = [row for row in self.rows() if row.get("has_best")]
        return {row["name"]: (row["game"], RunFolder(self.folder / row["name"]).best) for row in rows}


def require_runs(folder: Path) -> RunShelf:
    """The folder's runs; refused if it is none. An empty folder is one: its first run may be on its way."""
    if not folder.is_dir():
        what = "a file" if folder.exists() else "nothing"
        raise UsageError(f"{folder}: expected a folder of runs, got {what}; {WAY_OUT}")
    if RunFolder(folder).manifest.exists():
        raise UsageError(f"{folder}: expected a folder of runs, got a run itself; name the folder that it lies in")
    shelf = RunShelf(folder)
    if not shelf.names() and any(folder.iterdir()):
        raise UsageError(f"{folder}: expected a folder of runs, but nothing in it has a run.json; {WAY_OUT}")
    return shelf


def _changed(path: Path) -> int:
    """When the run last said something."""
    return max((changed for changed, _ in _signature(path)), default=0)


def _signature(path: Path) -> Signature:
    """What changes when the run's row may: when its files were written, and how long they are."""
    folder, facts = RunFolder(path), []
    for file in (folder.manifest, folder.status):
        with suppress(OSError):
            facts.append((file.stat().st_mtime_ns, file.stat().st_size))
    return tuple(facts)
