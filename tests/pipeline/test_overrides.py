"""`--set KEY=VALUE`: what it changes, what it refuses, and what a run keeps of it."""

import pytest

from playmill.core.errors import PlaymillError, UsageError
from playmill.pipeline.run import open_run
from playmill.pipeline.settings import load_settings
from playmill.runs.folder import RunFolder
from playmill.runs.watcher import Nobody

TEXT = "# mine\ngame: tictactoe\nseed: 3\ntrain: {lr: 0.5, warmup: 1}\n"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(TEXT)
    return path


def test_a_setting_is_changed_and_the_others_stay(config):
    settings, _ = load_settings(config, ["train.lr=0.01", "search.puct.budget=7", "net.kind=conv"])
    assert (settings.train.lr, settings.train.warmup, settings.seed) == (0.01, 1, 3)
    assert (settings.search.puct.budget, settings.net.kind) == (7, "conv")


@pytest.mark.parametrize(
    ("word", "value"),
    [("train.lr=1e-3", 0.001), ("train.lr=2", 2.0), ("train.steps_per_iteration=null", None), ("train.lr= .5", 0.5)],
)
def test_values_are_read_as_yaml_and_numbers_as_numbers(config, word, value):
    settings, _ = load_settings(config, [word])
    assert getattr(settings.train, word.partition("=")[0].rpartition(".")[2]) == value


def test_of_two_values_the_last_counts(config):
    assert load_settings(config, ["seed=4", "seed=5"])[0].seed == 5


def test_the_text_is_a_file_with_the_same_settings(config, tmp_path):
    settings, text = load_settings(config, ["train.lr=1e-5", "selfplay.temperature.kind=step"])
    again = tmp_path / "again.yaml"
    again.write_text(text)
    assert load_settings(again)[0] == settings
    assert load_settings(again)[0].digest() == settings.digest()
    assert text.startswith(f"# {config} --set train.lr=1e-5 --set selfplay.temperature.kind=step\n")


def test_without_changes_the_file_is_kept_as_it_is(config):
    assert load_settings(config, [])[1] == TEXT


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("train.lrr=1", r"unknown setting 'train\.lrr'; did you mean 'train\.lr'\?"),
        ("trian.lr=1", r"unknown setting 'trian'; did you mean 'train'\?"),
        ("train=1", r"--set train: it is a group of settings; change one of them, such as train\.batch_size=\.\.\."),
        ("train.lr.now=1", r"--set train\.lr\.now: train\.lr is one value, with nothing below it"),
        ("train.lr", r"--set: expected KEY=VALUE such as train\.lr=0\.01, got 'train\.lr'"),
        ("=1", "--set: expected KEY=VALUE"),
        ("train.lr=[1]", r"--set train\.lr: expected one value, such as 3, 0\.01, true, null or a word, got '\[1\]'"),
        ("train.lr={a: 1", r"--set train\.lr: expected one value"),
        ("train.lr=-1", r"mine\.yaml --set train\.lr=-1: train\.lr: expected .*0, got -1"),
        ("train.lr=fast", r"train\.lr: expected a number, got 'fast'"),
        ("game=", r"game: expected a text, got None"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(config, word, line):
    with pytest.raises(UsageError, match=line) as caught:
        load_settings(config, [word])
    assert "\n" not in str(caught.value)


def test_of_many_changes_only_the_refused_one_is_named(config):
    with pytest.raises(UsageError) as caught:
        load_settings(config, ["iterations=3", "train.lr=-1", "selfplay.games=4"])
    assert str(caught.value).startswith(f"{config} --set train.lr=-1: train.lr: expected")


def test_a_run_keeps_what_it_was_really_begun_with(config, tmp_path):
    out = tmp_path / "run"
    begun = open_run(config, out, Nobody(), ["train.lr=0.01"])
    kept = RunFolder(out).config
    assert load_settings(kept)[0] == begun.phases.settings
    assert open_run(kept, out, Nobody()).phases.settings.train.lr == 0.01
    assert open_run(config, out, Nobody(), ["train.lr=0.01"]).manifest.settings_hash == begun.phases.settings.digest()
    with pytest.raises(PlaymillError, match="the run was begun with other settings"):
        open_run(config, out, Nobody())


def test_a_run_may_be_given_more_iterations(config, tmp_path):
    out = tmp_path / "run"
    open_run(config, out, Nobody(), ["train.lr=0.01"])
    kept = RunFolder(out).config
    assert open_run(kept, out, Nobody(), ["iterations=9"]).iterations == 9
    assert (load_settings(kept)[0].iterations, load_settings(kept)[0].train.lr) == (9, 0.01)
