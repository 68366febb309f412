"""Whether the engine works, and how fast it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import read_board, read_point
from playmill.puzzles.katago.analysis import Analysis, parse_analysis
from playmill.puzzles.katago.analyst import Analyst
from playmill.puzzles.katago.query import Query, point

KNOWN = """
    . X O . . . O X .
    . X O O O O O X .
    . X X X X X X X .
    . . . . . . . . .
    O O O O O O O O O
    . . . O . O . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
ANSWER = "E9"  # Black to play kills White's three points in a row; komi makes that decide the game
KOMI, CHECK_VISITS = -24.0, 30
OPENING = ("Q16", "D4", "Q3", "D17", "C15", "R5")


@dataclass(frozen=True)
class CheckReport:
    """What a check found."""

    version: str
    network: str
    seconds_to_start: float
    seconds_to_answer: float
    visits: int
    best_move: str
    black_winrate: float


@dataclass(frozen=True)
class BenchReport:
    """Speeds on a 19x19 board."""

    version: str
    network: str
    queries: int
    visits: int
    seconds: float

    @property
    def visits_per_second(self) -> float:
        return self.visits / self.seconds

    @property
    def seconds_per_query(self) -> float:
        return self.seconds / self.queries


def check(analyst: Analyst) -> CheckReport:
    """Start the engine and ask it about a position with one right move; it is an error if it finds another. Nothing is kept."""
    began = time.perf_counter()
    analyst.engine.wait_ready()
    ready = time.perf_counter()
    board = read_board(KNOWN)[0][0]
    size = int(board.width)
    stones = tuple((int(board.colour[cell]), int(cell)) for cell in np.flatnonzero(np.isin(board.colour, (BLACK, WHITE))))
    query = Query(size, stones, (), BLACK, KOMI, CHECK_VISITS, label="three points in a row")
    found = parse_analysis(analyst.engine.ask(query), size)
    best = point(size, found.moves[0].cell)
    if best != ANSWER:
        raise PlaymillError(f"katago: the engine answers, but wants {best} where {ANSWER} kills; is it the right network?")
    return CheckReport(
        analyst.engine.version or "", analyst.network, ready - began, time.perf_counter() - ready, found.visits, best,
        found.winrate(BLACK),
    )  # fmt: skip


def bench(analyst: Analyst, visits: int, queries: int) -> BenchReport:
    """Time queries about openings that all differ, after one that warms the engine up. Nothing is kept."""
    analyst.engine.wait_ready()
    positions = list(_openings(visits, queries + 1))
    analyst.engine.ask(positions[0])
    began = time.perf_counter()
    done: list[Analysis] = [parse_analysis(reply, 19) for _, reply in analyst.engine.ask_all(positions[1:])]
    seconds = time.perf_counter() - began
    return BenchReport(
        analyst.engine.version or "", analyst.network, len(done), sum(one.visits for one in done), seconds
    )  # fmt: skip


def _openings(visits: int, count: int) -> Iterator[Query]:
    """Openings with one more stone of White's, each time elsewhere."""
    moves = tuple((BLACK if number % 2 == 0 else WHITE, read_point(19, name)) for number, name in enumerate(OPENING))
    for number in range(count):
        stone = read_point(19, "FGHJKLMN"[number % 8] + str(6 + number // 8 % 8))
        yield Query(19, ((WHITE, stone),), moves, BLACK, 7.5, visits, label=f"opening {number}")
