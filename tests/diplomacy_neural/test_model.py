"""The network: values are shares, the map is symmetric, and seeds decide its weights."""

import numpy as np
import torch

from diplomacy_neural.playing import SPEC, positions
from playmill.games.diplomacy.geography import INDEX, POWER_COUNT
from playmill.games.diplomacy.state import lift_unit
from playmill.packs.diplomacy.neural.features import encode
from playmill.packs.diplomacy.neural.logit_ids import LOGITS, NOTHING
from playmill.packs.diplomacy.neural.model import borders, build_net


def answers(states, seed=1):
    with torch.inference_mode():
        return build_net(SPEC, seed).eval()(torch.from_numpy(encode(states)))


def test_seven_values_sum_to_one_and_scores_have_their_shape():
    states = positions()
    scores, values = answers(states)
    assert scores.shape == (len(states), LOGITS)
    assert values.shape == (len(states), POWER_COUNT)
    assert torch.allclose(values.sum(dim=1), torch.ones(len(states)), atol=1e-6)
    assert (values >= 0).all()
    assert (scores[:, NOTHING] == 0).all()


def test_a_power_with_nothing_left_has_exactly_nothing():
    states = positions()[:1].copy()
    for province in np.flatnonzero(states[0].power == 4):
        lift_unit(states[0], province)
    states["owner"][states["owner"] == 4] = 2
    _, values = answers(states)
    assert values[0, 4] == 0
    assert torch.isclose(values.sum(), torch.tensor(1.0))


def test_borders_are_the_same_from_both_sides():
    army, fleet = borders() > 0
    assert np.array_equal(army, army.T)
    assert np.array_equal(fleet, fleet.T)
    assert army[INDEX["par"], INDEX["bur"]]
    assert not army[INDEX["par"], INDEX["lon"]]
    assert fleet[INDEX["stp/nc"], INDEX["bar"]]
    assert not fleet[INDEX["stp/sc"], INDEX["bar"]]
    assert fleet[INDEX["stp/sc"], INDEX["stp"]]


def test_the_same_seed_gives_the_same_network_and_leaves_torch_alone():
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one, two, other = build_net(SPEC, 1), build_net(SPEC, 1), build_net(SPEC, 2)
    assert torch.equal(torch.get_rng_state(), before)
    for a, b in zip(one.parameters(), two.parameters(), strict=True):
        assert torch.equal(a, b)
    assert not torch.equal(one.planes.weight, other.planes.weight)


def test_the_order_of_positions_is_the_order_of_answers():
    states = positions()[:32]
    scores, values = answers(states)
    turned_scores, turned_values = answers(states[::-1].copy())
    assert torch.allclose(turned_scores.flip(0), scores, atol=1e-6)
    assert torch.allclose(turned_values.flip(0), values, atol=1e-6)
