"""The top level of the package: every name is there and loads lazily, and `search` is a room and a function at once."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import playmill
from nets.making import saved
from playmill import api

SOURCE = Path(playmill.__file__).read_text()
FORK = (0, 4, 1)  # tic-tac-toe: x has two in a row, o must stop it at 2


def after(name, *actions, seed=0):
    state = playmill.get_game(name).new(seed)
    for action in actions:
        state = state.apply(action)
    return state


@pytest.fixture(scope="module")
def best(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("api"), "tictactoe-mlp", with_int8=False)


# ------------------------------------------------------------------ names


def test_type_checkers_see_the_same_names_as_users():
    (block,) = [node for node in ast.parse(SOURCE).body if isinstance(node, ast.If)]
    seen = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names if alias.asname}
    assert seen == set(playmill.__all__) - {"__version__"}


def test_the_room_is_called_as_the_function_is():
    assert list(inspect.signature(playmill.search).parameters.values()) == list(
        inspect.signature(api.search).parameters.values()
    )


@pytest.mark.parametrize(
    "lines",
    [
        "import playmill",
        "import playmill.search",
        "import playmill.search.decisions",
        "import playmill.search.decisions as d; assert d.Decisions",
        "from playmill.search import decisions",
        "from playmill.search.decisions import Decisions",
        "from playmill import search; import playmill.search.decisions; assert search is playmill.search",
        "from playmill import api; import playmill",
        "import importlib, playmill; importlib.import_module('playmill.search.decisions')",
        "from playmill import *; import playmill; assert search is playmill.search",
    ],
)
def test_search_is_function_and_room_whatever_is_imported_first(lines):
    probe = f"""{lines}
import playmill
assert callable(playmill.search)
from playmill.search.decisions import Decisions
assert playmill.search.decisions.Decisions is Decisions
assert callable(playmill.search)
"""
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_name_has_an_example_on_the_page():
    page = (Path(__file__).parent.parent / "docs" / "api.md").read_text()
    examples = " ".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    for name in playmill.__all__:
        assert re.search(rf"\b{name}\b", examples), name


# ------------------------------------------------------------------ search


def test_a_search_says_what_to_play_and_why():
    found = playmill.search(after("tictactoe", *FORK), simulations=200)
    assert found.best == 2
    assert sum(found.visits.values()) == 200
    assert sum(found.policy.values()) == pytest.approx(1, abs=1e-5)
    assert found.policy[2] == max(found.policy.values())
    assert set(found.priors) == set(found.state.legal_actions)
    assert found.value == pytest.approx(found.player_values[1])
    assert found.values[2] == max(found.values.values())


def test_a_search_reads_as_a_table():
    lines = repr(playmill.search(after("tictactoe", *FORK), simulations=200)).splitlines()
    assert lines[0].startswith("tictactoe ply 3: c3 (action 2), worth ")
    assert lines[0].endswith(" to player 1 after 200 visits")
    assert lines[1].split() == ["action", "policy", "visits", "value", "prior"]
    assert lines[2].split()[:2] == ["2", "c3"]
    assert len(lines) == 2 + 6
    many = repr(playmill.search(after("yatzy", seed=3), simulations=8)).splitlines()
    assert many[-1] == "  ... and 20 more"


def test_a_notebook_shows_the_state_beside_the_table():
    html = playmill.search(after("tictactoe", *FORK), simulations=20)._repr_html_()
    assert "<svg" in html
    assert html.count("<tr>") == 1 + 6


def test_the_same_state_is_searched_the_same_way():
    state = after("yatzy", seed=3)
    assert playmill.search(state, simulations=30) == playmill.search(state, simulations=30)


def test_an_evaluator_of_ones_own_leads_the_search():
    class Likes(playmill.LocalEvaluator):
        heads = ("win",)

        def evaluate(self, features, logits, values):
            logits[:], values[:] = 0, 0
            logits[:, 5] = 20

    assert playmill.search(after("connect_four"), Likes(), simulations=20).best == 5


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ({"state": 3}, "search: expected a State such as get_game"),
        ({"state": playmill.Board.start()}, "got Board; Diplomacy has `playmill diplomacy search`"),
        ({"state": after("tictactoe", 0, 3, 1, 4, 2)}, "tictactoe: there is nothing to search, the game is over"),
        ({"state": after("tictactoe"), "simulations": 0}, "puct.budget"),
        ({"state": after("tictactoe"), "kind": "pucts"}, "unknown search 'pucts'; did you mean 'puct'"),
        ({"state": after("tictactoe"), "kind": "policy"}, "the priors of puct are the bare policy"),
        ({"state": after("tictactoe"), "model": "nothing.pt"}, "nothing.pt: no such checkpoint"),
        ({"state": after("tictactoe"), "model": 7}, "search: model: expected a Model, a path or an evaluator, got int"),
    ],
)
def test_what_cannot_be_searched_is_refused_by_name(words, line):
    with pytest.raises(playmill.PlaymillError) as caught:
        playmill.search(**words)
    assert line in str(caught.value)


# ------------------------------------------------------------------ models


def test_a_model_is_read_and_leads_a_search(best):
    model, state = playmill.load_model(best), after("tictactoe", *FORK)
    assert model.game is playmill.get_game("tictactoe")
    assert model.heads == model.meta.heads
    assert repr(model).startswith("Model(game=<Game tictactoe>")
    found = playmill.search(state, model, simulations=50)
    assert found == playmill.search(state, best, simulations=50)
    assert found.priors != playmill.search(state, simulations=50).priors


def test_a_model_answers_at_first_sight(best):
    model, state = playmill.load_model(best), after("tictactoe", *FORK)
    answer = model.evaluate(state)
    assert set(answer.policy) == set(state.legal_actions)
    assert sum(answer.policy.values()) == pytest.approx(1, abs=1e-5)
    assert answer.heads.keys() == set(model.heads)
    values = np.zeros((1, 1), np.float32)
    model.evaluator.evaluate_values(state.features().reshape(1, -1), values)
    assert answer.heads["win"] == (float(values[0, 0]),)


def test_a_model_of_another_game_is_refused(best):
    with pytest.raises(playmill.PlaymillError, match="expected a model of connect_four, got one of tictactoe"):
        playmill.search(after("connect_four"), playmill.load_model(best))
    with pytest.raises(playmill.PlaymillError, match="expected a state of tictactoe, got one of connect_four"):
        playmill.load_model(best).evaluate(after("connect_four"))
    with pytest.raises(playmill.CheckpointError, match="connect_four"):
        playmill.load_model(best, "connect_four")
