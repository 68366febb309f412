"""What a move of EXCHANGE did, told from the states around it; and the board where there is little room."""

import re
import xml.etree.ElementTree as ET

import pytest

from playmill.games.exchange.board import BASE_DAMAGE, DECREE_BONUS, DIE, TYPE_OF
from playmill.games.exchange.moves import ATTACK
from playmill.games.exchange.table import draw_table
from playmill.games.registry import get_game

EXCHANGE = get_game("exchange")


def walk(seed, plies=120):
    """The moves of a game that hits whenever it can: states before and after, and the action."""
    state = EXCHANGE.new(seed)
    for _ in range(plies):
        if state.is_over:
            return
        hits = [a for a in state.legal_actions if EXCHANGE.action_text(None, a) != "--" and a & 7 >= ATTACK]
        choices = hits or state.legal_actions
        action = choices[(7 * state.ply + seed) % len(choices)]
        after = state.apply(action)
        yield state, action, after
        state = after


def test_the_die_that_is_told_is_the_one_that_makes_the_damage():
    seen = 0
    for seed in range(4):
        for before, action, after in walk(seed):
            told = EXCHANGE.told(before.record, action, after.record)
            match = re.fullmatch(r"die (\d): (?:White|Black)'s \w+ on \w\w -(\d+) HP, has \d+", told)
            if match is None or action & 7 != ATTACK:
                continue
            bonus = DECREE_BONUS if before.record.decree[before.to_move] else 0
            base = BASE_DAMAGE[TYPE_OF[before.record.piece[action >> 15]]]
            assert int(match[2]) == base + int(match[1]) + bonus
            seen += 1
    assert seen > 10


def test_everything_that_can_happen_is_told():
    told = [EXCHANGE.told(b.record, a, c.record) for seed in range(12) for b, a, c in walk(seed)]
    for words in (
        " falls",
        " or more: ",
        "any die: ",
        " interposes, -",
        " +",
        "Royal Decree: +2 on dice of the next two own turns",
    ):
        assert any(words in line for line in told), words
    assert all(1 <= int(face) <= DIE for line in told for face in re.findall(r"die (\d)", line))


def test_a_quiet_move_says_nothing():
    state = EXCHANGE.new()
    action = state.read_action("e2e4")
    assert EXCHANGE.told(state.record, action, state.apply(action).record) == ""


def test_moves_are_listed_under_their_piece():
    state = EXCHANGE.new()
    groups = {EXCHANGE.action_group(state.record, action) for action in state.legal_actions}
    assert {"knight b1", "king e1", "pawn e2"} <= groups


@pytest.mark.parametrize("seed", range(6))
def test_the_narrow_board_fits_and_says_the_same_hp(seed):
    for _, _, after in walk(seed):
        narrow, wide = (draw_table(after.record, False, width) for width in (40, 80))
        assert max(map(len, narrow.splitlines()[:17])) <= 40
        pieces = [re.findall(r"[KQRBNPkqrbnp]\+?\d+", text) for text in (narrow, wide)]
        assert pieces[0] == pieces[1]


def test_colours_are_only_colours():
    record = [after for _, _, after in walk(1)][30].record
    for width in (40, 80):
        plain, painted = (draw_table(record, colour, width) for colour in (False, True))
        assert "\x1b[" in painted
        assert [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", painted).splitlines()] == plain.splitlines()


def test_a_marked_move_is_a_whole_picture():
    for before, action, after in walk(3, 30):
        marked = EXCHANGE.svg_after(before.record, action, after.record)
        assert len(ET.fromstring(marked)) > len(ET.fromstring(after.svg()))
