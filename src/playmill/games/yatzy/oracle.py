"""Solitaire Swedish Yatzy, solved: what every board is worth to a player who never errs.

`Oracle.load()` solves all 2**15 x 64 boards once and keeps the table in the user's cache folder. A board is `avail`, the mask
of open categories (bit 14 - category), and `upper`, 0..63. Actions are those of `rules.py`: keep masks 0..30, marks 32..46.
Dice may come in any order; a mask always speaks of the sorted dice. A value is the expected score still to come.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playmill.core.disk import DiskError
from playmill.core.errors import UsageError, require_positive, require_seed
from playmill.core.executor import Progress, Threads, count_threads
from playmill.core.files import atomic_writer, cache_folder
from playmill.core.records import as_items
from playmill.games.yatzy import turn
from playmill.games.yatzy.hands import CATEGORIES, CATEGORY_COUNT, DICE, FACES, HANDS, UPPER_COUNT, UPPER_GOAL
from playmill.games.yatzy.rules import ACTIONS, ALL_OPEN, FIRST_MARK, KEEP_ALL, REROLLS, YATZY

RULESET = YATZY.ruleset
FILE_NAME = f"yatzy-{RULESET}.table"
# All but the checksum; a table whose header says anything else is not ours.
HEADER: dict[str, Any] = {
    "format": "playmill-oracle",
    "version": 1,
    "ruleset": RULESET,
    "shape": [turn.BOARDS, turn.UPPERS],
    "dtype": "<f8",
}
MAX_HEADER_BYTES = 4096
MASKS_PER_PIECE = 64  # about 3 ms of work: a thread that lost its core for a moment keeps nobody waiting
GAMES_PER_PIECE = 8192

_HAND_INDEX = {hand: index for index, hand in enumerate(HANDS)}

Table = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class RankedAction:
    """One action of a position: what it is worth, and how much less than the best."""

    action: int
    text: str
    value: float
    regret: float


@dataclass(frozen=True)
class SimulationReport:
    """How games of best play ended. `sd` is the population's; `histogram` counts games by score; `scores` has all of them."""

    games: int
    mean: float
    sd: float
    median: float
    min: int
    max: int
    bonus_rate: float
    histogram: dict[int, int]
    scores: NDArray[np.int16]


class Oracle:
    """Answers from the solved table, float64 [avail, upper]."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.table.setflags(write=False)

    @classmethod
    def load(cls, workers: int | None = None, progress: Progress | None = None) -> Oracle:
        """The oracle from its file in the cache folder, which is made if it is missing and made again if it is damaged."""
        threads = count_threads(workers)
        path = cache_folder("oracle") / FILE_NAME
        table = _read_or_warn(path)
        if table is not None:
            return cls(table)
        oracle = cls.solve(threads, progress)
        _write_or_warn(path, oracle.table)
        return oracle

    @classmethod
    def solve(cls, workers: int | None = None, progress: Progress | None = None) -> Oracle:
        """A freshly solved oracle; the same bytes for any number of threads. `progress` hears how many masks are done."""
        table = np.zeros((turn.BOARDS, turn.UPPERS))
        masks = np.arange(turn.BOARDS)
        open_count = np.bitwise_count(masks)
        executor, done = Threads(count_threads(workers)), 0
        for count in range(1, CATEGORY_COUNT + 1):  # a board needs those with one category less
            pieces = _pieces(masks[open_count == count], MASKS_PER_PIECE)
            for number, rows in executor.run(solve_piece, [SolveTask(table, piece) for piece in pieces]):
                table[pieces[number]] = rows
                done = _count(done, rows, progress)
        return cls(table)

    def expected_score(self) -> float:
        """What best play scores on average from the empty board: 248.44."""
        return self.value(ALL_OPEN, 0)

    def value(self, avail: int, upper: int) -> float:
        """The expected score to come before the first roll of a turn; 0 for a full board."""
        return float(self.table[_whole("avail", avail, 0, ALL_OPEN), _whole("upper", upper, 0, UPPER_GOAL)])

    def action_values(self, avail: int, upper: int, dice: Sequence[int], rerolls: int) -> NDArray[np.float64]:
        """The value of each of the 47 actions, its own points with it; NaN for illegal ones. Equivalent masks are equal.

        For many positions at once call `turn.turn_values` with `table`: about a microsecond each.
        """
        position = _position(avail, upper, dice, rerolls)
        avails, uppers, hands, lefts = np.array(position)[:, None]
        values = np.empty(ACTIONS)
        turn.turn_values(self.table, avails, uppers, hands, lefts, values[None])
        return values

    def best_action(self, avail: int, upper: int, dice: Sequence[int], rerolls: int) -> int:
        """The best action; a tie goes to the lowest, so a mask is the canonical one of its class."""
        return int(np.nanargmax(self.action_values(avail, upper, dice, rerolls)))

    def ranked(self, avail: int, upper: int, dice: Sequence[int], rerolls: int) -> list[RankedAction]:
        """The legal actions, best first, one mask for each class of equivalent ones."""
        values = self.action_values(avail, upper, dice, rerolls)
        best, state = np.nanmax(values), YATZY.records(1)[0]
        state.dice = sorted(dice)
        actions = [a for a in np.flatnonzero(~np.isnan(values)).tolist() if a >= FIRST_MARK or canonical_mask(dice, a) == a]
        actions.sort(key=lambda a: (-values[a], a))
        return [RankedAction(a, YATZY.action_text(state, a), float(values[a]), float(best - values[a])) for a in actions]

    def simulate(
        self, games: int, seed: int = 0, workers: int | None = None, progress: Progress | None = None
    ) -> SimulationReport:
        """Play whole games with `best_action`; the same scores for any number of threads.

        Game i is episode mix(seed, i) of the two-player game as player 0 sees it. `progress` hears how many turns are done.
        """
        records = YATZY.records(require_positive("games", games))
        records["avail"] = ALL_OPEN
        executor, word, done = Threads(count_threads(workers)), require_seed(seed), 0
        for turn_number in range(CATEGORY_COUNT):
            # In order of their masks, so that a piece holds few masks and computes the turn of each only once.
            pieces = _pieces(np.argsort(records["avail"][:, 0], kind="stable"), GAMES_PER_PIECE)
            tasks = (RoundTask(self.table, take(records, games), turn_number, word, games) for games in pieces)
            for number, played in executor.run(play_piece, tasks):
                as_items(records)[pieces[number]] = as_items(played)
                done = _count(done, played, progress)
        return _report(records["total"][:, 0], records["upper"][:, 0] == UPPER_GOAL)


def canonical_mask(dice: Sequence[int], mask: int) -> int:
    """The lowest mask that keeps the same faces of the sorted dice as `mask` does."""
    return int(turn.CANONICAL[_hand(dice), _whole("mask", mask, 0, KEEP_ALL)])


def _report(scores: NDArray[np.int16], has_bonus: NDArray[np.bool_]) -> SimulationReport:
    seen, counts = np.unique(scores, return_counts=True)
    return SimulationReport(
        games=len(scores),
        mean=float(scores.mean()),
        sd=float(scores.std()),
        median=float(np.median(scores)),
        min=int(seen[0]),
        max=int(seen[-1]),
        bonus_rate=float(has_bonus.mean()),
        histogram=dict(zip(seen.tolist(), counts.tolist(), strict=True)),
        scores=scores.copy(),
    )


# ------------------------------------------------------------------ tasks


@dataclass(frozen=True)
class SolveTask:
    """Masks to be solved; the rows of the table with one category less must be there already."""

    table: Table
    masks: Items


def solve_piece(task: SolveTask) -> Table:
    """The rows of the masks."""
    rows = np.empty((len(task.masks), turn.UPPERS))
    turn.solve_masks(task.table, task.masks, rows)
    return rows


@dataclass(frozen=True)
class RoundTask:
    """Games that play one round; `games` are their numbers, from which their dice come."""

    table: Table
    records: Any
    number: int
    seed: int
    games: Items


def play_piece(task: RoundTask) -> Any:
    """The records after the round."""
    records = take(task.records, np.arange(len(task.records)))
    turn.play_round(task.table, records, task.number, np.uint64(task.seed), task.games)
    return records


def take(records: Any, games: Items) -> Any:
    """A copy of some records."""
    return as_items(records)[games].view(YATZY.state)


def _pieces(items: Items, size: int) -> list[Items]:
    return [items[i : i + size] for i in range(0, len(items), size)]


def _count(done: int, rows: Any, progress: Progress | None) -> int:
    """How many are done with these rows."""
    if progress is not None:
        progress(done + len(rows))
    return done + len(rows)


# ------------------------------------------------------------------ what may be asked


def _whole(what: str, value: int, low: int, high: int, why: str = "") -> int:
    """The value as a plain int, or an error that says what it should have been."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise UsageError(f"{what}: expected a whole number from {low} to {high}{why and ' ' + why}, got {value!r}")
    return int(value)


def _position(avail: int, upper: int, dice: Sequence[int], rerolls: int) -> list[int]:
    """A position inside a turn as kernels want it, its dice as the index of their hand."""
    return [
        _whole("avail", avail, 1, ALL_OPEN, "with at least one category open"),
        _whole("upper", upper, 0, UPPER_GOAL),
        _hand(dice),
        _whole("rerolls", rerolls, 0, REROLLS),
    ]


def require_possible(avail: int, upper: int, dice: Sequence[int], rerolls: int) -> None:
    """Refuse a position that no game comes to: above all an upper total that its closed categories can't have made."""
    _position(avail, upper, dice, rerolls)
    closed = [category for category in range(UPPER_COUNT) if not avail >> (CATEGORY_COUNT - 1 - category) & 1]
    totals = {0}
    for category in closed:
        totals = {total + (category + 1) * count for total in totals for count in range(DICE + 1)}
    if upper not in {min(total, UPPER_GOAL) for total in totals}:
        names = ", ".join(CATEGORIES[category] for category in closed) or "none"
        raise UsageError(f"upper: {upper} points can't be made in the closed upper categories ({names})")


def _hand(dice: Sequence[int]) -> int:
    """The index of five dice in any order."""
    try:
        return _HAND_INDEX[tuple(sorted(dice))]
    except (KeyError, TypeError, ValueError):
        raise UsageError(f"dice: expected five whole numbers from 1 to {FACES}, got {dice!r}") from None


# ------------------------------------------------------------------ the file


def _read_or_warn(path: Path) -> Table | None:
    """The table in the file; None if there is no file, or one that can't be trusted, which is said on stderr."""
    try:
        return _read(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        _warn(f"the solved table {path} can't be used ({problem}); solving it again")
        return None


def _read(path: Path) -> Table:
    """The table in the file: one line of JSON, then the bytes that it describes. ValueError says what is wrong with it."""
    table = np.empty(HEADER["shape"], HEADER["dtype"])
    with path.open("rb") as file:
        line = file.readline(MAX_HEADER_BYTES)
        length = file.readinto(table.data.cast("B")) + len(file.read(1))
    if not line.startswith(json.dumps(HEADER).encode()[:-1]):
        raise ValueError("its first line is not the header of a table for these rules")
    if length != table.nbytes:
        raise ValueError(f"expected {table.nbytes} bytes of values, found {'more' if length > table.nbytes else length}")
    if line != _header_line(table):
        raise ValueError("its checksum differs")
    return table.astype(np.float64, copy=False)


def _header_line(table: Table) -> bytes:
    return json.dumps({**HEADER, "sha256": hashlib.sha256(table.data).hexdigest()}).encode() + b"\n"


def _write_or_warn(path: Path, table: Table) -> None:
    """Keep the table for the next time; without a place for it, this time goes on all the same."""
    values = np.ascontiguousarray(table, HEADER["dtype"])
    try:
        with atomic_writer(path) as file:
            file.write(_header_line(values))
            file.write(values.data)
    except (OSError, DiskError) as problem:
        _warn(f"the solved table can't be kept in {path} ({problem}); it will be solved again next time")


def _warn(line: str) -> None:
    print(f"playmill: warning: {line}", file=sys.stderr)
