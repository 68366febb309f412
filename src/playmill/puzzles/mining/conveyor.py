"""`mine_folder`: all records of a folder through the conveyor, in their order, on as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from playmill.core import executor
from playmill.core.errors import UsageError
from playmill.puzzles.mining.engines import ENGINES
from playmill.puzzles.mining.funnel import Funnel
from playmill.puzzles.mining.mine_files import ANEW, MineFiles, Row, forget_run, open_files
from playmill.puzzles.mining.record_task import mine_record, read_task
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.sources import Source, digest_of, find_sources

Hear = Callable[[int, Funnel], None]


@dataclass(frozen=True)
class Mined:
    """What a run came to: the sums of all records, and how many were done this time."""

    out: Path
    funnel: Funnel
    done_now: int


def mine_folder(
    folder: Path,
    out: Path,
    settings: MiningSettings | None = None,
    *,
    engine: str = "solver",
    workers: int = 1,
    limit: int | None = None,
    force: bool = False,
    progress: Hear | None = None,
) -> Mined:
    """Mine all records in a folder (or one file), `limit` at most. What an earlier run finished is kept; `force` begins anew.

    Records may be raw: each goes through the cleaner in memory. The files are the same for any number of workers and any kills.
    """
    settings = settings or MiningSettings()
    judge = ENGINES.find(engine)
    sources = list(islice(find_sources(folder), limit))
    _require_apart(folder, out)
    with judge.opened(settings), _files(out, settings, engine, force) as files:
        _require_same(folder, sources, files.done)
        missing = [one for one in sources if one.name not in files.done]
        tasks = (read_task(one.path(folder), one.name, engine, settings) for one in missing)
        before = len(sources) - len(missing)
        for number, mined in executor.run(mine_record, tasks, workers, in_order=True):
            files.add(mined)
            if progress is not None:
                progress(before + number + 1, files.funnel)
        return Mined(out, files.funnel, len(missing))


@contextmanager
def _files(out: Path, settings: MiningSettings, engine: str, force: bool) -> Iterator[MineFiles]:
    if force:
        forget_run(out)
    with open_files(out, settings, engine) as files:
        yield files


def _require_apart(folder: Path, out: Path) -> None:
    if out.is_dir():
        raise UsageError(f"{out}: expected a file of puzzles to write, got a folder")
    if out.resolve() == folder.resolve():
        raise UsageError(f"{out}: the command reads this file, so it can't be its output; choose another place")


def _require_same(folder: Path, sources: list[Source], done: dict[str, Row]) -> None:
    """Records that were mined must be those that are there, in their order: else the same bytes can't come out."""
    names = [source.name for source in sources]
    for number, (name, row) in enumerate(done.items()):
        if number >= len(names):
            return
        if names[number] != name:
            raise UsageError(f"{folder}: {names[number]} stands where {name} was mined before; {ANEW}")
        if digest_of(sources[number].path(folder)) != row["sha256"]:
            raise UsageError(f"{folder / name}: it has changed since it was mined; {ANEW}")
