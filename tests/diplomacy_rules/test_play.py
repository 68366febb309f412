"""What holds in any game: orders in any order, no unit lost or doubled, listed orders legal, both speeds alike."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diplomacy_phases import random_phases
from playmill.core.jit import IS_COMPILED
from playmill.games.diplomacy import geography as g
from playmill.games.diplomacy.board import RULES
from playmill.games.diplomacy.checks import check_order
from playmill.games.diplomacy.dfen import write_dfen
from playmill.games.diplomacy.legal import MAX_GROUPS, MAX_ORDERS, legal_orders, new_lists
from playmill.games.diplomacy.orders import CONVOY, MOVE, SUPPORT_HOLD, SUPPORT_MOVE
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.places import misplaced
from playmill.games.diplomacy.plain import Plain, joined
from playmill.games.diplomacy.playout import Table, play_games, play_phase
from playmill.games.diplomacy.state import BUILDS, start_states, winner
from playmill.games.diplomacy.verdicts import RESULT
from playmill.games.diplomacy.work import gather, new_work

GAMES = 200 if IS_COMPILED else 1
# Three games to 1903 as they were played compiled; plain Python must play the same.
PLAYED = "61269b6a"


def carry_out(states, orders, rules=3):
    states, results = states.copy(), np.zeros(max(len(orders), 1), RESULT)
    advance(states[0], orders, len(orders), rules, new_work()[0], results)
    return states, results


@settings(max_examples=100 if IS_COMPILED else 4, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["2.x", "3.x"]))
def test_the_order_of_submission_never_matters(seed, rules):
    phase = next(random_phases(1, seed, rules, skip=seed % 50))
    turn = np.random.default_rng(seed).permutation(len(phase.orders))
    states, results = carry_out(phase.states, phase.orders, RULES[rules])
    again, other = carry_out(phase.states, phase.orders[turn], RULES[rules])
    assert states.tobytes() == again.tobytes()
    assert len(turn) == 0 or [r["verdict"] for r in results[turn]] == [r["verdict"] for r in other]


def test_units_are_neither_lost_nor_doubled():
    for game in range(GAMES):
        play_and_count(game, 1910 if IS_COMPILED else 1902)


@pytest.mark.slow
def test_ten_thousand_games_lose_nothing():
    for game in range(10_000):
        play_and_count(game, 1920)


def play_and_count(game, last_year):
    """One random game; after each phase, the units are those that the phase left."""
    states, table, phase = start_states(1), Table(), 0
    while states[0].year <= last_year and winner(states[0]) < 0:
        before = Plain.of(states)
        illegal = play_phase(states[0], np.uint64(game * 1000 + phase), 3, *table.arrays())
        assert illegal == 0
        check_position(before, Plain.of(states), table)
        phase += 1


def check_position(before, after, table):
    for kinds, places in ((after.kind, after.at), (after.out_kind, after.out_at)):
        for kind, place in zip(kinds, places, strict=True):
            assert (kind == 0) == (place == g.NOBODY)
            assert kind == 0 or misplaced(kind, place) is None
    here, gone = tally(after.kind, after.power), tally(after.out_kind, after.out_power)
    if before.phase == BUILDS:
        centres = [after.owner.count(power) for power in range(7)]
        assert all(units <= most for units, most in zip(here, centres, strict=True))
        assert all(here[p] == centres[p] for p in range(7) if tally(before.kind, before.power)[p] >= centres[p])
        return
    had = [a + b for a, b in zip(tally(before.kind, before.power), tally(before.out_kind, before.out_power), strict=True)]
    if before.phase in (0, 2):
        kept = [a + b for a, b in zip(here, gone, strict=True)]
        lost = sum(had) - sum(kept)
        # Without a retreat phase, those are gone who were dislodged and could go nowhere.
        dislodged = sum(1 for row in table.results[: sum(had)] if row["source"] != g.NOBODY)
        assert lost == (0 if after.phase == before.phase + 1 and sum(gone) else dislodged)
        return
    assert all(a <= b for a, b in zip(here, had, strict=True))


def tally(kinds, powers):
    return [sum(1 for kind, owner in zip(kinds, powers, strict=True) if kind and owner == power) for power in range(7)]


@pytest.mark.parametrize("rules", ["2.x", "3.x"])
def test_listed_orders_are_all_that_the_adjudicator_accepts(rules):
    """Every order that could be written is tried on some positions: listed, or illegal, or the same in another form."""
    for phase in random_phases(8 if IS_COMPILED else 1, 3, rules, skip=40 if IS_COMPILED else 0):
        if phase.states[0].phase not in (0, 2):
            continue
        orders, starts, places = (
            np.zeros(MAX_ORDERS, np.int32),
            np.zeros(MAX_GROUPS + 1, np.int64),
            np.zeros(MAX_GROUPS, np.int64),
        )
        groups = legal_orders(phase.states[0], RULES[rules], new_lists()[0], orders, starts, places)
        work = new_work()
        gather(phase.states[0], work[0])
        for unit in range(0, groups, 3):
            listed = set(orders[starts[unit] : starts[unit + 1]].tolist())
            assert len(listed) == starts[unit + 1] - starts[unit]
            assert all(check_order(work[0], unit, order, RULES[rules]) == 0 for order in listed)
            for order in thinkable(work[0], unit):
                if order not in listed:
                    assert check_order(work[0], unit, order, RULES[rules]) != 0, order


def thinkable(work, unit):
    """Orders in the form in which they are listed: coasts named, and by convoy only next door."""
    place, kind = int(work.at[unit]), int(work.kind[unit])
    ends = [end for end in range(g.LOCATION_COUNT) if kind == g.FLEET or end < g.PROVINCE_COUNT]
    for end in ends:
        if not (kind == g.FLEET and end < g.PROVINCE_COUNT and g.HAS_COASTS[end]):
            yield joined(MOVE, place, 0, end)
            if kind == g.ARMY and g.CAN_GO[g.ARMY, place, end] and not_wishful(work, place, end):
                yield joined(MOVE, place, 0, end, 1)
    for other in range(int(work.count)):
        mate, is_fleet = int(work.at[other]), work.kind[other] == g.FLEET
        yield joined(SUPPORT_HOLD, place, mate)
        for end in range(g.LOCATION_COUNT if is_fleet else g.PROVINCE_COUNT):
            if not (is_fleet and end < g.PROVINCE_COUNT and g.HAS_COASTS[end]):
                yield joined(SUPPORT_MOVE, place, mate, end)
        for end in range(g.PROVINCE_COUNT):
            yield joined(CONVOY, place, mate, end)


def not_wishful(work, source, target):
    """By 2.x an army may be told to sail where nobody could carry it; that is not listed."""
    from playmill.games.diplomacy.checks import can_be_convoyed

    return bool(can_be_convoyed(source, target, work.fleets))


def test_a_game_depends_on_its_number_alone():
    states, _, illegal = play_games(6 if IS_COMPILED else 2, 7, 1903)
    again, _, _ = play_games(3 if IS_COMPILED else 1, 7, 1903)
    assert states[: len(again)].tobytes() == again.tobytes()
    assert illegal == 0


def test_plain_python_plays_the_same():
    states, phases, _ = play_games(3, 11, 1903)
    text = "\n".join(write_dfen(Plain.of(states[i : i + 1])) for i in range(3)) + f"\n{phases}"
    assert hashlib.sha256(text.encode()).hexdigest()[:8] == PLAYED
