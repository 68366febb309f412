"""Rates are what their names say, and none where nothing was counted."""

import pytest

from playmill.pipeline.rates import search_rates


def test_rates_of_a_tree_search():
    stats = {"decisions": 10, "evaluations": 300, "cache_hits": 80, "terminals": 20, "collisions": 100, "fallbacks": 5}
    rates = search_rates({**stats, "batches": 4, "batch_rows": 300, "batch_room": 400}, seconds=2.0)
    assert rates.simulations_s == 200.0
    assert rates.collision_rate == pytest.approx(0.2)
    assert rates.fallback_rate == 0.5
    assert rates.batch_fill == 0.75


def test_what_a_search_does_not_have_is_none():
    rates = search_rates({"decisions": 4, "evaluations": 30, "fallbacks": 0}, 2.0)
    assert (rates.simulations_s, rates.collision_rate, rates.batch_fill, rates.fallback_rate) == (None, None, None, 0.0)
    assert search_rates({}, 0.0).fallback_rate is None
