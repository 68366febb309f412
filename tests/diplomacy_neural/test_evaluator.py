"""Both backends give the same answers, whoever else is in the batch."""

import numpy as np
import pytest

from diplomacy_neural.playing import new_checkpoint, new_evaluator, positions
from playmill.core.errors import UnknownName
from playmill.games.diplomacy.geography import CENTRES
from playmill.packs.diplomacy.neural.backends import BACKENDS
from playmill.packs.diplomacy.neural.evaluator import open_evaluator
from playmill.packs.diplomacy.neural.features import encode
from playmill.packs.diplomacy.neural.spec import DiplomacySpec

SIZES = (1, 2, 3, 4, 5, 7, 15, 16, 17, 18, 19, 33, 100)
SPECS = (DiplomacySpec(channels=16, blocks=1, hidden=16), DiplomacySpec(), DiplomacySpec(channels=48, blocks=2, rank=32))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_answer_does_not_depend_on_the_batch(backend, spec):
    states, evaluator = positions(), open_evaluator(new_checkpoint(3, spec), backend)
    whole = evaluator.answer(states)
    rng = np.random.default_rng(0)
    for size in SIZES:
        rows = rng.choice(len(states), size)
        for part, every in zip(evaluator.answer(states[rows]), whole, strict=True):
            assert part.tobytes() == every[rows].tobytes(), f"{backend}: {size} rows"
    assert evaluator.values(states).tobytes() == whole[1].tobytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_rows_at_any_address_get_the_same_answers(backend):
    """As they lie in a server's batch, where a client's rows begin anywhere."""
    network, features = new_evaluator(backend=backend).network, encode(positions()[:33])
    answers = []
    for offset in (0, 1, 3, 8):  # floats past an aligned address
        memory = np.empty(features.size + offset, np.float32)[offset:].reshape(features.shape)
        memory[:] = features
        logits, values = np.empty((33, network.logits), np.float32), np.empty((33, network.columns), np.float32)
        network.evaluate(memory, logits, values)
        answers.append(logits.tobytes() + values.tobytes())
    assert len(set(answers)) == 1


def test_onnx_runtime_says_what_torch_says():
    states = positions()
    for ours, theirs in zip(new_evaluator(4, "ort").answer(states), new_evaluator(4, "torch").answer(states), strict=True):
        assert np.abs(ours - theirs).max() < 1e-5


def test_a_clone_gives_the_same_answers():
    states = positions()[:20]
    for backend in BACKENDS:
        evaluator = new_evaluator(2, backend)
        assert evaluator.clone().values(states).tobytes() == evaluator.values(states).tobytes()


def test_a_game_that_is_won_belongs_to_its_winner():
    states = positions()[:3].copy()
    states["owner"][1, CENTRES[:18]] = 5
    values = new_evaluator().values(states)
    assert values[1].tolist() == [0, 0, 0, 0, 0, 1, 0]
    assert (values[[0, 2]] < 1).all()


def test_an_unknown_backend_is_named():
    with pytest.raises(UnknownName, match="unknown backend 'tensorflow'"):
        new_evaluator(backend="tensorflow")
