"""Cases for the page's Go rules, out of our own board kernels: games of random moves, with all that is legal at each step.

`python tests/web/go_cases.py` writes them to where the page's tests read them.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from playmill.core.bits import words_for
from playmill.core.seeds import mix
from playmill.games.go.board import BLACK, EMPTY, WHITE, board_type, clear, is_legal, place
from playmill.games.go.geometry import cell_of, cells_of, place_of

PLACE = Path(__file__).parents[2] / "web" / "src" / "boards" / "go" / "rules.cases.json"
GAMES = ((2, 12, 1), (5, 70, 2), (5, 70, 3), (7, 110, 4), (9, 130, 5))  # size, moves, seed
MARKS = ".XO"


def all_cases() -> list[dict]:
    return [_case(*game) for game in GAMES]


def _case(size: int, moves: int, seed: int) -> dict:
    boards, taken = np.zeros(1, board_type(size)), np.zeros((2, words_for(cells_of(size))), np.uint64)
    clear(boards[0], size)
    steps = []
    for number in range(moves):
        colour = BLACK if number % 2 == 0 else WHITE
        legal = {side: _legal(boards, size, side) for side in (BLACK, WHITE)}
        choices = [point for point in range(size * size) if legal[colour][point] == "1"]
        if not choices:
            break
        point = choices[mix(seed, number) % len(choices)]
        place(boards[0], cell_of(size, *divmod(point, size)), colour, taken)
        step = {"colour": colour, "point": point, "legal": [legal[BLACK], legal[WHITE]]}
        steps.append({**step, "after": _stones(boards, size), "ko": _ko(boards, size)})
    return {"size": size, "steps": steps}


def _legal(boards, size: int, colour: int) -> str:
    """A character for each point: 1 where the move is legal, else the reason: occupied, ko, suicide."""
    board = boards[0]
    cells = [cell_of(size, *divmod(point, size)) for point in range(size * size)]
    return "".join("1" if is_legal(board, cell, colour) else _reason(board, cell) for cell in cells)


def _reason(board, cell: int) -> str:
    if board.colour[cell] != EMPTY:
        return "o"
    return "k" if cell == board.ko else "s"


def _stones(boards, size: int) -> str:
    return "".join(MARKS[boards[0].colour[cell_of(size, *divmod(point, size))]] for point in range(size * size))


def _ko(boards, size: int) -> int:
    if not boards[0].ko:
        return -1
    row, column = place_of(size, int(boards[0].ko))
    return row * size + column


def text() -> str:
    rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in all_cases())
    return f"[\n{rows}\n]\n"


if __name__ == "__main__":
    PLACE.write_text(text())
