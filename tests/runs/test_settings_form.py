"""Settings as a form: what it shows is what a file says, what it saves loads to the same, and steppers keep to bounds."""

from pathlib import Path

import pytest

from playmill.pipeline.run import kind_of
from playmill.pipeline.starting_points import open_form, starting_points
from playmill.runs.settings_file import SettingsText
from playmill.runs.settings_form import group_of_problem

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_shipped_configuration_saved_by_the_form_says_the_same(path):
    form = open_form(path, path.stem)
    assert form.problems() == {}
    assert form.stray == []
    kind = kind_of(path)
    before, saved = (kind.load(source)[0] for source in (path, SettingsText("saved", form.text())))
    said, now = (flat(settings.model_dump(mode="json", exclude_unset=True)) for settings in (before, saved))
    assert {key: now[key] for key in said} == said
    assert all(form.fields[key].key.default == value for key, value in now.items() if key in form.fields and key not in said)


def flat(content, prefix=""):
    """Values by their dotted keys."""
    found = {}
    for name, value in content.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return found


def test_every_starting_point_opens_without_a_problem():
    points = starting_points([], CONFIGS[0].parent)
    assert {"yatzy", "connect_four", "diplomacy", "exchange --preset tiny"} <= {point.label for point in points}
    for point in points:
        assert open_form(point.open(), point.name).problems() == {}, point.label
        assert not point.label.endswith(".yaml") or point.about.endswith("."), point.about


def test_a_configuration_is_told_by_the_first_sentence_of_its_comment(tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "# Tic-tac-toe (as in docs/games.md), until\n# it is drawn. Then more.\ngame: tictactoe\n# no\n"
    )
    (tmp_path / "bare.yaml").write_text("game: tictactoe\n")
    found = {point.name: point.about for point in starting_points([], tmp_path)}
    assert found["mine"] == "Tic-tac-toe (as in docs/games.md), until it is drawn."
    assert found["bare"] == ""


@pytest.fixture
def form():
    return open_form(SettingsText("mine", "game: connect_four\n"), "mine")


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("train.lr", "abc", "expected a number, got 'abc'"),
        ("train.lr", "", "expected a number, got ''"),
        ("iterations", "1.5", "expected a whole number, got 1.5"),
        ("iterations", "0", "expected at least 1, got 0"),
        ("search.kind", "pact", "unknown search 'pact'"),
        ("selfplay.opponent.search", "{kind: pact}", ""),
    ],
)
def test_what_is_wrong_is_said_in_the_commands_words(form, path, text, line):
    form.put(path, form.fields[path].read(text))
    found = form.problems()
    assert any(key.startswith(path) and line in words for key, words in found.items()), found
    assert group_of_problem(next(iter(found)), form.groups) in form.groups


@pytest.mark.parametrize(
    ("path", "value", "up", "down"),
    [("iterations", 1, 2, 1), ("iterations", 64, 70, 60), ("iterations", 100, 200, 90), ("train.lr", 0.001, 0.002, 0.0009),
     ("selfplay.root_log_share", 1.0, 1.0, 0.9), ("workers", None, 1, 1)],
)  # fmt: skip
def test_steppers_go_to_the_next_round_number_and_keep_to_the_bounds(form, path, value, up, down):
    field = form.fields[path]
    assert (field.step(value, True), field.step(value, False)) == (up, down)


def test_an_empty_field_stands_for_none_where_there_may_be_none(form):
    assert form.fields["workers"].read("  ") is None
    assert form.fields["workers"].shown(None) == ""
    assert form.fields["iterations"].read("1e3") == 1000


def test_keys_that_are_no_settings_are_named_and_left_out():
    form = open_form(SettingsText("mine", "game: connect_four\ntrian: {lr: 1}\ntrain: {lrr: 3, lr: 0.01}\nnet: 7\n"), "mine")
    assert form.stray == ["net", "train.lrr", "trian"]
    assert "lrr" not in form.text()
    assert form.value("train.lr") == 0.01
