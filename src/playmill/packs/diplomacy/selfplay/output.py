"""The files that self-play writes, in the order of the games' numbers, each game as one line of one file:

    OUTPUT            the games that are kept
    OUTPUT.rejected   a line with the settings, then a short line for each game that is left out

One line a game makes a kill harmless: it is there or not (`resume.py`). Where full records of rejected games are
wanted, too, such a record is written before the short line, and dropped on resuming if that one is missing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import FileIO
from pathlib import Path

from playmill.core.errors import PlaymillError, UsageError
from playmill.core.files import atomic_write
from playmill.core.lines import open_alone
from playmill.packs.diplomacy.selfplay.records import GameRecord, read_record
from playmill.packs.diplomacy.selfplay.resume import FileStanding, find_standing, side_header, side_line, side_path, whole_lines
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings, require_same


class Output:
    """The open files of a run; `standing` is how far it is, `next_game` the first game that isn't finished."""

    def __init__(self, path: Path, settings: DiplomacyGameSettings, rejects: Path | None = None) -> None:
        _require_apart(path, rejects)
        self.path, self.rejects = path, rejects
        self._settings = settings.as_json()
        self._waiting: dict[int, GameRecord] = {}
        is_new = not path.exists()
        with ExitStack() as opened, _readable_errors(path):
            if is_new:  # what lies beside it belongs to a file that somebody has removed
                side_path(path).unlink(missing_ok=True)
            self._main = opened.enter_context(open_alone(path))
            self.standing = FileStanding() if is_new else find_standing(path, self._settings)
            self._mend()
            self._side = opened.enter_context(_open(side_path(path)))
            self._rejects = None if rejects is None else opened.enter_context(_open(rejects))
            self._opened = opened.pop_all()

    @property
    def next_game(self) -> int:
        return self.standing.next_game

    def add(self, record: GameRecord) -> None:
        """Take a finished game; it is written once all games before it are. For one thread at a time."""
        self._waiting[record.game_id] = record
        while self.next_game in self._waiting:
            self._write(self._waiting.pop(self.next_game))
            self.standing.next_game += 1

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Output:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, record: GameRecord) -> None:
        reasons, tally = record.quality.reasons, self.standing.tally
        if not reasons:
            _append(self._main, record.line())
            tally.keep(record)
            return
        if self._rejects is not None:
            _append(self._rejects, record.line())
        _append(self._side, side_line(record.game_id, reasons))
        tally.reject(reasons)

    # ------------------------------------------------------------------ after a kill

    def _mend(self) -> None:
        """Bring the files to where the run stands."""
        _sweep(side_path(self.path))
        self._main.truncate(self.standing.end)
        rejected = self.standing.rejected
        lines = [side_line(number, rejected[number]) for number in sorted(rejected)]
        atomic_write(side_path(self.path), side_header(self._settings) + b"".join(lines))
        if self.rejects is not None:
            self._mend_rejects(self.rejects)

    def _mend_rejects(self, path: Path) -> None:
        """Keep the full records of games that are known as rejected; say how many of those were never written there."""
        _sweep(path)
        kept, known = [], self.standing.rejected
        for number, line in whole_lines(path, self.standing.notes):
            record = read_record(line, f"{path}: line {number}")
            require_same(f"{path}: line {number}", record.settings, self._settings)
            if record.game_id in known:
                kept.append(line)
        if path.exists():
            atomic_write(path, b"".join(kept))
        path.parent.mkdir(parents=True, exist_ok=True)
        if len(kept) < len(known):
            self.standing.notes.append(f"{path}: {len(known) - len(kept)} games rejected before are not in it")


def _require_apart(path: Path, rejects: Path | None) -> None:
    if rejects is not None and rejects.resolve() in (path.resolve(), side_path(path).resolve()):
        raise UsageError(f"--rejects: expected a file of its own, got {rejects}")


@contextmanager
def _readable_errors(path: Path) -> Iterator[None]:
    """Say in one line what the system refuses."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{error.filename or path}: can't be used ({error.strerror})") from error


def _open(path: Path) -> FileIO:
    """A file to append to, without a buffer: nothing is left to write when it is closed."""
    return path.open("ab", buffering=0)


def _sweep(path: Path) -> None:
    """Remove what a killed writer of the file left; with the lock held, nobody is writing it."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        left.unlink(missing_ok=True)


def _append(file: FileIO, line: bytes) -> None:
    """Write a line and make it safe before the next one is begun, even from a power cut."""
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())
    except OSError as error:
        way_out = "finished games are safe; start the same command again to go on"
        raise PlaymillError(f"{file.name}: can't be written ({error.strerror}); {way_out}") from error
