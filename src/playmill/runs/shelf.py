"""A folder of runs: which runs and drafts lie in it, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import PlaymillError, UsageError
from playmill.runs.folder import RunFolder
from playmill.runs.settings_file import read_content
from playmill.runs.status import as_utc
from playmill.runs.view import RunView

DRAFT, DAMAGED = "draft", "damaged"
NAMED = 3  # things in a message

Stamp = tuple[int, int]  # when a file was changed, and its size


@dataclass(frozen=True)
class ShelfEntry:
    """One run or draft. `view` is what a look at the run found; a draft and a damaged run have none."""

    folder: RunFolder
    state: str  # draft, new, running, stopped, failed, done or damaged
    text: str
    game: str
    changed_ms: int
    view: RunView | None = None

    @property
    def name(self) -> str:
        return self.folder.root.name


class Shelf:
    """The folder. What did not change since the last look is not read again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._views: dict[Path, tuple[tuple[Stamp, Stamp], RunView]] = {}
        require_shelf(root)

    def look(self) -> list[ShelfEntry]:
        """All runs and drafts, those that changed last first."""
        found = [self.entry(RunFolder(path)) for path in _folders(self.root)]
        return sorted((entry for entry in found if entry), key=lambda entry: (-entry.changed_ms, entry.name))

    def entry(self, folder: RunFolder) -> ShelfEntry | None:
        """What lies there; None if it is neither a run nor a draft."""
        if folder.manifest.exists():
            return self._run(folder)
        return _draft(folder) if folder.draft.exists() else None

    def _run(self, folder: RunFolder) -> ShelfEntry:
        marks = _mark(folder.manifest), _mark(folder.status)
        try:
            known = self._views.get(folder.root)
            if known is None or known[0] != marks:
                known = self._views[folder.root] = marks, RunView(folder.root)
            view = known[1]
            state = view.state
        except PlaymillError as error:
            return ShelfEntry(folder, DAMAGED, str(error), "", marks[0][0] // 1_000_000)
        return ShelfEntry(folder, state.name, state.text, view.manifest.game, state.since_ms, view)


def require_shelf(root: Path) -> None:
    """Refuse what is no folder of runs; one that is empty, or not there yet, may become one."""
    if not root.exists():
        if root.absolute().parent.is_dir():
            return
        raise UsageError(f"{root}: there is no such folder, nor the one above it; name the folder that your runs are in")
    if not root.is_dir():
        raise UsageError(f"{root}: expected a folder of runs, got a file; name the folder that your runs are in")
    if RunFolder(root).manifest.exists():
        raise UsageError(
            f"{root}: it is a run itself; name the folder that it lies in: `playmill tui {root.absolute().parent}`"
        )
    others = sorted(path.name for path in root.iterdir() if not path.name.startswith("."))
    if others and not any(is_run_or_draft(path) for path in _folders(root)):
        told = ", ".join(others[:NAMED]) + (", ..." if len(others) > NAMED else "")
        raise UsageError(f"{root}: expected a folder of runs, but there is none in it, only {told}; name another, or a new one")


def is_run_or_draft(path: Path) -> bool:
    """Whether a folder holds a run, or settings for one."""
    folder = RunFolder(path)
    return folder.manifest.exists() or folder.draft.exists()


def _folders(root: Path) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []


def _draft(folder: RunFolder) -> ShelfEntry:
    changed = _mark(folder.draft)[0] // 1_000_000
    try:
        game = read_content(folder.draft)[0].get("game")
    except PlaymillError as error:
        return ShelfEntry(folder, DRAFT, str(error), "", changed)
    return ShelfEntry(folder, DRAFT, f"settings, saved {as_utc(changed)}; not begun", str(game or ""), changed)


def _mark(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return 0, -1
    return found.st_mtime_ns, found.st_size
