"""The hunter without an engine: enclosed groups of a game that hang on who plays first there.

After each move only the groups around it are looked at, and each state of a group once. Whether the solver has an answer is
seen with few nodes; the judge looks again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from playmill.games.go.board import BLACK, EMPTY, WHITE
from playmill.games.go.board_text import name_cell
from playmill.games.go.replay import lay_out, play_line
from playmill.games.go.sgf.record import GoRecord
from playmill.games.go.sgf.replay import new_board
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.reading import goal_of
from playmill.puzzles.mining.settings import SolverHuntSettings
from playmill.puzzles.solver.ground import Ground, find_ground
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import KO, Solution, solve

GroundKey = tuple[tuple[int, ...], int, int, int]
Cells = frozenset[int]


def hunt(record: GoRecord, source: SourceFacts, settings: SolverHuntSettings) -> Iterator[Candidate]:
    """The unsettled groups of a game, in the order of its moves."""
    return _Hunt(record, source, settings).candidates()


class _Hunt:
    """One game at work."""

    def __init__(self, record: GoRecord, source: SourceFacts, settings: SolverHuntSettings) -> None:
        self.record, self.source, self.settings = record, source, settings
        self.solver = SolverSettings(
            max_nodes=settings.nodes, max_empty=settings.max_empty, wall_liberties=settings.wall_liberties, table_mib=8
        )
        self.seen: set[GroundKey] = set()
        self.found: set[tuple[int, int, tuple[str, ...]]] = set()

    def candidates(self) -> Iterator[Candidate]:
        for number, boards in enumerate(_positions(self.record), 1):
            colour, cell = self.record.moves[number - 1]
            side = self.record.moves[number][0] if number < len(self.record.moves) else 3 - colour
            if cell:
                yield from self._around(number, boards, cell, side)

    def _around(self, number: int, boards: Any, cell: int, side: int) -> Iterator[Candidate]:
        for head in _heads_near(boards[0], cell):
            chain = _stones(boards[0], head)
            if len(chain) < self.settings.min_stones:
                continue
            ground = self._ground(Tsumego(boards, chain, side))
            if ground is None:
                continue
            yield from self._both(number, boards, chain, side, ko=int(boards[0].ko))
            if self.settings.take_back:
                yield from self._taken_back(number, boards, chain, ground, side)

    def _both(self, number: int, boards: Any, chain: Cells, side: int, ko: int = 0, left_out: int = 0) -> Iterator[Candidate]:
        """The question for the side whose turn it is and, if wanted, for the other one."""
        for one in (side, 3 - side) if self.settings.both_sides else (side,):
            candidate = self._candidate(number, Tsumego(boards, chain, one, ko if one == side else 0), left_out)
            if candidate is not None:
                yield candidate

    def _taken_back(self, number: int, boards: Any, chain: Cells, ground: Ground, side: int) -> Iterator[Candidate]:
        """The same group without one of the stones that were played there last, as if that move had gone elsewhere."""
        inside = {c for c in (*ground.cells, *chain) if boards[0].colour[c] in (BLACK, WHITE)}
        moves = (at for at in range(number, 0, -1) if self.record.moves[at - 1][1] in inside)
        for last in islice(moves, self.settings.take_back):
            colour, cell = self.record.moves[last - 1]
            before = self._without(boards, cell)
            parts = {int(before[0].head[one]) for one in chain - {cell}} if before is not None else set()
            chains = sorted((_stones(before[0], head) for head in parts), key=lambda part: (-len(part), min(part)))
            if chains and len(chains[0]) >= self.settings.min_stones:
                yield from self._both(last - 1, before, chains[0], colour, left_out=cell)

    def _without(self, boards: Any, cell: int) -> Any:
        """The board without a stone; None if a chain has no liberty then."""
        colours = np.asarray(boards[0].colour).copy()
        colours[cell] = EMPTY
        before = new_board(self.record.size)
        return None if lay_out(before, self.record.size, colours) else before

    def _candidate(self, number: int, problem: Tsumego, left_out: int) -> Candidate | None:
        ground = self._ground(problem)
        if ground is None:
            return None
        key = ground.cells, ground.defender, ground.attacker, problem.to_play
        if key in self.seen:
            return None
        self.seen.add(key)
        solution = solve(problem, self.solver)
        if solution.status not in (goal_of(problem, problem.to_play), KO) or "pass" in solution.moves:
            return None
        fight = min(problem.marked), problem.to_play, solution.moves
        if fight in self.found:
            return None  # the same question, a few moves later
        self.found.add(fight)
        played = self._next_move(number, ground)
        if self.settings.only_mistakes and _is_right(problem, solution, played):
            return None
        return self._made(number, problem, played, left_out)

    def _ground(self, problem: Tsumego) -> Ground | None:
        ground = find_ground(problem, self.settings.max_empty, self.settings.wall_liberties)
        return ground if isinstance(ground, Ground) and ground.walls_hold else None

    def _made(self, number: int, problem: Tsumego, played: int | None, left_out: int) -> Candidate:
        colours = np.asarray(problem.boards[0].colour)
        black, white = (tuple(np.flatnonzero(colours == colour).tolist()) for colour in (BLACK, WHITE))
        head = min(problem.marked)
        facts = self.source, number, problem.size, black, white, problem.to_play, problem.ko, (head,), played
        return Candidate(*facts, left_out=left_out)

    def _next_move(self, number: int, ground: Ground) -> int | None:
        """What the game next played on the ground."""
        cells = set(ground.cells)
        return next((cell for _, cell in self.record.moves[number:] if cell in cells), None)


def _positions(record: GoRecord) -> Iterator[Any]:
    """The board after each move; the same record each time."""
    boards = new_board(record.size)
    colours = np.zeros(boards[0].colour.size, np.uint8)
    for cell, colour in record.stones.items():
        colours[cell] = colour
    lay_out(boards, record.size, colours)
    taken = np.zeros((2, boards["empty"].shape[1]), np.uint64)
    for colour, cell in record.moves:
        play_line(boards, np.array([cell]), np.array([colour]), taken, True)
        yield boards


def _heads_near(board: Any, cell: int) -> list[int]:
    """The chains on and around a point, two lines far."""
    stride = int(board.width) + 1
    near = [cell + rows * stride + columns for rows in range(-2, 3) for columns in range(-2, 3) if abs(rows) + abs(columns) < 4]
    heads = {int(board.head[at]) for at in near if 0 < at < board.head.size}
    return sorted(heads - {0})


def _stones(board: Any, head: int) -> Cells:
    return frozenset(np.flatnonzero(board.head == head).tolist())


def _is_right(problem: Tsumego, solution: Solution, played: int | None) -> bool:
    return played is not None and name_cell(problem.size, played).lower() in solution.moves
