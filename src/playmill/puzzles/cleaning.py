"""Cleans a folder of game records into another: every game a file of strict SGF, and a report of what was done and why."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.core.errors import UsageError
from playmill.core.executor import Threads
from playmill.core.files import atomic_write
from playmill.games.go.sgf.clean import CleanFile, CleanGame, RejectedGame, clean_sgf
from playmill.puzzles.clean_report import NAME, CleanTally, Row, open_report, read_rows
from playmill.puzzles.sources import Source, digest_of, find_sources, read_source


@dataclass(frozen=True)
class CleanTask:
    """One file to clean."""

    path: Path
    source: Source
    out: Path
    keep_comments: bool
    force: bool


@dataclass(frozen=True)
class Cleaned:
    """What a cleaning came to: the sums of all rows, and how many files were left to do this time."""

    report: Path
    tally: CleanTally
    done_now: int


def clean_folder(
    folder: Path,
    out: Path,
    *,
    keep_comments: bool = False,
    workers: int = 1,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Cleaned:
    """Clean all records in a folder (or one file) into `out`. What an earlier run finished is kept; `force` begins anew.

    `progress` hears how many files are done, and of how many. Rows and files are the same for any number of workers.
    """
    sources = find_sources(folder)
    _require_apart(folder, out)
    if force:
        _forget(out)
    with open_report(out, {"keep_comments": keep_comments}) as report:
        _require_unchanged(folder, sources, report.done)
        tasks = [CleanTask(one.path(folder), one, out, keep_comments, force) for one in sources if one.name not in report.done]
        before = len(sources) - len(tasks)
        # Threads in any case: a task writes files.
        for number, row in Threads(workers).run(clean_file, tasks, in_order=True):
            report.add(row)
            if progress is not None:
                progress(before + number + 1, len(sources))
        return Cleaned(report.path, report.tally, len(tasks))


def clean_file(task: CleanTask) -> Row:
    """Clean one file, write its games, and return its row of the report."""
    try:
        data = read_source(task.path)
    except OSError as error:
        problem = RejectedGame("unreadable", error.strerror or str(error))
        return _row(task, None, CleanFile(None, rejected=problem))
    cleaned = clean_sgf(data, task.keep_comments)
    for number, game in enumerate(cleaned.games):
        if isinstance(game, CleanGame):
            _write_new(task, task.source.output(number, len(cleaned.games)), game.sgf.encode())
    return _row(task, hashlib.sha256(data).hexdigest(), cleaned)


def _write_new(task: CleanTask, name: str, data: bytes) -> None:
    """Write a game; a file that is there is replaced only by force, unless it is the same, as after a kill."""
    path = task.out / name
    if path.exists() and not task.force:
        if path.is_file() and path.read_bytes() == data:
            return
        raise UsageError(f"{path}: there is another file already; choose another place, or replace it with --force")
    atomic_write(path, data)


def _row(task: CleanTask, digest: str | None, cleaned: CleanFile) -> Row:
    refused = cleaned.rejected
    games = [_game(task, number, game, len(cleaned.games)) for number, game in enumerate(cleaned.games)]
    return {
        "source": task.source.name,
        "sha256": digest,
        "encoding": cleaned.encoding,
        "repairs": cleaned.repairs,
        "reason": refused.reason if refused else None,
        "detail": refused.detail if refused else None,
        "games": games,
    }


def _game(task: CleanTask, number: int, game: CleanGame | RejectedGame, count: int) -> dict[str, Any]:
    if isinstance(game, RejectedGame):
        return {"reason": game.reason, "detail": game.detail}
    output = task.source.output(number, count)
    facts = {"size": game.size, "komi": game.komi, "moves": game.moves, "repairs": game.repairs}
    return {"reason": None, "output": output, **facts}


# ------------------------------------------------------------------ before the work


def _require_apart(folder: Path, out: Path) -> None:
    """The output must not be among the input: it would be cleaned again, or replace it."""
    inner, outer = out.resolve(), folder.resolve()
    if inner == outer or outer in inner.parents or (folder.is_dir() and inner in outer.parents):
        raise UsageError(f"{out}: expected a place apart from {folder}, which is read; choose another")
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: expected a folder, got a file; choose another place")


def _forget(out: Path) -> None:
    """Remove what the folder's report says that an earlier run wrote."""
    if not (out / NAME).exists():
        return
    try:
        rows = [row for _, row in read_rows(out / NAME)]
    except UsageError:
        rows = []
    for output in (game.get("output") for row in rows for game in row.get("games", []) if isinstance(game, dict)):
        path = out / str(output)
        if output and out.resolve() in path.resolve().parents:
            path.unlink(missing_ok=True)
    (out / NAME).unlink()


def _require_unchanged(folder: Path, sources: list[Source], done: dict[str, Row]) -> None:
    for source in sources:
        digest = done[source.name]["sha256"] if source.name in done else None
        if digest is not None and digest_of(source.path(folder)) != digest:
            name = source.path(folder)
            raise UsageError(f"{name}: it has changed since it was cleaned; choose another place, or begin anew with --force")
