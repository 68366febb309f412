"""Candidate sets are legal, fit together, differ, and say the same for the same stream."""

import numpy as np

from diplomacy_search.games_at_hand import HELPING, legal_set, misfits, movement
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.orders import kind_of
from playmill.games.diplomacy.state import UNIT_LIMIT
from playmill.packs.diplomacy.search.candidates import fill_candidates
from playmill.packs.diplomacy.search.options import list_options
from playmill.packs.diplomacy.search.order_scores import score_options
from playmill.packs.diplomacy.search.order_work import OPTION_LIMIT, new_order_work

WANTED = 16
ENGLAND, FRANCE = 1, 2


def candidates(state, power, stream=1, temperature=0.3):
    """The candidate sets of a power, int32 [sets, units]."""
    work, sets = new_order_work(), np.zeros((WANTED, UNIT_LIMIT), np.int32)
    list_options(state, work)
    score_options(state, work)
    count = fill_candidates(work, power, WANTED, temperature, np.uint64(stream), sets)
    size = int((work.units.power[: work.units.count] == power).sum())
    return sets[:count, :size]


def movement_phases():
    return [*movement("heuristic", 1), *movement("random", 2), *movement("random", 3)]


def test_options_are_legal_and_within_their_memory():
    work = new_order_work()
    for states in movement_phases():
        list_options(states[0], work)
        legal = legal_set(states[0])
        for unit in range(work.units.count):
            assert work.sizes[unit] < OPTION_LIMIT
            assert set(work.options[unit, : work.sizes[unit]].tolist()) <= legal


def test_sets_are_legal_fit_together_and_differ():
    kinds = set()
    for states in movement_phases():
        legal = legal_set(states[0])
        for power in range(POWER_COUNT):
            sets = candidates(states[0], power)
            assert len({row.tobytes() for row in sets}) == len(sets)
            for row in sets:
                assert set(row.tolist()) <= legal
                assert misfits(states[0], row) == []
                kinds |= {int(kind_of(order)) for order in row}
    assert kinds >= set(HELPING)  # the checks above have met supports and convoys


def test_most_powers_have_all_the_sets_that_were_wanted():
    assert all(len(candidates(Board.start().state, power)) == WANTED for power in range(POWER_COUNT))


def test_same_stream_same_sets():
    state = Board.start().state
    assert np.array_equal(candidates(state, 5, stream=9), candidates(state, 5, stream=9))
    assert not np.array_equal(candidates(state, 5, stream=9), candidates(state, 5, stream=10))


def test_a_contested_centre_is_attacked_with_support():
    board = Board.start().orders("A mun - ruh ; A par - bur ; F bre - pic ; F kie - hol").adjudicate().next
    texts = [write_orders(row.tolist(), board.plain) for row in candidates(board.state, FRANCE)]
    assert any("S A bur - bel" in text and "A bur - bel ;" in text for text in texts), texts


def test_an_army_that_can_only_sail_sails():
    board = Board.start().orders("F lon - nth ; F edi - nrg ; A lvp - yor").adjudicate().next
    texts = [write_orders(row.tolist(), board.plain) for row in candidates(board.state, ENGLAND)]
    assert any("A yor - nwy" in text and "C A yor - nwy" in text for text in texts), texts
