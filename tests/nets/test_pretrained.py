"""Players by name: found wherever a checkpoint is expected, whole, and small."""

import hashlib
import json
import shutil

import numpy as np
import onnxruntime
import pytest

import playmill
from cli.invoking import assert_refused, invoke
from playmill.nets import pretrained as room
from playmill.nets.checkpoint import load_checkpoint
from playmill.packs.registry import find_game, find_pack

SMALL = 2 << 20  # bytes of a file that comes with the package

pytestmark = pytest.mark.jit


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of players with one in it, `toe`, in place of the package's own."""
    ended = invoke(["model-init", "tictactoe", "--out", tmp_path / "toe.pt", "--hidden", "16", "--blocks", "1"], tmp_path)
    assert ended.code == 0, ended
    weights = load_checkpoint(tmp_path / "toe.pt").meta.weights_sha256
    row = {"name": "toe", "game": "tictactoe", "file": "toe.pt", "weights_sha256": weights, "strength": "none", "made_by": "a",
           "sha256": hashlib.sha256((tmp_path / "toe.pt").read_bytes()).hexdigest(), "measured_by": "b"}  # fmt: skip
    (tmp_path / room.CATALOGUE).write_text(json.dumps({"models": [row]}))
    monkeypatch.setattr(room, "FOLDER", tmp_path)
    room.pretrained.cache_clear()
    yield tmp_path
    room.pretrained.cache_clear()


def test_what_comes_with_the_package_is_small_whole_and_playable():
    for name, model in room.pretrained().items():
        model.check()
        assert model.path.stat().st_size < SMALL, name
        checkpoint = load_checkpoint(model.path, find_game(model.game))
        assert find_pack(model.game)
        assert checkpoint.meta.weights_sha256 == model.weights_sha256
        assert checkpoint.optimizer is None
        assert model.made_by.startswith("playmill run configs/")


COMMANDS = [
    ["explore", "tictactoe", "--model", "toe", "--simulations", "4"],
    ["gate", "tictactoe", "--candidate", "toe", "--best", "random", "--games", "4", "--simulations", "4"],
    ["model-info", "toe"],
    ["play", "tictactoe", "--against", "toe", "--simulations", "4"],
    ["play", "tictactoe", "--model", "toe"],
    ["model-export", "toe", "--onnx", "toe.onnx"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_name_stands_where_a_checkpoint_is_expected(words, shelf, tmp_path_factory):
    ended = invoke(words, tmp_path_factory.mktemp("elsewhere"), stdin="q\n")
    assert ended.code == 0, ended


def test_it_is_asked_for_an_opinion_where_no_other_network_sits_at_the_table(shelf):
    said = invoke(["play", "tictactoe", "--simulations", "4"], shelf, stdin="opinion\nq\n").out
    assert "toe, puct: the position is worth " in " ".join(said.split())
    assert "no model" not in said


def test_it_sits_at_the_table_under_its_own_name(shelf, tmp_path_factory):
    words = ["play", "tictactoe", "--against", "toe", "--simulations", "4"]
    said = invoke(words, tmp_path_factory.mktemp("elsewhere"), stdin="q\n").out
    assert "you have seat 0 against toe;" in " ".join(said.split())


def test_a_name_stands_for_a_model_in_python_and_in_a_server(shelf):
    from playmill.serve.models import ModelSource

    assert playmill.load_model("toe").game.name == "tictactoe"
    assert ModelSource.parse("best=toe").path == shelf / "toe.pt"


def test_models_lists_them(shelf):
    (told,) = json.loads(invoke(["models", "--json"], shelf).out)
    assert (told["name"], told["bytes"]) == ("toe", (shelf / "toe.pt").stat().st_size)
    assert json.loads(invoke(["models", "yatzy", "--json"], shelf).out) == []


def test_a_name_of_another_game_is_refused(shelf):
    ended = invoke(["explore", "connect_four", "--model", "toe"], shelf)
    assert_refused(ended)
    assert "expected 'connect_four'" in ended.err


def test_a_misspelt_name_is_answered_with_the_nearest(shelf):
    ended = invoke(["explore", "tictactoe", "--model", "toee"], shelf)
    assert_refused(ended, (2,))
    assert "did you mean 'toe'?" in ended.err


def test_a_file_that_was_changed_is_refused(shelf):
    (shelf / "toe.pt").write_bytes((shelf / "toe.pt").read_bytes() + b" ")
    ended = invoke(["model-info", "toe"], shelf)
    assert_refused(ended, (1,))
    assert "damaged" in ended.err


def test_a_file_goes_before_a_name(shelf, tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    shutil.copy(shelf / "toe.pt", folder / "toe")
    shutil.copy(shelf / "toe.pt", folder / "other.pt")
    (shelf / "toe.pt").unlink()
    assert invoke(["model-info", "toe"], folder).code == 0


@pytest.mark.parametrize("name", ["tictactoe", "yatzy", "exchange"])
def test_an_onnx_file_answers_as_our_evaluator_does(name, tmp_path):
    size = ["--hidden", "16", "--blocks", "1", "--channels", "8"]
    assert invoke(["model-init", name, "--out", "m.pt", *size], tmp_path).code == 0
    assert invoke(["model-export", "m.pt", "--onnx", "m.onnx"], tmp_path).code == 0
    model = playmill.load_model(tmp_path / "m.pt", backend="torch")
    rows = np.stack([find_game(name).new(seed).features().reshape(-1) for seed in range(3)])
    logits, values = (np.empty((3, n), np.float32) for n in (model.evaluator.logits, model.evaluator.columns))
    model.evaluator.evaluate(rows, logits, values)
    session = onnxruntime.InferenceSession(tmp_path / "m.onnx")
    for found, ours in zip(session.run(["logits", "values"], {"features": rows}), (logits, values), strict=True):
        np.testing.assert_allclose(found, ours, atol=1e-5)
    facts = json.loads(session.get_modelmeta().custom_metadata_map["playmill"])
    assert facts["outputs"] == {"logits": ["rows", logits.shape[1]], "values": ["rows", values.shape[1]]}


def test_a_checkpoint_without_its_training_has_the_same_weights(tmp_path):
    assert invoke(["model-init", "tictactoe", "--out", "m.pt"], tmp_path).code == 0
    assert invoke(["model-export", "m.pt", "--pt", "slim.pt"], tmp_path).code == 0
    assert_refused(invoke(["model-export", "m.pt", "--pt", "m.pt", "--force"], tmp_path), (2,))
    assert_refused(invoke(["model-export", "m.pt"], tmp_path), (2,))
    first, second = (load_checkpoint(tmp_path / name) for name in ("m.pt", "slim.pt"))
    assert first.meta.weights_sha256 == second.meta.weights_sha256
    assert second.optimizer is None
