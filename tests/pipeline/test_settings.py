"""Settings files: what is wrong is said in one line with the file, the key, what was expected and what came."""

from pathlib import Path

import pytest

from playmill.core.errors import UsageError
from playmill.pipeline.settings import load_settings

# Those of Diplomacy have settings of their own, and a test beside them.
CONFIGS = [p for p in sorted((Path(__file__).parents[2] / "configs").glob("*.yaml")) if not p.name.startswith("diplomacy")]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_shipped_settings_load(path):
    settings, text = load_settings(path)
    assert settings.game in text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "game: yatzy\nsearch: {kind: minimax}",
            "search.kind: unknown search 'minimax' \\(known: exact_turn, one_ply, puct\\)",
        ),
        ("game: yatzy\nsearch: {puct: {budget: 0}}", "search.puct.budget: expected at least 1, got 0"),
        ("game: yatzy\ntrain: {lr: fast}", "train.lr: expected a number, got 'fast'"),
        ("game: yatzy\ntrain: {learning_rate: 1}", "train.learning_rate: unknown key"),
        ("seed: 3", "game: expected a value, got none"),
        ("game: yatzy\nseed: -1", "seed: expected at least 0, got -1"),
        ("- a list", "expected settings such as `game: yatzy`, got"),
        ("game: [", "expected YAML, but .* in line"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, text, line):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=rf"bad\.yaml: {line}") as caught:
        load_settings(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(UsageError, match=r"none\.yaml: can't be read \(No such file"):
        load_settings(tmp_path / "none.yaml")


def test_workers_are_no_part_of_what_a_run_is():
    settings, _ = load_settings(CONFIGS[0])
    assert settings.model_copy(update={"workers": 1}).digest() == settings.model_copy(update={"workers": 2}).digest()
    assert settings.model_copy(update={"seed": 999}).digest() != settings.digest()
