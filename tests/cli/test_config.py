"""`playmill config`: a file for every game that a run takes as it is, and a page that documents every key."""

import re
from pathlib import Path

import pytest
import yaml

from commands import runner
from playmill.cli import config, run
from playmill.core.errors import UnknownName, UsageError
from playmill.games.registry import game_names
from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
from playmill.packs.diplomacy.neural.run_settings import load_settings as load_diplomacy
from playmill.packs.registry import find_game, load_packs
from playmill.pipeline.settings import RunSettings, load_settings
from playmill.pipeline.starting import hidden_settings
from playmill.runs.settings_text import keys

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
TINY = {
    "iterations": 1, "workers": 1, "net.hidden": 16, "net.channels": 8, "search.puct.budget": 4,
    "selfplay.games": 4, "selfplay.bootstrap.games": 0, "selfplay.shard_games": 4, "selfplay.lanes": 4, "train.batch_size": 16,
    "train.steps_per_iteration": 2, "gate.games": 4, "measure.games": 0,
}  # fmt: skip

show = runner(config)


def paths(content, prefix=""):
    """The keys of a file, with dots, in order; a group's own before what is in it."""
    found = []
    for name, value in content.items():
        found += [f"{prefix}{name}", *(paths(value, f"{prefix}{name}.") if isinstance(value, dict) else ())]
    return found


@pytest.mark.jit
@pytest.mark.parametrize("game", game_names())
def test_the_starting_file_of_every_game_is_run_as_it_is(game, tmp_path):
    load_packs()  # what other games' packs bring is not offered
    file = tmp_path / "first.yaml"
    file.write_text(show(game))
    assert load_settings(file)[0].game == game
    hidden = hidden_settings(find_game(game))
    assert ("selfplay.rewards" in hidden) == (game != "exchange")
    assert ("net.seats" in hidden) == ("search.exact_turn" in hidden) == (not game.startswith("yatzy"))
    assert paths(yaml.safe_load(file.read_text())) == [key.path for key in keys(RunSettings, hidden)]
    tiny = [word for key, value in TINY.items() for word in ("--set", f"{key}={value}")]
    told = runner(run)(file, "--out", tmp_path / "run", *tiny)
    assert "1 iterations, 4 games, 2 steps" in told


def test_the_starting_file_of_diplomacy_has_all_its_keys(tmp_path):
    file = tmp_path / "first.yaml"
    file.write_text(show("diplomacy"))
    assert load_diplomacy(file)[0].selfplay.settings.max_year == 1907
    assert paths(yaml.safe_load(file.read_text())) == [key.path for key in keys(DiplomacyRunSettings)]


def test_a_game_outside_the_package_has_one_too():
    assert "game: broken_games:SOUND_GAME\n" in show("broken_games:SOUND_GAME")
    with pytest.raises(UsageError, match="no network can learn it without features"):
        show("broken_games:BARE")


@pytest.mark.parametrize("kind", [RunSettings, DiplomacyRunSettings])
def test_every_key_has_a_sentence(kind):
    assert [key.path for key in keys(kind) if not re.match(r"\S.*[.)]$", key.sentence)] == []


def test_every_value_stands_below_its_sentence_and_default():
    lines = show("yatzy").splitlines()
    assert lines[lines.index("  togo: true") - 1].endswith("for either seat. [default: false]")
    assert lines[lines.index("  lr: 0.001") - 1].endswith("[default: 0.001]")
    assert max(map(len, lines)) <= 100


def test_the_page_of_settings_is_up_to_date():
    assert show("--docs") == PAGE.read_text(), "make it anew: playmill config --docs > docs/settings.md"


@pytest.mark.parametrize(("words", "error"), [([], UsageError), (["yatzy", "--docs"], UsageError), (["yatzi"], UnknownName)])
def test_a_game_or_the_page(words, error):
    with pytest.raises(error):
        show(*words)
