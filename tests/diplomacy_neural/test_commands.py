"""`playmill diplomacy train` and `playmill run`, as they are typed."""

import json

import pytest
from typer.testing import CliRunner

from diplomacy_neural.playing import write_games
from diplomacy_neural.test_runs import write_config
from playmill.cli.app import app as top_app
from playmill.cli.diplomacy import app
from playmill.core.errors import PlaymillError
from playmill.packs.diplomacy.neural.checkpoint import load

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled

SMALL = ["--channels", "16", "--blocks", "1", "--batch-size", "16"]


@pytest.fixture
def playmill():
    def call(*words):
        result = CliRunner().invoke(app, [str(word) for word in words])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.output

    return call


def test_train_from_the_command_line(playmill, tmp_path):
    games, out = write_games(tmp_path / "games.jsonl", 4), tmp_path / "model.pt"
    words = ["train", games, "--out", out, "--steps", 6, "--seed", 2, "--validation", 0.5, *SMALL]
    text = playmill(*words)
    assert "6 steps on" in text
    assert "orders told (by chance" in text
    assert "all 6 steps had been made before" in playmill(*words)
    events = [json.loads(line) for line in (tmp_path / "model.metrics.ndjson").read_text().splitlines()]
    assert [event["event"] for event in events] == ["train_plan", "train_step", "train_validation", "train_plan"]
    more = playmill("train", games, "--out", tmp_path / "more.pt", "--best", out, "--steps", 2, "--batch-size", 16)
    assert "2 steps on" in more
    assert load(tmp_path / "more.pt").meta.parent == load(out).meta.weights_sha256


def test_wrong_input_is_one_line(playmill, tmp_path):
    with pytest.raises(PlaymillError, match=r"nothing\.jsonl: can't be read"):
        playmill("train", tmp_path / "nothing.jsonl", "--out", tmp_path / "model.pt")
    games = write_games(tmp_path / "games.jsonl", 2)
    with pytest.raises(PlaymillError, match=r"net\.channels"):
        playmill("train", games, "--out", tmp_path / "model.pt", "--channels", 20)
    with pytest.raises(PlaymillError, match=r"a checkpoint's name ends in \.pt"):
        playmill("train", games, "--out", tmp_path / "model.onnx", "--steps", 1, *SMALL)
    (tmp_path / "other.pt").write_bytes(b"nonsense")
    with pytest.raises(PlaymillError, match="not a checkpoint, or a torn one"):
        playmill("train", games, "--out", tmp_path / "model.pt", "--best", tmp_path / "other.pt")


def test_run_from_the_command_line(tmp_path):
    config = write_config(tmp_path, iterations=1)

    def call(*words):
        result = CliRunner().invoke(top_app, [str(word) for word in words])
        assert result.exit_code == 0, result.output
        return result.stdout

    text = call("run", config, "--out", tmp_path / "run")
    assert "1 iterations, 4 games, 8 steps" in text
    assert "playmill diplomacy search start --kind neural --model" in text
    assert call("run", config, "--out", tmp_path / "run") == text
    assert "4 games, played and searched again, are the same" in call("verify", tmp_path / "run")
    assert "report.html" in call("report", tmp_path / "run")
