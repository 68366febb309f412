"""What travels to a GPU and back is small, and says the same: rows packed, logits gathered where the network runs."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from nets.making import SHAPES, lively_net, positions
from playmill.core.evaluation import POLICY, VALUES
from playmill.games.registry import get_game
from playmill.nets.gpu_answers import (
    BITS,
    BYTES,
    FLOATS,
    HALVES,
    Answers,
    gathered,
    pack_rows,
    packed_dtype,
    packed_width,
    packs,
    travel_type,
    unpacked,
)
from playmill.nets.net_evaluator import NetShape
from playmill.nets.spec import NetSpec
from playmill.nets.torch_cpu import TorchEvaluator, narrowed
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings

if torch.cuda.is_available():
    from playmill.nets.evaluators import open_evaluator
    from playmill.nets.torch_cuda import pass_rows


def packed_rows(features, feature_type):
    rows = torch.zeros(len(features), packed_width(features.shape[1], feature_type), dtype=packed_dtype(feature_type))
    if packs(feature_type):
        pack_rows(features.astype(np.uint8) if feature_type == BITS else features, rows, feature_type)
    else:
        rows[:] = torch.from_numpy(features)
    return rows


@pytest.mark.parametrize(("feature_type", "most"), [(BITS, 1), (BYTES, 255), (HALVES, 256), (FLOATS, 1e6)])
@pytest.mark.parametrize("width", [1, 8, 9, 84])
def test_packed_rows_unpack_to_the_same_features(feature_type, most, width):
    rng = np.random.default_rng(width)
    features = rng.integers(0, int(most) + 1, (13, width)).astype(np.float32)
    rows = packed_rows(features, feature_type)
    assert np.array_equal(unpacked(rows, width, feature_type).float().numpy(), features)
    assert (
        rows.shape[1] * rows.element_size()
        == {BITS: -(-width // 8), BYTES: width, HALVES: 2 * width, FLOATS: 4 * width}[feature_type]
    )


def test_halves_are_rounded_as_torch_rounds():
    rng = np.random.default_rng(0)
    words = rng.integers(0, 1 << 32, 200_000, np.uint32)
    special = np.array([0.0, -0.0, 1 / 7, 0.5, 3.4e38], np.float32)
    numbers = np.concatenate([words.view(np.float32), rng.random(1000, np.float32), special])
    features = numbers[np.isfinite(numbers)][None]
    assert torch.equal(packed_rows(features, HALVES), torch.from_numpy(features).bfloat16())


def test_a_narrow_board_net_answers_halves_as_it_answers_floats():
    game, spec = get_game("exchange"), SHAPES["exchange-planes"][1]
    net, features = narrowed(lively_net(game, spec), on_gpu=True), positions("exchange", 20)
    shape = NetShape.of_game(game, ("utilities",))
    assert travel_type(shape.feature_type, net.feature_dtype) == HALVES
    asked, found = torch.zeros(20, 0, 2, dtype=torch.int32), []
    with torch.inference_mode():
        for kind in (FLOATS, HALVES):
            answers = Answers(net, shape.features, kind, shape.heads, POLICY, gathers=False)
            found.append(answers(packed_rows(features, kind), asked))
    for floats, halves in zip(*found, strict=True):
        assert torch.equal(floats, halves)


def test_only_a_network_that_rounds_its_features_gets_them_rounded():
    game = get_game("connect_four")
    for kind in ("mlp", "conv"):
        net = lively_net(game, NetSpec(kind=kind, channels=16, blocks=1, hidden=16))
        assert travel_type(FLOATS, net.feature_dtype) == FLOATS
        assert travel_type(FLOATS, narrowed(net, on_gpu=True).feature_dtype) == (HALVES if kind == "conv" else FLOATS)
    assert travel_type(BITS, torch.bfloat16) == BITS


class ByteEvaluator(TorchEvaluator):
    """A network here that takes its rows as a GPU does."""

    def open_buffer(self, shape, rows):
        plain = super().open_buffer(shape, rows)
        return replace(plain, features=np.zeros(plain.features.shape, np.uint8))

    def submit(self, buffer, rows, what=POLICY):
        features = unpacked(
            packed_rows(buffer.features[:rows], self.shape.feature_type), self.features, self.shape.feature_type
        )
        return super().submit(replace(buffer, features=features.numpy()), rows, what)


def test_a_search_that_writes_bytes_finds_what_one_that_writes_floats_does():
    game, spec = get_game("connect_four"), NetSpec(kind="conv", channels=16, blocks=1, hidden=16)
    shape, records, found = NetShape.of_game(game), np.array([game.new(seed).record for seed in range(3)], game.state), []
    for kind in (TorchEvaluator, ByteEvaluator):
        search = PuctSearch(game, PuctSettings(budget=60), kind(shape, lively_net(game, spec), "torch"), 3)
        found.append(finish(search.search(np.arange(3), records, np.arange(3, dtype=np.uint64), True)))
    assert np.array_equal(found[0].visits, found[1].visits)
    assert np.array_equal(found[0].value, found[1].value)


def test_gathered_logits_are_the_sums_that_a_search_would_make():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(6, 20)).astype(np.float32)
    asked = np.stack([rng.integers(0, 20, (6, 4)), rng.integers(-1, 20, (6, 4))], axis=2).astype(np.int32)
    found = gathered(torch.from_numpy(logits), torch.from_numpy(asked)).numpy()
    for row in range(6):
        for k, (one, two) in enumerate(asked[row]):
            assert found[row, k] == logits[row, one] + (logits[row, two] if two >= 0 else np.float32(0))


@pytest.mark.parametrize("what", [POLICY, VALUES, "margin"])
def test_packed_answers_are_those_of_the_network(what):
    game, spec = get_game("connect_four"), NetSpec(kind="conv", channels=16, blocks=1, hidden=16, margin=True)
    net, features = lively_net(game, spec), positions("connect_four", 40)
    shape = NetShape.of_game(game, ("win", "margin"))
    answers = Answers(net, shape.features, shape.feature_type, shape.heads, what, gathers=False)
    with torch.inference_mode():
        logits, values = net(torch.from_numpy(features))
        found = answers(packed_rows(features, shape.feature_type), torch.zeros(40, 0, 2, dtype=torch.int32))
    expected = {POLICY: (logits, values), VALUES: (values,), "margin": (values[:, 1:],)}[what]
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=1e-6)


def test_a_board_net_on_the_gpu_is_narrow_up_to_its_last_planes():
    game, spec = get_game("connect_four"), NetSpec(kind="conv", channels=16, blocks=1, hidden=16)
    net = narrowed(lively_net(game, spec), on_gpu=True)
    features = torch.from_numpy(positions("connect_four", 40))
    with torch.inference_mode():
        assert net.stream(features).dtype == torch.bfloat16
        logits, values = net(features)
        true_logits, true_values = lively_net(game, spec)(features)
    assert logits.dtype == values.dtype == torch.float32
    assert (values - true_values).abs().max() < 0.05
    assert (logits - true_logits).square().mean().sqrt() < 0.03 * true_logits.std()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_batches_of_the_gpu_are_answered_in_any_number_of_buffers(tmp_path):
    from nets.making import saved

    game, path = get_game("connect_four"), saved(tmp_path, "connect_four-conv", with_int8=False)
    evaluator = open_evaluator(path, "torch_bf16", "cuda", game=game, rows=100)
    features = positions("connect_four", 300)
    logits, values = np.zeros((300, 7), np.float32), np.zeros((300, 1), np.float32)
    evaluator.evaluate(features, logits, values)
    buffers = [evaluator.clone().open_buffer(game, 300) for _ in range(3)]
    for i, buffer in enumerate(buffers):
        buffer.features[:] = np.roll(features, 7 * i, axis=0)
        assert not evaluator.submit(buffer, 300)
    for i, buffer in enumerate(buffers):
        evaluator.collect(buffer)
        assert np.array_equal(np.roll(buffer.logits, -7 * i, axis=0), logits)
        assert np.array_equal(np.roll(buffer.values, -7 * i, axis=0), values)
    assert pass_rows(100) == 128


def test_a_pass_pads_a_batch_by_an_eighth_at_most():
    from playmill.nets.torch_cuda import LEAST_ROWS, MOST_ROWS, pass_rows

    for rows in range(512, MOST_ROWS + 1):
        assert rows <= pass_rows(rows) <= rows * 9 / 8
    assert (pass_rows(1), pass_rows(10 * MOST_ROWS)) == (LEAST_ROWS, MOST_ROWS)
    assert [pass_rows(rows) for rows in (1024, 1280, 2560)] == [1024, 1280, 2560]
