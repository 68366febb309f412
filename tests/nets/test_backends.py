"""The backends give the same answers, as nearly as their precision allows."""

import threading

import numpy as np
import onnx
import pytest
import torch

from nets.making import SHAPES, answers, lively_net, positions, saved
from playmill.core import extras
from playmill.core.errors import UnknownName, UsageError
from playmill.games.heads import column_of
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint, make_checkpoint, save_checkpoint
from playmill.nets.evaluators import BACKENDS, open_evaluator
from playmill.nets.int8 import export_int8, int8_path, quantise, read_int8
from playmill.nets.meta import CheckpointError
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec

# How far int8 may be from fp32: a value at most, a value by root mean square, a logit by root mean square over the logits'
# spread; and the share of positions with the same best logit. Three lively nets of each shape measured 0.05, 0.004, 0.015
# and 0.966 at worst; bf16 is four times nearer.
VALUE_AT_MOST, VALUE_TYPICAL, LOGIT_TYPICAL, BEST_AGREES = 0.1, 0.008, 0.03, 0.93


@pytest.fixture(scope="module", params=SHAPES)
def path(request, tmp_path_factory):
    return saved(tmp_path_factory.mktemp("nets"), request.param)


@pytest.fixture(scope="module")
def yatzy(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("yatzy"), "yatzy-256x2")


def reference(path, features):
    """What the torch module itself answers."""
    with torch.inference_mode():
        return [tensor.numpy() for tensor in load_checkpoint(path).net()(torch.from_numpy(features))]


def features_of(path):
    return positions(load_checkpoint(path).meta.game, 300)


# ------------------------------------------------------------------ agreement


@pytest.mark.parametrize("backend", ["ort", "torch"])
def test_full_precision_agrees_with_the_module(path, backend):
    features = features_of(path)
    for ours, theirs in zip(answers(open_evaluator(path, backend), features), reference(path, features), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("backend", ["ort_int8", "torch_bf16"])
def test_low_precision_stays_near(path, backend):
    features = features_of(path)
    logits, values = answers(open_evaluator(path, backend), features)
    true_logits, true_values = reference(path, features)
    assert np.abs(values - true_values).max() < VALUE_AT_MOST
    assert np.sqrt(np.square(logits - true_logits).mean()) < LOGIT_TYPICAL * true_logits.std()


def test_int8_on_real_yatzy_positions_keeps_values_and_the_best_action(yatzy):
    features = positions("yatzy", 4000, seed=9)
    logits, values = answers(open_evaluator(yatzy, "ort_int8"), features)
    true_logits, true_values = reference(yatzy, features)
    typical = np.sqrt(np.square(values - true_values).mean())
    agrees = (logits.argmax(1) == true_logits.argmax(1)).mean()
    print(f"int8: values differ by {typical:.4f} (root mean square), the best logit agrees in {agrees:.1%}")
    assert typical < VALUE_TYPICAL
    assert agrees > BEST_AGREES


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_alone_are_the_same_values(path, backend):
    features, evaluator = features_of(path), open_evaluator(path, backend)
    values = np.empty((len(features), evaluator.columns), np.float32)
    evaluator.evaluate_values(features, values)
    assert values.tobytes() == answers(evaluator, features)[1].tobytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_buffer_is_answered_like_any_rows(path, backend):
    """The evaluator's own, of any number of rows, again and again, and one that another evaluator opened."""
    evaluator, features = open_evaluator(path, backend), features_of(path)[:40]
    game, shape = get_game(path.stem.split("-")[0]), evaluator.shape
    rows = evaluator.chunk + 5
    for opener in (evaluator, evaluator.clone()):
        buffer = opener.open_buffer(game, rows)
        for count in (40, 7, 0, 40, rows):
            asked = np.resize(features[::-1], (count, features.shape[1]))
            logits, values = answers(evaluator, asked)
            buffer.features[:count] = asked
            for what in ("policy", "values", *evaluator.heads):
                for out in (buffer.logits, buffer.values, buffer.head):
                    out[:] = np.nan
                assert evaluator.submit(buffer, count, what)
                evaluator.collect(buffer)
                if what == "policy":
                    assert buffer.logits[:count].tobytes() == logits.tobytes()
                if what in ("policy", "values"):
                    assert buffer.values[:count].tobytes() == values.tobytes()
                else:
                    column = column_of(evaluator.heads, what, shape.players)
                    assert buffer.head[:count, 0].tobytes() == values[:, column].tobytes()
                for out in (buffer.logits, buffer.values, buffer.head):
                    assert np.isnan(out[count:]).all()


def test_a_stem_over_many_planes_is_rounded_and_logits_that_are_planes_are_not(tmp_path):
    models = {shape: saved(tmp_path, shape) for shape in ("exchange-planes", "connect_four-conv")}
    found = {shape: rounded_layers(load_checkpoint(path)) for shape, path in models.items()}
    blocks = {f"blocks.{number}.{layer}" for number in (0, 1) for layer in ("first", "second")}
    assert found["exchange-planes"] == {"stem", *blocks}
    assert found["connect_four-conv"] == {*blocks, "policy_planes", "logits"}


def rounded_layers(checkpoint):
    """The layers whose weights are integers in a checkpoint's int8 model."""
    graph = onnx.load_from_string(read_int8(checkpoint)).graph
    weights = {tensor.name for tensor in graph.initializer if tensor.data_type == onnx.TensorProto.INT8}
    return {name.partition(".weight")[0] for name in weights if ".weight_quantized" in name}


def test_an_evaluator_says_what_it_is(yatzy):
    for backend in BACKENDS:
        evaluator = open_evaluator(yatzy, backend, game=get_game("yatzy"))
        assert evaluator.backend == backend
        assert (evaluator.features, evaluator.logits) == (45, 47)
        assert evaluator.heads == ("win", "margin", "togo_own", "togo_opp")


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_clone_in_another_thread_gives_the_same_answers(yatzy, backend):
    features = positions("yatzy", 700)
    first = open_evaluator(yatzy, backend)
    found = {}

    def work(number, evaluator):
        found[number] = [answers(evaluator, features[: 700 - i]) for i in range(10)]

    threads = [threading.Thread(target=work, args=(i, e)) for i, e in enumerate((first, first.clone()))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = answers(first, features)
    for batches in found.values():
        for i, (logits, values) in enumerate(batches):
            assert logits.tobytes() == expected[0][: 700 - i].tobytes()
            assert values.tobytes() == expected[1][: 700 - i].tobytes()


# ------------------------------------------------------------------ which one


def test_auto_takes_int8_if_it_is_there_and_ort_if_not(tmp_path):
    path = saved(tmp_path, "tictactoe-mlp", with_int8=False)
    assert open_evaluator(path).backend == "ort"
    export_int8(path, positions("tictactoe", 256))
    assert open_evaluator(str(path)).backend == "ort_int8"


def test_auto_takes_torch_where_onnx_runtime_is_not_installed(yatzy, monkeypatch):
    monkeypatch.setattr(extras, "is_installed", lambda package: package == "torch")
    assert open_evaluator(yatzy).backend == "torch"
    with pytest.raises(UsageError, match=r"backend ort needs onnx, which .* pip install -c constraints.txt 'playmill\[nets\]'"):
        open_evaluator(yatzy, "ort")


def test_an_int8_model_of_other_weights_is_refused_and_auto_passes_it_over(tmp_path):
    path = saved(tmp_path, "tictactoe-mlp")
    game, spec = get_game("tictactoe"), SHAPES["tictactoe-mlp"][1]
    save_checkpoint(path, make_checkpoint(game, spec, lively_net(game, spec, seed=5)))
    with pytest.raises(CheckpointError, match=r"int8.onnx: made from other weights: expected sha256 \w+, got \w+; export it"):
        open_evaluator(path, "ort_int8")
    assert open_evaluator(path).backend == "ort"


@pytest.mark.parametrize("damage", [lambda data: data[:-50], lambda data: b"hello", lambda data: b""])
def test_a_damaged_int8_model_is_refused_and_auto_passes_it_over(tmp_path, damage):
    path = saved(tmp_path, "tictactoe-mlp")
    int8_path(path).write_bytes(damage(int8_path(path).read_bytes()))
    with pytest.raises(CheckpointError, match=r"int8.onnx: .* export it again"):
        open_evaluator(path, "ort_int8")
    assert open_evaluator(path).backend == "ort"


def test_a_missing_int8_model_is_named(tmp_path):
    path = saved(tmp_path, "tictactoe-mlp", with_int8=False)
    with pytest.raises(CheckpointError, match=r"tictactoe-mlp.int8.onnx: no such int8 model; export one"):
        open_evaluator(path, "ort_int8")


def test_a_checkpoint_in_memory_can_be_opened():
    game, spec = get_game("tictactoe"), NetSpec(hidden=16)
    checkpoint = make_checkpoint(game, spec, build_net(game, spec))
    assert open_evaluator(checkpoint).backend == "ort"
    with pytest.raises(CheckpointError, match="has not been saved"):
        open_evaluator(checkpoint, "ort_int8")


def test_unknown_backends_and_devices_are_named(yatzy):
    with pytest.raises(UnknownName, match=r"unknown backend 'ort8'; did you mean 'ort'\?"):
        open_evaluator(yatzy, "ort8")
    with pytest.raises(UnknownName, match=r"unknown device 'gpu'; .*known: cpu, cuda"):
        open_evaluator(yatzy, device="gpu")
    with pytest.raises(UsageError, match="backend ort: device cuda has torch and torch_bf16"):
        open_evaluator(yatzy, "ort", "cuda")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_cuda_without_a_gpu_is_one_line(yatzy):
    with pytest.raises(UsageError, match=r"device cuda: torch .* sees no GPU here"):
        open_evaluator(yatzy, device="cuda")


def test_another_games_evaluator_is_refused(yatzy):
    with pytest.raises(CheckpointError, match="game: expected 'tictactoe'"):
        open_evaluator(yatzy, game=get_game("tictactoe"))


# ------------------------------------------------------------------ arrays and exports


@pytest.mark.parametrize("backend", BACKENDS)
def test_wrong_arrays_are_refused_before_anything_is_written(yatzy, backend):
    evaluator, features = open_evaluator(yatzy, backend), positions("yatzy", 8)
    logits, values = np.zeros((8, 47), np.float32), np.zeros((8, 4), np.float32)
    for wrong in (features.astype(np.float64), features[:, :44], features[::2], features[:7]):
        with pytest.raises(UsageError, match=r"evaluator: \w+: expected contiguous float32 \[\d, \d+\], got"):
            evaluator.evaluate(wrong, logits, values)
    assert not logits.any()


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_rows_are_no_work(yatzy, backend):
    evaluator = open_evaluator(yatzy, backend)
    evaluator.evaluate(np.empty((0, 45), np.float32), np.empty((0, 47), np.float32), np.empty((0, 4), np.float32))


def test_a_new_net_can_be_exported_too(tmp_path):
    for name, kind in (("tictactoe", "conv"), ("yatzy", "mlp")):
        game, spec = get_game(name), NetSpec(kind=kind, hidden=16, channels=8)
        save_checkpoint(tmp_path / "new.pt", make_checkpoint(game, spec, build_net(game, spec)))
        export_int8(tmp_path / "new.pt", positions(name, 256))
        features = positions(name, 64)
        values = answers(open_evaluator(tmp_path / "new.pt", "ort_int8"), features)[1]
        np.testing.assert_allclose(values, reference(tmp_path / "new.pt", features)[1], atol=0.01)


def test_the_same_positions_give_the_same_int8_model(yatzy):
    checkpoint = load_checkpoint(yatzy)
    assert quantise(checkpoint, positions("yatzy", 256)) == quantise(checkpoint, positions("yatzy", 256))


def test_too_few_calibration_positions_are_refused(yatzy):
    with pytest.raises(UsageError, match=r"calibration: expected contiguous float32 \[256, 45\], got float32 \[10, 45\]"):
        export_int8(yatzy, positions("yatzy", 10))
