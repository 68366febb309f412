"""Tic-tac-toe against what is known: the count of its games and positions, and that it is a draw."""

from __future__ import annotations

from functools import cache

import pytest

from playmill.core.errors import UsageError
from playmill.games.perft import count_games, count_positions
from playmill.games.registry import get_game
from playmill.games.tictactoe import TICTACTOE

# Complete games by length, 5 to 9: 1440, 5328, 47952, 72576, 127872.
ALL_GAMES = 255_168


@pytest.mark.jit
def test_there_are_255168_games():
    assert count_games(TICTACTOE) == ALL_GAMES
    assert count_games(TICTACTOE, 9) == ALL_GAMES


def test_games_of_five_and_six_moves_are_as_many_as_known():
    assert count_games(TICTACTOE, 4) == 0
    assert count_games(TICTACTOE, 5) == 1440
    assert count_games(TICTACTOE, 6) == 1440 + 5328


def test_there_are_5478_positions():
    counts = count_positions(TICTACTOE, 10)
    assert counts == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78, 0]
    assert sum(counts) == 5478


def test_a_perfect_game_is_a_draw():
    @cache
    def value(state):
        if state.is_over:
            return state.returns[state.to_move]
        return max(-value(state.apply(action)) for action in state.legal_actions)

    assert value(TICTACTOE.new()) == 0


@pytest.mark.parametrize(
    ("moves", "board", "returns"),
    [
        ("a3 a2 b3 b2 c3", "xxx/oo./... o to move", (1.0, -1.0)),
        ("a3 b3 a2 b2 c3 b1", "xox/xo./.o. x to move", (-1.0, 1.0)),
        ("c3 a3 b2 b3 a1", "oox/.x./x.. o to move", (1.0, -1.0)),
        ("a3 b3 c3 b2 a2 c2 b1 a1 c1", "xox/xoo/oxx o to move", (0.0, 0.0)),
    ],
)
def test_lines_win_and_a_full_board_draws(moves, board, returns):
    state = TICTACTOE.new()
    for move in moves.split():
        assert not state.is_over
        state = state.apply(next(action for action in state.legal_actions if state.action_text(action) == move))
    assert state.line == board
    assert state.returns == returns


def test_games_with_chance_are_not_counted():
    with pytest.raises(UsageError, match="yatzy: perft counts the tree of a game without chance"):
        count_games(get_game("yatzy"))
    with pytest.raises(UsageError, match="plies: expected a whole number above 0, got 0"):
        count_positions(TICTACTOE, 0)


def test_the_board_is_drawn_on_several_lines():
    state = TICTACTOE.new().apply(4).apply(0)
    assert str(state).splitlines() == ["3 o . .", "2 . x .", "1 . . .", "  a b c", "x to move"]
    assert repr(state) == "<tictactoe ply 2: o../.x./... x to move>"


@pytest.mark.parametrize(
    ("actions", "ending"), [([0, 3, 1, 4, 2], "over: x has won"), ([0, 1, 2, 4, 3, 5, 7, 6, 8], "over: drawn")]
)
def test_a_finished_board_says_how_it_ended(actions, ending):
    state = TICTACTOE.new()
    for action in actions:
        state = state.apply(action)
    assert str(state).splitlines()[-1] == ending
