"""The frame around a problem: what it leaves alone, what it fills, and the one ko threat in it."""

import numpy as np
import pytest

from playmill.games.go.board import BLACK, EMPTY, WHITE, is_legal, place
from playmill.games.go.board_text import draw_board, read_point
from playmill.games.go.life import mark_alive
from playmill.puzzles.katago.frame import NoFrame, framed_board, make_frame
from playmill.puzzles.solver.problem import make_problem
from puzzles.katago.big_boards import on_19

pytestmark = pytest.mark.jit

NAMES = ("straight three", "bent three in the corner", "bulky five", "six in the corner")


@pytest.fixture(params=[(name, side) for name in NAMES for side in (BLACK, WHITE)], ids=lambda param: f"{param[0]}-{param[1]}")
def frame(request):
    return make_frame(on_19(*request.param))


def taken(board):
    return np.zeros((2, board.empty.size), np.uint64)


def test_the_problem_itself_stays_as_it_is(frame):
    before, board = frame.problem.boards[0], framed_board(frame)
    assert [board.colour[cell] for cell in sorted(frame.inside)] == [before.colour[cell] for cell in sorted(frame.inside)]
    assert frame.problem.marked <= frame.inside


def test_nobody_can_play_outside_but_the_threat(frame):
    board = framed_board(frame)
    empty = {cell for cell in range(board.colour.size) if board.colour[cell] == EMPTY}
    assert empty - frame.inside == {*frame.closed, *frame.threat}


def test_the_other_side_threatens_once_and_is_answered(frame):
    side, other = frame.problem.to_play, 3 - frame.problem.to_play
    board = framed_board(frame)
    [threat] = [cell for cell in frame.threat if is_legal(board, cell, other)]
    [answer] = {*frame.threat} - {threat}
    ignored = framed_board(frame)
    place(ignored, threat, other, taken(board))
    assert place(ignored, answer, other, taken(board)) >= 3
    place(board, threat, other, taken(board))
    place(board, answer, side, taken(board))
    assert board.liberties[board.head[answer]] > 4


def test_all_stones_outside_are_alive_but_the_chain_that_is_threatened(frame):
    board, side = framed_board(frame), frame.problem.to_play
    alive = np.zeros((2, board.colour.size), np.uint8)
    for colour in (BLACK, WHITE):
        mark_alive(board, colour, alive[colour - 1])
    weak = {cell for colour, cell in frame.stones if cell not in frame.inside and not alive[colour - 1, cell]}
    assert len({int(board.head[cell]) for cell in weak}) == 1
    assert {int(board.colour[cell]) for cell in weak} == {side}


def test_komi_lets_the_side_to_play_lead_a_little_if_it_kills():
    frame = make_frame(on_19("straight three", WHITE))
    board = framed_board(frame)
    black = sum(board.colour[cell] == BLACK and cell not in frame.inside for cell in range(board.colour.size))
    eyes = sum(board.colour[cell - 1 if board.colour[cell - 1] != 3 else cell + 1] == BLACK for cell in frame.closed)
    white = 361 - black - eyes  # all inside, and the rest outside
    assert 4 <= white + frame.komi - (black + eyes) <= 12  # the threat's places may be either's


def test_the_first_move_is_not_the_threat_and_may_be_left_out():
    frame = make_frame(on_19("straight three", WHITE))
    vital = read_point(19, "D1")
    limits = frame.query(10, "a label", (vital,)).avoided
    assert limits[-1] == (WHITE, (*frame.threat, vital), 1)
    assert {limit[0] for limit in limits if limit[1] == frame.closed} == {BLACK, WHITE}


def test_stones_all_over_the_board_leave_no_room():
    corners = {BLACK: [read_point(19, "C3"), read_point(19, "Q16")], WHITE: [read_point(19, "C16"), read_point(19, "Q3")]}
    with pytest.raises(NoFrame):
        make_frame(make_problem(19, corners, corners[BLACK], WHITE, "four corners"))


def test_a_frame_looks_like_this():
    drawn = draw_board(framed_board(make_frame(on_19("straight three", BLACK))))
    assert drawn == DRAWN.strip("\n")


DRAWN = """
   A B C D E F G H J K L M N O P Q R S T
19 X X X X . X . X . X . X . X . X . X . 19
18 . X X X X X X X X X X X X X X X X X X 18
17 X O X X . X . X . X . X . X . X . X . 17
16 X O X X X X X X X X X X X X X X X X X 16
15 X O X X . X . X . X . X . X . X . X . 15
14 X O X X X X X X X X X X X X X X X X X 14
13 X O X X . X . X . X . X . X . X . X . 13
12 X O X X X X X X X X X X X X X X X X X 12
11 . O X X X X X X X X X X X X X X X X . 11
10 O O O O O O O O O O O O O O O O O X X 10
 9 . O . O . O . O . O . O . O . O . O O 9
 8 O O O O O O O O O O O O O O O O O O O 8
 7 . O . O . O . O . O . O . O . O . O . 7
 6 O O O O O O O O O O O O O O O O O O O 6
 5 O O O O O O O O O O . O . O . O . O . 5
 4 . . . + . . . . O O O O O O O O O O O 4
 3 O O O O O O O . O O . O . O . O . O . 3
 2 O X X X X X O . O O O O O O O O O O O 2
 1 O X . . . X O . O O . O . O . O . O . 1
   A B C D E F G H J K L M N O P Q R S T
"""
