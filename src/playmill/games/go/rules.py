"""Go on 9x9, 13x13 and 19x19: area scoring, positional superko, no suicide; over after two passes or at the move limit.

Action row * n + column, rows from the top, plays there; action n * n passes. The record is that of `state.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.bits import ONE, add_bit, has_bit, lowest_bit
from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.game import Game
from playmill.games.go.board import BORDER, can_breathe, clear, place, roomy_word, set_up
from playmill.games.go.board_text import SIDES, board_line, draw_board
from playmill.games.go.diagram import Diagram, draw_diagram
from playmill.games.go.geometry import ACTION, FIRST, SYMMETRIES, cell_of_action, name_point, place_of, turn_hashes, turned_cell
from playmill.games.go.planes import PLANES, fill_planes
from playmill.games.go.scoring import area_lead
from playmill.games.go.state import remember, repeats, state_type

KOMI = 15  # half points, odd on every board: a game has a winner


def _game(size: int) -> Game:
    return Game(
        f"go{size}",
        state=state_type(size),
        players=2,
        logits=size * size + 1,
        features=(PLANES, size, size),
        feature_type="bit",
        symmetries=SYMMETRIES,
        title=f"Go on {size}x{size}: area scoring, positional superko, komi {KOMI / 2:g}",
        module=__name__,
    )


GO9, GO13, GO19 = _game(9), _game(13), _game(19)
GAMES = (GO9, GO13, GO19)


def start(state, chance):
    size = 1
    while 2 * size * size < state.history.size:
        size += 1
    clear(state.board, size)
    state.komi = KOMI


def legal(state, actions):
    board, colour = state.board, np.int64(state.mover) + 1
    size = np.int64(board.width)
    first = FIRST[size]
    count = 0
    for i in range(board.empty.size):
        left, free = board.empty[i], roomy_word(board, i) & ~state.taken[colour - 1, i]
        while left != 0:
            bit = lowest_bit(left)
            left &= left - ONE
            cell = 64 * i + bit
            is_legal = free >> np.uint64(bit) & ONE != 0
            if not is_legal:
                is_legal = can_breathe(board, cell, colour) and not repeats(state, cell, colour)
            actions[count] = ACTION[first + cell]
            count += np.int64(is_legal)
    actions[count] = size * size
    return count + 1


def play(state, action, chance):
    size = np.int64(state.board.width)
    if action == size * size:
        state.passes += 1
        state.last = 0
        state.board.ko = 0
    else:
        play_stone(state, cell_of_action(size, action))
    state.mover = 1 - state.mover
    state.ply += 1


@kernel
def play_stone(state, cell):
    """The mover's stone, its prisoners, and the position that is now history."""
    state.prisoners[state.mover] += place(state.board, cell, np.int64(state.mover) + 1, state.taken[:])
    remember(state)
    state.passes = 0
    state.last = cell


def outcome(state, scores):
    if state.passes < 2 and state.ply < state.history.size:
        return False
    lead = 2 * area_lead(state.board) - np.int64(state.komi)
    scores[0] = 1.0 if lead > 0 else -1.0
    scores[1] = -scores[0]
    return True


@kernel
def position_word(state):
    """A hash of all that a network sees."""
    seen = np.uint64(state.mover) << np.uint64(63) | np.uint64(state.passes) << np.uint64(32)
    return mix_word(state.board.hash, seen | np.uint64(state.board.ko) << np.uint64(16) | np.uint64(state.last))


def eval_key(state):
    return position_word(state)


def key(state):
    count = np.uint64(state.ply) << np.uint64(32) | np.uint64(np.int64(state.komi) + 32768)
    taken = np.uint64(state.prisoners[0]) << np.uint64(16) | np.uint64(state.prisoners[1])
    return mix_word(mix_word(mix_word(position_word(state), state.past), count), taken)


def encode(state, planes):
    fill_planes(state, planes)


def symmetry(state, number):
    size = np.int64(state.board.width)
    colours, taken = np.zeros_like(state.board.colour), state.taken.copy()
    state.taken[:] = 0
    for cell in range(colours.size):
        if state.board.colour[cell] != BORDER:
            image = turned_cell(size, cell, number)
            colours[image] = state.board.colour[cell]
            for side in range(2):
                if has_bit(taken[side], cell):
                    add_bit(state.taken[side], image)
    ko, last = np.int64(state.board.ko), np.int64(state.last)
    set_up(state.board, size, colours)
    state.board.ko = turned_cell(size, ko, number) if ko > 0 else 0
    state.last = turned_cell(size, last, number) if last > 0 else 0
    turn_history(state, number)


@kernel
def turn_history(state, number):
    """Turn all positions that have been there."""
    hashes = turn_hashes(state.history[: state.positions].copy(), number)
    now = state.board.hash
    state.seen[:] = 0
    state.positions = 0
    state.past = 0
    for word in hashes:
        state.board.hash = word
        remember(state)
    state.board.hash = now


def symmetry_action(state, action, number):
    size = np.int64(state.board.width)
    if action == size * size:
        return action
    cell = turned_cell(size, cell_of_action(size, action), number)
    return np.int64(ACTION[FIRST[size] + cell])


# ------------------------------------------------------------------ for people


def show(state: Any) -> str:
    return f"{board_line(state.board)} {standing(state)}"


def draw(state: Any) -> str:
    taken = f"captured: {state.prisoners[0]} by Black (X), {state.prisoners[1]} by White (O)"
    return f"{draw_board(state.board, int(state.last))}\n{taken}\n{standing(state)}"


def picture(state: Any) -> str:
    size, words = int(state.board.width), standing(state)
    last = place_of(size, int(state.last)) if state.last else None
    side = None if words.startswith("over") else int(state.mover)
    return draw_diagram(state.board, Diagram(last=last, words=words, side=side))


def name_action(state: Any, action: int) -> str:
    size = int(state.board.width)
    return "pass" if action == size * size else name_point(size, *divmod(action, size))


def standing(state: Any) -> str:
    """Who is to move, or how it ended."""
    if state.passes < 2 and state.ply < state.history.size:
        passed = ", the other side passed" if state.passes else ""
        return f"move {int(state.ply) + 1}, {SIDES[int(state.mover)]} to move{passed}"
    lead = int(area_lead(state.board)) - int(state.komi) / 2
    return f"over: {SIDES[0 if lead > 0 else 1]} has won by {abs(lead):g}"


for _each in GAMES:
    for _kernel in (start, legal, play, outcome, eval_key, key, encode, symmetry, symmetry_action):
        _each.kernel(_kernel)
    for _view, _function in (
        (_each.show, show),
        (_each.draw, draw),
        (_each.picture, picture),
        (_each.name_action, name_action),
    ):
        _view(_function)
