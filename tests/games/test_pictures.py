"""States and boards draw themselves: well-formed SVG that shows what is on the board."""

import re
from xml.etree import ElementTree

import pytest

from playmill.games.diplomacy.board import Board
from playmill.games.exchange.notation import read_position
from playmill.games.exchange.table import draw_table
from playmill.games.registry import get_game
from playmill.games.state import State
from toy_games import MARCH

SVG = "{http://www.w3.org/2000/svg}"


def after(name, *actions, seed=0):
    state = get_game(name).new(seed)
    for action in actions:
        state = state.apply(action)
    return state


def parsed(svg):
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def words(svg):
    return [" ".join("".join(text.itertext()).split()) for text in parsed(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "yatzy", "exchange", "go9"])
def test_every_built_in_game_draws_all_of_a_game(name):
    state = get_game(name).new(4)
    while not state.is_over:
        assert parsed(state.svg()) is not None
        state = state.apply(state.legal_actions[-1])
    assert any("over" in line for line in words(state.svg()))
    assert state._repr_svg_() == state.svg()
    assert state._repr_html_() is None  # a notebook would prefer it to the picture


def test_a_line_that_won_is_marked():
    lit = [rect for rect in parsed(after("tictactoe", 4, 0, 2, 1, 6).svg()).iter(f"{SVG}rect") if "fill-opacity" in rect.attrib]
    assert len(lit) == 3
    assert "fill-opacity" not in after("tictactoe", 4, 0, 2).svg()


def test_a_rack_shows_every_disc_and_the_four_that_won():
    circles = list(parsed(after("connect_four", 3, 3, 2, 4, 1, 2, 0).svg()).iter(f"{SVG}circle"))
    assert sum(circle.get("fill") == "#e4572e" for circle in circles) == 4
    assert sum(circle.get("fill") == "#f6c445" for circle in circles) == 3
    assert sum(circle.get("stroke") == "#ffffff" for circle in circles) == 4


def test_a_score_sheet_shows_the_dice_and_what_they_are_worth():
    state = after("yatzy", seed=3)  # 2 3 3 6 6
    dots = list(parsed(state.svg()).iter(f"{SVG}circle"))
    assert len(dots) == 2 + 3 + 3 + 6 + 6
    assert {"2", "6", "12", "18", "20"} <= set(words(state.svg()))


def test_a_board_of_exchange_shows_hp_cooldowns_and_charges():
    text = "4k(*1)3/8/8/8/8/8/8/R(9~3*4)1Q+(3)1K(12*0)3 w 01 60 0 -"
    state = State(get_game("exchange"), read_position(text), 0, 60)
    assert {"9", "3", "12", "25"} <= set(words(state.svg()))
    assert words(state.svg())[-1].endswith("turn 60, White to move; Royal Decree: Black's for 1")
    dots = [circle for circle in parsed(state.svg()).iter(f"{SVG}circle") if circle.get("r") == "1.7"]
    assert len(dots) == 1 + 4


def test_a_board_of_exchange_in_the_terminal_has_bars_and_colours_where_they_are_wanted():
    record = get_game("exchange").new(0).record
    record.hp[0] = 5
    plain, coloured = draw_table(record, colour=False), draw_table(record, colour=True)
    assert "R5      N11" in plain
    assert "━━───*5 ━━━━━*5" in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain != coloured


def test_a_game_without_a_picture_is_its_text():
    state = MARCH.new()
    assert state.svg() is None
    assert state._repr_svg_() is None
    assert state._repr_html_() == f"<pre>{state}</pre>"


def test_text_in_html_is_escaped(monkeypatch):
    monkeypatch.setattr(MARCH, "_draw", lambda _record: "<b> & more")
    assert MARCH.new()._repr_html_() == "<pre>&lt;b&gt; &amp; more</pre>"


def test_a_diplomacy_board_is_its_map_with_its_orders():
    board = Board.start()
    assert parsed(board._repr_svg_()) is not None
    assert board.orders("A par - bur").svg() != board.svg()
    assert 'width="400"' in board.svg(width=400)
