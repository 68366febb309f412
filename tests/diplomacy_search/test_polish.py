"""Polishing: the set that is played gets better against what the others may answer, and stays a set."""

import numpy as np
import pytest

from diplomacy_search.games_at_hand import legal_set, misfits, movement
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.cartesian import weigh
from playmill.packs.diplomacy.search.polish import drawn
from playmill.packs.diplomacy.search.rm_plus import JointSearch
from playmill.packs.diplomacy.search.settings import OrderSearchSettings

SETTINGS = OrderSearchSettings(candidates=6, level_nodes=40, polish=4, polish_nodes=600)
FEW = Budget(iterations=10)


def test_a_polished_set_is_worth_more_and_fits_together():
    better = 0
    for number, states in enumerate(movement()):
        search = JointSearch(SETTINGS)
        found = search.run(states[0], FEW, number)
        for power in range(POWER_COUNT):
            before = found.sets[power][int(found.weights[power].argmax())] if len(found.sets[power][0]) else None
            if before is None:
                continue
            after, nodes = search.polish(power, before, SETTINGS.polish_nodes, 5)
            assert 0 < nodes <= SETTINGS.polish_nodes + SETTINGS.polish
            assert set(after.tolist()) <= legal_set(states[0])
            assert not misfits(states[0], after)
            assert nodes % 2 == 0  # every set is weighed against two answers, as there are few nodes
            cartesian = search.memory[0].cartesian
            cartesian.own[: before.size] = before
            assert cartesian.value >= weigh(cartesian, power, before.size)
            better += not np.array_equal(before, after)
    assert better > 10


def test_without_it_a_candidate_is_played():
    state = movement()[4][0]
    plain, polished = (make_player("rm_plus", settings=OrderSearchSettings(candidates=6, polish=n)) for n in (0, 4))
    for player, is_candidate in ((plain, True), (polished, False)):
        decision = player.decide(state, None, 3, FEW)
        rows = zip(decision.orders.values(), decision.strategies.sets, strict=True)
        assert all(any(np.array_equal(orders, row) for row in sets) for orders, sets in rows) is is_candidate


@pytest.mark.parametrize(
    ("weights", "fraction", "number"),
    [
        ([0.0, 1.0], 0.0, 1),
        ([0.5, 0.5], 0.49, 0),
        ([0.5, 0.5], 0.5, 1),
        ([0.2, 0.0, 0.8, 0.0], 0.9999, 2),
        ([1.0, 0.0], 1.0, 0),
    ],
)
def test_draws_go_by_weight(weights, fraction, number):
    assert drawn(np.array(weights), fraction) == number
