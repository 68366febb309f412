"""The evaluators without a network."""

import numpy as np
import pytest

from nets.making import answers, positions
from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator, UniformEvaluator

SHAPE = NetShape.of_game(get_game("yatzy"), ("win", "margin"))


def test_a_table_answers_equal_rows_equally_and_others_differently():
    features = positions("yatzy", 100)
    logits, values = answers(TableEvaluator(SHAPE), np.concatenate([features, features]))
    assert (logits[:100] == logits[100:]).all()
    assert len(np.unique(values[:100, 0])) == len(np.unique(features, axis=0))


def test_a_table_uses_all_of_its_range():
    logits, values = answers(TableEvaluator(SHAPE), positions("yatzy", 500))
    for numbers in (logits, values):
        assert np.abs(numbers).max() <= 1
        assert abs(numbers.mean()) < 0.05
        assert numbers.std() == pytest.approx(1 / np.sqrt(3), abs=0.03)


def test_the_seed_makes_another_table():
    features = positions("yatzy", 10)
    first, again, other = (answers(TableEvaluator(SHAPE, seed), features)[0] for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).all()


def test_a_table_is_the_same_on_every_machine():
    logits, values = answers(TableEvaluator(SHAPE, seed=7), np.zeros((1, 45), np.float32))
    assert values[0].tolist() == [0.0841444730758667, 0.8094154596328735]
    assert logits[0, :2].tolist() == [-0.8520957231521606, -0.7382367849349976]


def test_clones_and_values_alone_say_the_same():
    features = positions("yatzy", 50)
    for evaluator in (TableEvaluator(SHAPE, seed=4), UniformEvaluator(SHAPE)):
        values = np.full((50, 2), np.nan, np.float32)
        evaluator.clone().evaluate_values(features, values)
        assert (values == answers(evaluator, features)[1]).all()


def test_uniform_is_zero():
    logits, values = answers(UniformEvaluator(SHAPE), positions("yatzy", 5))
    assert not logits.any()
    assert not values.any()
