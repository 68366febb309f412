"""The simulation of large clusters agrees with what queueing theory knows exactly."""

import importlib.util
import math
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "examples" / "cluster_scale.py"


@pytest.fixture(scope="module")
def scale():
    spec = importlib.util.spec_from_file_location("cluster_scale", PATH)
    module = sys.modules["cluster_scale"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["cluster_scale"]


def test_one_cohort_alone_takes_the_sum_of_its_journey(scale):
    costs = scale.Costs(rows=100, in_turn=1, worker_us=10, client_us=2, front_us=3, pass_us=500, row_us=1, latency_us=40,
                        gbit=8, row_bytes=1000)  # fmt: skip
    journey_us = 100 * (10 + 2) + 40 + 100 * 1000 / 1000 + 100 * 3 + 500 + 100 * 1 + 40
    outcome = scale.simulate(1, 1, costs, messages=200)
    assert outcome.rows_s == pytest.approx(100 / journey_us * 1e6, rel=1e-6)
    assert outcome.busy["workers"] == pytest.approx(1200 / journey_us, rel=0.02)
    assert outcome.bottleneck == "waiting"


@pytest.mark.parametrize(
    ("workers", "endpoints", "changes", "bottleneck", "most"),
    [
        (2, 4, {}, "workers", 2 / 17.2),
        (64, 2, {}, "GPUs", 2 * 2048 / 6787),
        (64, 1, {"gbit": 2.0}, "network", 250 / 1900),
        (64, 1, {"front_threads": 1}, "fronts", 1 / 3.9),
    ],
)
def test_what_is_busy_all_the_time_sets_the_rate(scale, workers, endpoints, changes, bottleneck, most):
    outcome = scale.simulate(workers, endpoints, scale.Costs(**changes), messages=2000)
    assert outcome.bottleneck == bottleneck
    assert 0.97 * most <= outcome.rows_s / 1e6 <= 1.03 * most


@pytest.mark.parametrize("workers", [1, 3, 8])
def test_random_times_give_the_rate_of_the_repairman_model(scale, workers):
    """M/M/1//N: N workers think for a random time each, and ask one server, which has room for one of them at a time."""
    think_us, serve_us = 100.0, 30.0
    costs = scale.Costs(rows=1, in_turn=1, worker_us=think_us, client_us=0, front_us=0, pass_us=serve_us, latency_us=0,
                        max_batch=1, row_bytes=0, is_random=True)  # fmt: skip
    terms = [math.perm(workers, n) * (serve_us / think_us) ** n for n in range(workers + 1)]
    exact = (1 - 1 / sum(terms)) / serve_us * 1e6
    assert scale.simulate(workers, 1, costs, messages=60_000).rows_s == pytest.approx(exact, rel=0.02)
