"""Samples of recorded games, read game by game: whoever trains on a million positions holds a few hundred games in memory.

A first pass counts each game's positions and notes where its line stands. A game is a block of `SampleOrder`, so that training
goes through a chapter of games at a time; the pool holds as many, and a game that has left it is read again in its next epoch.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

import numpy as np

from playmill.core.errors import PlaymillError, UsageError
from playmill.games.diplomacy.state import STATE
from playmill.packs.diplomacy.neural.samples import PhaseSamples, is_for_validation, make_samples
from playmill.packs.diplomacy.selfplay.records import read_lines, read_record
from playmill.replay.sampling import CHAPTER_BLOCKS

POOL_GAMES = CHAPTER_BLOCKS


@dataclass(frozen=True)
class GamePlace:
    """Where a game stands in its file, and how many samples it has."""

    path: Path
    line: int  # counted from 1
    begin: int
    size: int
    samples: int


def index_games(paths: Sequence[Path], validation: float = 0.0) -> tuple[list[GamePlace], list[GamePlace]]:
    """The games of all files: those to train on, and those for validation."""
    sides: tuple[list[GamePlace], list[GamePlace]] = ([], [])
    for path in paths:
        begin = 0
        for number, line in read_lines(path, skip_torn=True):
            record = read_record(line, f"{path}: line {number}")
            place = GamePlace(path, number, begin, len(line), len(record.phases))
            sides[is_for_validation(record, validation)].append(place)
            begin += len(line)
    if not sides[0]:
        raise PlaymillError(f"{', '.join(map(str, paths))}: expected games to train on, got none; play some games first")
    return sides


class GameReader:
    """The samples of some games, numbered through; `block_starts` is each game's first one, and at the end their number."""

    def __init__(self, places: Iterable[GamePlace], pool_games: int = POOL_GAMES) -> None:
        self.places, self._pool_games = list(places), pool_games
        self.block_starts = np.cumsum([0, *(place.samples for place in self.places)])
        self._pool: OrderedDict[int, PhaseSamples] = OrderedDict()  # the game that was used last stands last

    def __len__(self) -> int:
        return int(self.block_starts[-1])

    def rows(self, numbers: np.ndarray) -> PhaseSamples:
        """A copy of the samples with these numbers, in their order."""
        games = np.searchsorted(self.block_starts, numbers, side="right") - 1
        found = [self._find(game)[row : row + 1] for game, row in zip(games, numbers - self.block_starts[games], strict=True)]
        states = np.zeros(len(found), STATE)
        for row, one in enumerate(found):
            states[row] = one.states[0]
        return PhaseSamples(
            states=states,
            outcomes=np.concatenate([one.outcomes for one in found]),
            estimates=np.concatenate([one.estimates for one in found]),
            starts=np.cumsum([0, *(len(one.orders) for one in found)]),
            orders=np.concatenate([one.orders for one in found]),
        )

    def games(self) -> Iterator[PhaseSamples]:
        """Game after game; none is kept."""
        return map(_read_game, self.places)

    def _find(self, game: int) -> PhaseSamples:
        if game in self._pool:
            self._pool.move_to_end(game)
        else:
            if len(self._pool) >= self._pool_games:
                self._pool.popitem(last=False)
            self._pool[game] = _read_game(self.places[game])
        return self._pool[game]


def _read_game(place: GamePlace) -> PhaseSamples:
    with _open(place.path) as file:
        file.seek(place.begin)
        return make_samples([read_record(file.read(place.size), f"{place.path}: line {place.line}")])


def hash_files(paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Name and SHA-256 of each file, as a training's plan records them."""
    return tuple((path.name, _hash(path)) for path in paths)


def _hash(path: Path) -> str:
    with _open(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _open(path: Path) -> BufferedReader:
    try:
        return path.open("rb")
    except OSError as error:
        raise UsageError(f"{path}: can't be read ({error.strerror})") from error
