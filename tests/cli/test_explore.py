"""`explore` shows a position's actions, best first, beside the oracle where there is one."""

import json

import pytest
import typer
from typer.testing import CliRunner

from playmill.cli import explore
from playmill.core.errors import IllegalAction, UsageError

pytestmark = pytest.mark.jit


@pytest.fixture
def run():
    app = typer.Typer()
    explore.register(app)
    return lambda *words: CliRunner().invoke(app, list(words), catch_exceptions=True)


def test_the_only_way_to_stop_a_line_comes_first(run):
    # x has two in a row; without a network the search finds the answer all the same.
    view = json.loads(run("tictactoe", "--actions", "0,4,1", "--json").stdout)
    assert view["position"].startswith("xx./.o./...")
    assert view["actions"][0]["action"] == 2
    assert sum(row["visits"] for row in view["actions"]) == 400
    assert view["actions"][0]["oracle"] is None


def test_yatzy_has_the_oracles_value_beside_the_searchs(run):
    view = json.loads(run("yatzy", "--search", "exact_turn", "--seed", "3", "--json").stdout)
    regrets = [row["regret"] for row in view["actions"]]
    assert min(regrets) == 0
    assert max(row["oracle"] for row in view["actions"]) < 300
    policies = [row["policy"] for row in view["actions"]]
    assert policies == sorted(policies, reverse=True)
    assert sum(policies) == pytest.approx(1, abs=1e-5)


def test_the_table_names_its_columns(run):
    lines = run("connect_four", "--actions", "3,3,2", "--simulations", "50").stdout.splitlines()
    (header,) = [line.split() for line in lines if line.startswith("action")]
    assert header == ["action", "what", "prior", "visits", "value", "policy"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["tictactoe", "--actions", "0,0"], IllegalAction),
        (["tictactoe", "--actions", "0,x"], UsageError),
        (["tictactoe", "--actions", "0,3,1,4,2"], UsageError),  # over
        (["tictactoe", "--search", "exact_turn"], UsageError),
        (["tictactoe", "--search", "policy"], UsageError),
        (["tictactoe", "--search", "minimax"], UsageError),
    ],
)
def test_what_cannot_be_explored_is_refused(run, words, error):
    assert isinstance(run(*words).exception, error)


def test_without_a_model_it_says_so(playmill):
    shown = playmill("explore", "tictactoe", "--simulations", 8).stdout
    assert "no model: the search knows the rules alone" in shown
    assert "3 . . .\n2 . . .\n1 . . ." in shown
