"""A position's answer does not depend on who else is in the batch: to the last bit, for every backend and kind of net."""

import numpy as np
import pytest
import torch

from nets.making import SHAPES, answers, positions, saved
from playmill.games.registry import get_game
from playmill.nets.evaluators import BACKENDS, open_evaluator
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator, UniformEvaluator

SIZES = (1, 2, 3, 7, 16, 17, 31, 64, 100, 256, 257, 1000)
MOST = 1100


@pytest.fixture(scope="module", params=SHAPES)
def path(request, tmp_path_factory):
    return saved(tmp_path_factory.mktemp("nets"), request.param)


def check(evaluator, features, seed=0):
    """Ask for the positions in batches of many sizes, in any order, next to any neighbours, in new and in old memory."""
    rng = np.random.default_rng(seed)
    whole = answers(evaluator, features)
    for size in SIZES:
        for _ in range(6 if size < 64 else 2):
            rows = rng.choice(len(features), size, replace=bool(rng.integers(2)))
            for part, all_rows in zip(answers(evaluator, features[rows]), whole, strict=True):
                assert part.tobytes() == all_rows[rows].tobytes(), f"{evaluator.backend}: {size} rows"


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_answer_does_not_depend_on_the_batch(path, backend):
    name = path.stem.split("-")[0]
    check(open_evaluator(path, backend), positions(name, MOST))


@pytest.mark.parametrize("backend", BACKENDS)
def test_wild_neighbours_change_nothing(path, backend):
    evaluator = open_evaluator(path, backend)
    features = positions(path.stem.split("-")[0], 40)
    alone = answers(evaluator, features[:1])
    for loud in (0.0, 100.0, -1e6):
        crowd = np.full_like(features, loud)
        crowd[7] = features[0]
        for before, after in zip(alone, answers(evaluator, crowd), strict=True):
            assert after[7].tobytes() == before[0].tobytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_row_at_any_address_gets_the_same_answer(path, backend):
    evaluator = open_evaluator(path, backend)
    features = positions(path.stem.split("-")[0], 33)
    whole = answers(evaluator, features)
    for offset in (1, 3, 8):  # floats past an aligned address
        memory = np.empty(features.size + offset, np.float32)[offset:].reshape(features.shape)
        memory[:] = features
        for before, after in zip(whole, answers(evaluator, memory), strict=True):
            assert before.tobytes() == after.tobytes()


def test_evaluators_without_a_net_keep_the_promise_too():
    shape = NetShape.of_game(get_game("yatzy"), ("win", "margin"))
    for evaluator in (TableEvaluator(shape, seed=3), UniformEvaluator(shape)):
        check(evaluator, positions("yatzy", MOST))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("backend", ["torch", "torch_bf16"])
def test_an_answer_of_the_gpu_does_not_depend_on_the_batch(path, backend):
    name = path.stem.split("-")[0]
    for rows in (64, 256):
        check(open_evaluator(path, backend, "cuda", rows=rows), positions(name, MOST))
