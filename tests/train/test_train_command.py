"""`playmill train`: one line at the end, one line on errors."""

import pytest
import typer
from typer.testing import CliRunner

from playmill.cli.train import register
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.events import read_events
from train.lessons import set_up


@pytest.fixture
def run(tmp_path):
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    set_up(tmp_path)

    def call(*words, game="tictactoe", best="best.pt"):
        folders = ["--replay", tmp_path / "replay", "--best", tmp_path / best, "--out", tmp_path / "out"]
        result = CliRunner().invoke(app, ["train", game, *map(str, [*folders, *words, "--device", "cpu"])])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


def test_it_trains_and_says_so_in_one_line(run, tmp_path):
    result = run("--epochs", 2, "--batch-size", 100)
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    assert "candidate.pt: 18 steps on 900 samples" in line
    assert "losses: total" in line
    plan, *_ = read_events(tmp_path / "out" / "metrics.ndjson")
    assert (plan["steps_target"], plan["steps_from"], plan["iteration"]) == (18, "epochs", 1)


def test_the_same_command_again_has_nothing_to_do(run):
    run("--steps", 3)
    assert "all 3 steps had been made before" in run("--steps", 3).stdout


def test_a_candidate_of_another_training_is_replaced_only_by_force(run, tmp_path):
    run("--steps", 3)
    before = (tmp_path / "out" / "candidate.pt").read_bytes()
    with pytest.raises(UsageError, match=r"candidate.pt: it comes from another training; .* --force"):
        run("--steps", 5)
    assert (tmp_path / "out" / "candidate.pt").read_bytes() == before
    assert "candidate.pt: 5 steps" in run("--steps", 5, "--force").stdout


def test_what_is_refused_leaves_no_folder(run, tmp_path):
    with pytest.raises(UsageError, match="seed"):
        run("--seed", -1)
    assert not (tmp_path / "out").exists()


def test_steps_come_before_epochs(run):
    assert "candidate.pt: 4 steps on" in run("--steps", 4, "--epochs", 9).stdout


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (["--lr", 0], {}, "train.lr: expected above 0, got 0.0"),
        (["--epochs", 0], {}, "train.epochs: .* got 0"),
        ([], {"game": "chess"}, "unknown game 'chess'"),
        ([], {"best": "worst.pt"}, "worst.pt: no such checkpoint"),
        ([], {"game": "yatzy"}, "best.pt: game: expected 'yatzy'"),
    ],
)
def test_errors_are_one_line(run, words, options, message):
    with pytest.raises(PlaymillError, match=message) as caught:
        run(*words, **options)
    assert "\n" not in str(caught.value)
