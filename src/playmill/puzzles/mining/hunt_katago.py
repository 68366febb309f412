"""The blunder hunter: where a move of a game lost much and a group's fate with it, by KataGo's judgement.

Every position is looked at for a few visits. Where that shows a loss, the positions before and after the move are looked at
again for many, and only what stands then becomes a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import place_of
from playmill.games.go.replay import lay_out, play_line
from playmill.games.go.sgf.record import GoRecord
from playmill.games.go.sgf.replay import new_board
from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.katago.analyst import Analyst, shared_analyst
from playmill.puzzles.katago.query import Query
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.katago_settings import HuntSettings, KataGoMining


def hunt(record: GoRecord, source: SourceFacts, settings: KataGoMining) -> Iterator[Candidate]:
    """The game's blunders that cost a group its fate, in order."""
    yield from _Hunt(record, source, settings.hunt, shared_analyst(settings.engine)).candidates()


class _Hunt:
    """One game at work."""

    def __init__(self, record: GoRecord, source: SourceFacts, settings: HuntSettings, analyst: Analyst) -> None:
        self.record, self.source, self.settings, self.analyst = record, source, settings, analyst
        self.komi = 7.5 if record.komi is None else record.komi
        self.may_suicide = self._played(len(record.moves), False)[1] < len(record.moves)

    def candidates(self) -> Iterator[Candidate]:
        """Scan, confirm, and see what flipped."""
        turns = [number for number in range(len(self.record.moves)) if self._is_in_turn(number)]
        needed = sorted({turn + more for turn in turns for more in (0, 1)})
        queries = [self._query(number, self.settings.scan_visits) for number in needed]
        scanned = dict(zip(needed, self.analyst.analyse_all(queries), strict=True))
        doubtful = [turn for turn in turns if self._is_blunder(turn, scanned, self.settings.scan_share)]
        pairs = [self._query(turn + more, self.settings.confirm_visits, True) for turn in doubtful for more in (0, 1)]
        answers = self.analyst.analyse_all(pairs)
        for place, turn in enumerate(doubtful):
            looked = {turn: answers[2 * place], turn + 1: answers[2 * place + 1]}
            candidate = self._candidate(turn, looked) if self._is_blunder(turn, looked, 1.0) else None
            if candidate is not None:
                yield candidate

    def _is_in_turn(self, number: int) -> bool:
        """Whether the side that moved is the one that the engine takes to be to move."""
        moves = self.record.moves
        return moves[number][0] == (3 - moves[number - 1][0] if number else self.record.to_move)

    def _query(self, number: int, visits: int, with_ownership: bool = False) -> Query:
        """The position after so many moves."""
        record = self.record
        stones = tuple((colour, cell) for cell, colour in sorted(record.stones.items()))
        return Query(
            record.size, stones, tuple(record.moves[:number]), record.to_move, self.komi, visits, with_ownership,
            may_suicide=self.may_suicide, label=f"{self.source.label}, move {number}",
        )  # fmt: skip

    def _is_blunder(self, turn: int, looked: dict[int, Analysis], share: float) -> bool:
        """Whether the move lost enough, in a game that was not decided before it."""
        winrate = looked[turn].winrate(self.record.moves[turn][0])
        drop, loss = self._losses(turn, looked)
        limits = self.settings
        is_open = 1 - limits.decided_winrate < winrate < limits.decided_winrate
        return is_open and (drop > share * limits.min_winrate_drop or loss > share * limits.min_score_loss)

    def _losses(self, turn: int, looked: dict[int, Analysis]) -> tuple[float, float]:
        """What the move lost for the side that made it, in winrate and in points."""
        mover, before, after = self.record.moves[turn][0], looked[turn], looked[turn + 1]
        return before.winrate(mover) - after.winrate(mover), before.lead(mover) - after.lead(mover)

    def _candidate(self, turn: int, looked: dict[int, Analysis]) -> Candidate | None:
        """The position before the move, if a group flipped; its chains are marked."""
        board, _ = self._played(turn, self.may_suicide)
        mover, played = self.record.moves[turn]
        marked = _flipped(board, looked[turn], looked[turn + 1], mover, self.settings)
        if not marked:
            return None
        drop, loss = self._losses(turn, looked)
        black, white = (tuple(np.flatnonzero(board.colour == colour).tolist()) for colour in (BLACK, WHITE))
        return Candidate(
            self.source, turn, self.record.size, black, white, mover, int(board.ko), marked, played,
            round(max(0.0, min(1.0, drop)), 4), round(loss, 2),
        )  # fmt: skip

    def _played(self, turn: int, may_suicide: bool) -> tuple[Any, int]:
        """The board before a move, and how many moves could be played."""
        record, boards = self.record, new_board(self.record.size)
        colours = np.zeros(boards[0].colour.size, np.uint8)
        for cell, colour in record.stones.items():
            colours[cell] = colour
        lay_out(boards, record.size, colours)
        line = np.array(record.moves[:turn], np.int64).reshape(-1, 2)
        taken = np.zeros((2, boards["empty"].shape[1]), np.uint64)
        played, _ = play_line(boards, line[:, 1].copy(), line[:, 0].copy(), taken, may_suicide)
        return boards[0], int(played)


def _flipped(board: Any, before: Analysis, after: Analysis, mover: int, settings: HuntSettings) -> tuple[int, ...]:
    """The lowest cells of the chains that belonged to the mover before and not after: its own died, or the other's live.

    Of both colours the one with more stones counts, and of its chains those near the largest.
    """
    chains = {head: np.flatnonzero(board.head == head).tolist() for head in np.unique(board.head[board.head > 0]).tolist()}
    lost = {
        head: cells
        for head, cells in chains.items()
        if _mean(before, cells, mover) >= settings.min_flip and _mean(after, cells, mover) <= -settings.min_flip
    }
    sides = {colour: [head for head in lost if board.colour[head] == colour] for colour in (BLACK, WHITE)}
    heads = max(sides.values(), key=lambda side: sum(len(lost[head]) for head in side))
    group = _near_the_largest(int(board.width), {head: lost[head] for head in heads}, settings.group_reach)
    return group if sum(len(lost[head]) for head in group) >= settings.min_stones else ()


def _mean(analysis: Analysis, cells: list[int], colour: int) -> float:
    return sum(analysis.owns(cell, colour) for cell in cells) / len(cells)


def _near_the_largest(size: int, chains: dict[int, list[int]], reach: int) -> tuple[int, ...]:
    """The chains that are a few lines from the largest, or from one that is."""
    if not chains:
        return ()
    group = [max(chains, key=lambda head: (len(chains[head]), -head))]
    for head in group:
        group += [
            other for other in sorted(chains) if other not in group and _distance(size, chains[head], chains[other]) <= reach
        ]
    return tuple(sorted(group))


def _distance(size: int, one: list[int], other: list[int]) -> int:
    places, others = ([place_of(size, cell) for cell in cells] for cells in (one, other))
    return min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in places for b in others)
