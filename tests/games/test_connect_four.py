"""Connect four against outside authorities: published position counts, and BitBully, an independent solver."""

from __future__ import annotations

from functools import cache

import pytest

from playmill.core.jit import IS_COMPILED
from playmill.core.seeds import mix
from playmill.games.connect_four import CONNECT_FOUR
from playmill.games.golden import random_action
from playmill.games.perft import count_games, count_positions

# https://oeis.org/A212693: positions after n plies.
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623]
# How many discs the solved positions have; plain Python is slow, so it gets the small ones only.
DISCS = [28, 29, 30, 31, 32, 33, 34, 35, 36] if IS_COMPILED else [33, 34, 35, 36]


@pytest.mark.jit
def test_positions_by_ply_are_as_many_as_published():
    assert count_positions(CONNECT_FOUR, 10) == POSITIONS


def test_first_positions_by_ply_are_as_many_as_published():
    assert count_positions(CONNECT_FOUR, 4) == POSITIONS[:5]


def test_nobody_wins_before_the_seventh_disc():
    assert count_games(CONNECT_FOUR, 6 if IS_COMPILED else 4) == 0


@pytest.mark.parametrize("discs", DISCS)
@pytest.mark.parametrize("number", range(4))
def test_late_positions_have_the_value_and_the_best_moves_that_a_solver_finds(discs, number):
    bitbully = pytest.importorskip("bitbully")
    state, moves = late_position(discs, seed=mix(discs, number))
    board = bitbully.Board.from_moves(moves)
    theirs = bitbully.BitBully(opening_book=None).score_all_moves(board)
    ours = {action: -solve(state.apply(action)) for action in state.legal_actions}
    assert ours == theirs
    assert solve(state) == bitbully.BitBully(opening_book=None).mtdf(board)


def late_position(discs, seed):
    """An unfinished position of random play, and the moves that led to it; the first seed from `seed` on that has one."""
    while True:
        state, moves = CONNECT_FOUR.new(seed), []
        while not state.is_over and len(moves) < discs:
            moves.append(random_action(state))
            state = state.apply(moves[-1])
        if not state.is_over:
            return state.reseeded(0), moves
        seed += 1


@cache
def solve(state):
    """The value for the side to move: 0 a draw, else 22 less the discs that the winner has at the end, signed."""
    if state.is_over:
        winners_discs = (state.ply + 1) // 2
        return round(state.returns[state.to_move]) * (22 - winners_discs)
    return max(-solve(state.apply(action)) for action in state.legal_actions)


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("0 0 1 1 2 2 3", 0),  # along the bottom
        ("6 0 1 0 1 0 1 0", 1),  # up the left edge
        ("0 1 1 2 2 3 2 3 3 5 3", 0),  # rising
        ("6 5 5 4 4 3 4 3 3 1 3", 0),  # falling
    ],
)
def test_four_in_a_row_wins_in_every_direction(moves, winner):
    state = CONNECT_FOUR.new()
    for move in moves.split():
        assert not state.is_over
        state = state.apply(int(move))
    assert state.returns[winner] == 1.0


def test_lines_do_not_run_over_the_top_into_the_next_column():
    state = CONNECT_FOUR.new()
    for move in (1, 0, 1, 0, 0, 0, 0, 6, 0):
        state = state.apply(move)
    assert state.line == "x....../x....../o....../x....../ox...../ox....o o to move"
    assert not state.is_over


def test_a_full_column_is_not_offered():
    state = CONNECT_FOUR.new()
    for _ in range(6):
        state = state.apply(3)
    assert state.legal_actions == (0, 1, 2, 4, 5, 6)


def test_the_board_is_drawn_on_several_lines():
    state = CONNECT_FOUR.new()
    for column in (0, 1, 0, 1, 0, 1):
        state = state.apply(column)
    empty = ". . . . . . ."
    rows = [empty, empty, empty, *["x o . . . . ."] * 3, "1 2 3 4 5 6 7"]
    assert str(state).splitlines() == [*rows, "x to move"]
    assert str(state.apply(0)).splitlines()[-1] == "over: x has won"
