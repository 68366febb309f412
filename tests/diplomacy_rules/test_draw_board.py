"""Boards as maps: what the drawing is told, and the command."""

import subprocess
import sys
from xml.etree import ElementTree

from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.draw_board import draw_board, position_of
from playmill.games.diplomacy.draw_marks import FAILED

ORDERS = "A par - bur ; A mar S A par - bur ; A mun - bur ; F lon - eng ; F bre - eng"


def test_the_position_is_the_boards():
    position = position_of(Board.start().plain)
    assert len(position.units) == 22
    assert position.units["stp/sc"] == ("R", "f")
    assert len(position.centres) == 22
    assert position.caption == "Spring 1901, movement"


def test_orders_change_the_drawing_and_failures_show():
    board = Board.start()
    bare, ordered = draw_board(board), draw_board(board.orders(ORDERS))
    held = draw_board(board.orders("A par - bur"))
    assert len({bare, ordered, held}) == 3
    assert ordered.count(FAILED) > held.count(FAILED)  # an army and two fleets bounce


def test_orders_that_no_unit_can_try_are_left_out():
    board = Board.start()
    assert draw_board(board.orders("A gal - war")) == draw_board(board)


def test_a_dislodged_unit_is_on_the_map():
    board = Board.start().orders("A ven - pie ; F tri - ven ; A rom - tus").adjudicate().next
    board = board.orders("A pie - ven ; A tus S A pie - ven").adjudicate().next
    assert position_of(board.plain).dislodged == {"ven": ("A", "f")}
    assert "Fall 1901, retreats" in draw_board(board.orders("F ven R tri"))


def test_the_command_writes_a_file_or_prints(tmp_path):
    command = [sys.executable, "-m", "playmill.cli.main", "diplomacy", "draw", "start", ORDERS]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    out = tmp_path / "map.svg"
    subprocess.run([*command, "--out", str(out)], capture_output=True, timeout=300, check=True)
    assert out.read_text() == printed
    assert ElementTree.fromstring(printed).attrib["width"] == "800"
