"""No position comes twice: kos, and what a simple ko rule lets through."""

import numpy as np

from go_positions import action, may_play, played, random_states
from playmill.core.jit import kernel
from playmill.games.go.board import is_legal
from playmill.games.go.board_text import read_point
from playmill.games.go.rules import GO9
from playmill.games.go.setup import from_drawing

KO = """
. . . . . . . . .
. . X O . . . . .
. X O . O . . . .
. . X O . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""

# White can throw in at A9; Black takes two at C9, and White would take one back at B9.
SEND_TWO = """
. O . O . . . . .
X X O O . . . . .
. X X X O . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""

TRIPLE = """
X O . O . X O . O
. X O . . . X O .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. X O . . . . . .
X . X O . . . . .
"""


def may_by_simple_ko(state, name):
    return bool(is_legal(state.record.board, read_point(9, name), int(state.record.mover) + 1))


def test_a_ko_may_be_taken_back_after_a_threat_is_answered():
    taken = played(from_drawing(GO9, KO), "D7")
    assert taken.record.board.ko == read_point(9, "C7")
    assert not may_play(taken, "C7")
    assert not may_by_simple_ko(taken, "C7")
    assert may_play(played(taken, "H2", "J2"), "C7")


def test_a_ko_may_not_be_taken_back_after_two_passes_that_end_the_game_nor_after_one():
    taken = played(from_drawing(GO9, KO), "D7", "pass")
    assert may_play(taken, "pass")
    back = played(taken, "pass")
    assert back.is_over
    assert not may_play(played(from_drawing(GO9, KO), "D7"), "C7")


def test_sending_two_returning_one_repeats_the_position():
    state = played(from_drawing(GO9, SEND_TWO, "White"), "A9", "C9")
    assert state.record.prisoners.tolist() == [2, 0]
    assert may_by_simple_ko(state, "B9")
    assert not may_play(state, "B9")
    assert may_play(played(state, "J1", "J9"), "B9")


def test_a_move_that_captures_nothing_may_repeat_a_position_too():
    sent = from_drawing(GO9, SEND_TWO.replace(". O . O", "O O . O"), "Black")
    state = played(sent, "C9", "B9", "pass")
    assert may_by_simple_ko(state, "A9")
    assert not may_play(state, "A9")
    assert may_play(played(sent, "C9", "B9", "J1"), "A9")


def test_a_triple_ko_goes_round_once_but_for_its_last_move():
    state = from_drawing(GO9, TRIPLE)
    for name in ("C9", "B1", "H9", "B9", "C1"):
        assert may_play(state, name)
        state = played(state, name)
    assert state.record.prisoners.tolist() == [3, 2]
    assert may_by_simple_ko(state, "G9")
    assert not may_play(state, "G9")
    assert may_play(state, "E5")


def test_random_games_meet_positions_that_only_superko_forbids():
    """Else the twin's agreement would say nothing about it."""
    forbidden = 0
    for state in (state for seed in range(12) for state in random_states("go9", seed)):
        forbidden += int(count_by_simple_ko(state.record.reshape(1))) - (len(state.legal_actions) - 1)
    assert forbidden > 0


@kernel
def count_by_simple_ko(records):
    """How many points the mover may play on under the simple ko rule."""
    board, colour, count = records[0].board, np.int64(records[0].mover) + 1, 0
    for cell in range(board.colour.size):
        if is_legal(board, cell, colour):
            count += 1
    return count


def test_action_names():
    state = GO9.new()
    assert [state.action_text(action(state, name)) for name in ("A9", "J1", "pass")] == ["A9", "J1", "pass"]
