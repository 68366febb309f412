"""Boards as maps: what the drawing is told, and the command."""

import math
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from diplomacy_phases import random_phases
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.draw_board import _drawn, _is_drawn, draw_board, position_of
from playmill.games.diplomacy.draw_marks import FAILED
from playmill.games.diplomacy.draw_shapes import load_shapes
from playmill.games.diplomacy.draw_sheet import MapSheet
from playmill.games.diplomacy.dson import write_orders

ORDERS = "A par - bur ; A mar S A par - bur ; A mun - bur ; F lon - eng ; F bre - eng"
PICTURE = Path(__file__).parents[2] / "docs" / "img" / "diplomacy.svg"
PICTURED = (
    "F lon - nth ; F edi - nrg ; A lvp - yor ; F bre - mao ; A par - bur ; A mar S A par - bur ; A mun - bur ; F kie - den ; "
    "A ber - kie ; A ven - tyr ; A rom - ven ; F nap - ion ; A vie - gal ; A bud - ser ; F tri - alb ; A war - gal ; "
    "F sev - bla ; A mos - ukr ; F stp/sc - bot ; F ank - bla ; A con - bul ; A smy - arm"
)
CENTRES = Board.start().dfen.split("/")[2]
BEATEN = Board.from_dfen(
    f"1905sm/Ealon,Efnth,Gfska,Gfden,Gfhel,Gfnwy,Ffspa.sc,Ffmao,Ifwes,Famar,Fabur,Gamun/{CENTRES}/-"
).orders(
    "A lon - hol ; F nth C A lon - hol ; F ska - nth ; F hel S F ska - nth ; F den S F ska - nth ; F nwy - nth ; "
    "F spa/sc - wes ; F mao S F spa/sc - wes ; F wes H ; A mar - bur ; A mun - bur ; A bur H"
)
SVG = "{http://www.w3.org/2000/svg}"


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


def titles(text, name):
    """What the parts of one group of a map are called."""
    group = next(group for group in ElementTree.fromstring(text).iter(f"{SVG}g") if group.get("class") == name)
    return [title.text for title in group.iter(f"{SVG}title")]


def test_units_that_will_be_dislodged_are_marked():
    drawn = draw_board(BEATEN)
    assert titles(drawn, "dislodged") == ["England, fleet, dislodged", "Italy, fleet, dislodged"]
    assert len(titles(drawn, "units")) == 10
    assert titles(draw_board(Board.start().orders(ORDERS)), "dislodged") == []


def test_a_broken_convoy_is_drawn_to_where_it_broke():
    drawn = draw_board(BEATEN)
    assert {"lon move - hol, failed", "nth convoy lon - hol, failed"} <= set(titles(drawn, "orders"))
    order = next(line for line in drawn.split("<g stroke=") if "<title>lon move - hol, failed" in line)
    assert 'stroke-dasharray="1 7"' in order  # the way that the army did not go
    assert "<polygon" not in order


def crosses(board):
    """How far each cross is from the nearest end of another order's line."""
    drawn = [_drawn(verdict) for verdict in board.adjudicate().verdicts if _is_drawn(verdict)]
    sheet = MapSheet(load_shapes(), position_of(board.plain), drawn)
    for line in (sheet.line(order) for order in drawn if not order.ok):
        if line is not None:
            spot = line.at(sheet.cross_at(line))
            yield min((math.dist(spot, end) for end in sheet.ends if end != line.end), default=math.inf)


def test_no_arrow_ends_on_anothers_cross():
    assert min(crosses(BEATEN)) > 10
    assert min(crosses(Board.start().orders(PICTURED))) > 10


@pytest.mark.jit
def test_hardly_an_arrow_ends_on_anothers_cross_however_crowded_the_map():
    """Some arrows between small provinces are no longer than a cross."""
    found = []
    for phase in random_phases(150, 4):
        board = Board(phase.states)
        if board.phase in ("sm", "fm"):
            found += crosses(board.orders(write_orders(phase.orders.tolist(), board.plain)))
    assert len(found) > 1000
    assert sum(gap < 8.5 for gap in found) < len(found) / 100


def test_the_picture_in_the_docs_is_what_is_drawn():
    """`playmill diplomacy draw start ORDERS --title "playmill diplomacy draw" --out docs/img/diplomacy.svg` makes it again."""
    assert draw_board(Board.start().orders(PICTURED), title="playmill diplomacy draw") == PICTURE.read_text()


def test_the_command_writes_a_file_or_prints(tmp_path):
    command = [sys.executable, "-m", "playmill.cli.main", "diplomacy", "draw", "start", ORDERS]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    out = tmp_path / "map.svg"
    subprocess.run([*command, "--out", str(out)], capture_output=True, timeout=300, check=True)
    assert out.read_text() == printed
    assert ElementTree.fromstring(printed).attrib["width"] == "800"
