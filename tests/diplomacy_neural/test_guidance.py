"""A guided search plays legal orders, repeats, and asks for many games at once what it would ask for one."""

import math

import numpy as np
import pytest

from diplomacy_neural.playing import new_evaluator, positions
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.state import UNIT_LIMIT
from playmill.games.diplomacy.verdicts import ILLEGAL, RESULT
from playmill.games.diplomacy.work import RULES_3, new_work
from playmill.packs.diplomacy.neural.guidance import GuidanceSettings
from playmill.packs.diplomacy.neural.guidance_kernels import log_likelihood
from playmill.packs.diplomacy.neural.players import decide_many, make_guided_player
from playmill.packs.diplomacy.neural.priors import add_noise, fill_priors, mix_scores
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.heuristics import is_movement
from playmill.packs.diplomacy.search.options import list_options
from playmill.packs.diplomacy.search.order_scores import score_options
from playmill.packs.diplomacy.search.order_work import OPTION_LIMIT, new_order_work
from playmill.packs.diplomacy.search.settings import OrderSearchSettings

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled

MODES = ("off", "candidates", "leaves")
NARROW = OrderSearchSettings(candidates=4)
FEW = Budget(iterations=6)


def player(mode="off", noise=0.0, policy=0.5):
    guidance = GuidanceSettings(values=mode, noise=noise, policy=policy)
    return make_guided_player(new_evaluator(), NARROW, guidance)


def moving(count):
    found = [state for state in positions() if is_movement(state)]
    return found[:: len(found) // count][:count]


def texts(decision):
    return {power: orders.tolist() for power, orders in decision.orders.items()}


@pytest.mark.parametrize("mode", MODES)
def test_all_orders_are_legal_and_every_unit_has_one(mode):
    guided, work, results = player(mode, noise=0.25), new_work(), np.zeros(UNIT_LIMIT, RESULT)
    for stream, state in enumerate(positions()[::9]):
        decision = guided.decide(state, None, stream, FEW)
        orders = np.concatenate(list(decision.orders.values())).astype(np.int32)
        after = state.copy().reshape(1)
        advance(after[0], orders, orders.size, RULES_3, work[0], results)
        assert not (results["verdict"][: orders.size] == ILLEGAL).any()
        assert not is_movement(state) or orders.size == (state.kind > 0).sum()
        assert decision.values.sum() == pytest.approx(1)
        assert (decision.values >= 0).all()


@pytest.mark.parametrize("mode", MODES)
def test_the_same_stream_gives_the_same_orders(mode):
    state = moving(3)[1]
    first, again, other = (player(mode, 0.25).decide(state, None, stream, FEW) for stream in (5, 5, 6))
    assert texts(first) == texts(again)
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)


@pytest.mark.parametrize("mode", MODES)
def test_many_games_at_once_are_as_one_by_one(mode):
    states = [*moving(4), positions()[np.flatnonzero(positions()["phase"] == 4)[0]]]
    streams = [7, 8, 9, 10, 11]
    alone = [player(mode, 0.25).decide(state, None, stream, FEW) for state, stream in zip(states, streams, strict=True)]
    together = decide_many([player(mode, 0.25) for _ in states], states, streams, FEW)
    for one, other in zip(alone, together, strict=True):
        assert texts(one) == texts(other)
        assert np.array_equal(one.values, other.values)


def test_without_a_say_the_network_changes_nothing():
    state = moving(3)[2]
    plain = make_player("rm_plus", settings=NARROW).decide(state, None, 3, FEW)
    for mode in MODES:
        guidance = GuidanceSettings(policy=0, start=0, values=mode, value=0)
        guided = make_guided_player(new_evaluator(), NARROW, guidance).decide(state, None, 3, FEW)
        assert texts(guided) == texts(plain)
        assert guided.values == pytest.approx(plain.values / plain.values.sum())


def test_the_networks_values_count_in_both_ways():
    state = moving(3)[2]
    values = {mode: player(mode, policy=0.0).decide(state, None, 3, FEW).values for mode in MODES}
    assert not np.allclose(values["off"], values["leaves"])
    assert not np.allclose(values["off"], values["candidates"])


# ------------------------------------------------------------------ priors


@pytest.fixture
def work():
    state = moving(3)[1]
    found = new_order_work()
    list_options(state, found)
    score_options(state, found)
    return found


def priors_of(work):
    priors = np.zeros((UNIT_LIMIT, OPTION_LIMIT))
    answer = new_evaluator().answer(np.array(moving(3)[1:2]))[0][0]
    fill_priors(answer, work, priors)
    return priors


def test_a_units_priors_sum_to_one_with_and_without_noise(work):
    priors, units = priors_of(work), int(work.units.count)
    assert priors[:units].sum(axis=1) == pytest.approx(1)
    before = priors.copy()
    add_noise(work, priors, 0.3, 0.25, np.uint64(4), np.zeros(OPTION_LIMIT))
    assert priors[:units].sum(axis=1) == pytest.approx(1)
    assert not np.allclose(priors, before)
    assert (priors >= 0.75 * before - 1e-12).all()


def test_noise_is_the_streams_own(work):
    rows = []
    for stream in (4, 4, 5):
        priors = priors_of(work)
        add_noise(work, priors, 0.3, 0.25, np.uint64(stream), np.zeros(OPTION_LIMIT))
        rows.append(priors)
    assert np.array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[0], rows[2])


def test_scores_are_mixed_by_weight(work):
    priors, before = priors_of(work), work.scores.copy()
    mix_scores(work, priors, 0.0, 0.25)
    assert np.array_equal(work.scores, before)
    mix_scores(work, priors, 1.0, 0.25)
    for unit in range(work.units.count):
        own = slice(0, work.sizes[unit])
        assert work.scores[unit, own] == pytest.approx(0.25 * np.log(np.maximum(priors[unit, own], 1e-4)))


def test_rm_plus_begins_with_what_the_network_likes():
    """A candidate's prior is what its orders' priors come to together; without a say, the search's own stays."""
    state = moving(3)[1]
    own, liked = (make_guided_player(new_evaluator(), NARROW, GuidanceSettings(start=share)).search for share in (0.0, 1.0))
    for search in (own, liked):
        search.begin(state, 5)
    before, after = (search.memory[0].regrets.priors for search in (own, liked))
    counts = liked.memory[0].regrets.counts
    assert np.array_equal(own.memory[0].sets, liked.memory[0].sets)
    for power in range(7):
        row = after[power, : counts[power]]
        assert row.sum() == pytest.approx(1)
        orders = liked.memory[0].sets[power, : counts[power]]
        likely = [math.exp(log_likelihood(liked.memory[0], power, one, liked._priors)) for one in orders]
        assert row == pytest.approx(np.array(likely) / sum(likely))
    assert not np.allclose(before, after)
