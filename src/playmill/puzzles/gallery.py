"""Puzzles as pictures: each the part of its board where the fight is, many of them on one sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playmill.games.go.board import EMPTY
from playmill.games.go.diagram import Diagram, Place, draw_diagram
from playmill.games.go.geometry import place_of
from playmill.games.svg import sheet
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.sgf_problem import parse_problem

WIDTH, GAP = 1800.0, 16.0  # of the sheet, and between its pictures
ROOM = 1  # empty lines shown around the stones
SIZES = re.compile(r'<svg [^>]*width="([\d.]+)" height="([\d.]+)"')


def draw_puzzle(puzzle: Puzzle, number: int | None = None) -> str:
    """One puzzle as the text of an SVG: its stones, a triangle on each chain that it is about, who has to do what."""
    facts = puzzle.metadata
    problem = parse_problem(puzzle.initial_state_sgf.encode(), f"puzzle {puzzle.name}")
    heads = sorted({int(problem.boards[0].head[cell]) for cell in problem.marked})
    marks = {place_of(problem.size, head): "triangle" for head in heads}
    words = f"{facts.side.capitalize()} to {facts.goal} ({puzzle.difficulty})"
    words = words if number is None else f"{number}. {words}"
    view = _view(problem)
    return draw_diagram(problem.boards[0], Diagram(marks=marks, view=view, words=words, side=problem.to_play - 1))


def draw_gallery(puzzles: Sequence[Puzzle]) -> str:
    """Puzzles on one sheet, numbered from 1, in rows as wide as it is."""
    cards = [draw_puzzle(puzzle, number) for number, puzzle in enumerate(puzzles, 1)]
    placed, x, y, row_height = [], GAP, GAP, 0.0
    for card in cards:
        width, height = _size(card)
        if x > GAP and x + width + GAP > WIDTH:
            x, y, row_height = GAP, y + row_height + GAP, 0.0
        placed.append(card.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" ', 1).strip())
        x, row_height = x + width + GAP, max(row_height, height)
    return sheet(WIDTH, y + row_height + GAP, f"{len(cards)} Go puzzles", *placed)


def spread_over(puzzles: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """At most `count` of the puzzles, as evenly spread over them as can be."""
    count = min(count, len(puzzles))
    return [puzzles[number * len(puzzles) // count] for number in range(count)]


def _view(problem: Tsumego) -> tuple[Place, Place]:
    """The rectangle around all stones, with a little room."""
    board, size = problem.boards[0], problem.size
    places = [place_of(size, cell) for cell in range(1, board.colour.size) if board.head[cell] and board.colour[cell] != EMPTY]
    rows, columns = ([place[axis] for place in places] for axis in (0, 1))
    top, left = max(min(rows) - ROOM, 0), max(min(columns) - ROOM, 0)
    return (top, left), (min(max(rows) + ROOM, size - 1), min(max(columns) + ROOM, size - 1))


def _size(card: str) -> tuple[float, float]:
    found = SIZES.search(card)
    assert found is not None
    return float(found[1]), float(found[2])
