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
        (["tictactoe", "--actions", "0,x"], IllegalAction),
        (["tictactoe", "--actions", "0,,1"], IllegalAction),
        (["tictactoe", "--position", "x"], UsageError),
        (["tictactoe", "--actions", "0,3,1,4,2"], UsageError),  # over
        (["tictactoe", "--search", "exact_turn"], UsageError),
        (["tictactoe", "--search", "policy"], UsageError),
        (["tictactoe", "--search", "minimax"], UsageError),
    ],
)
def test_what_cannot_be_explored_is_refused(run, words, error):
    assert isinstance(run(*words).exception, error)


MATE = "4k(4)3/8/8/4Q3/8/8/8/4K3 w 00 80 0 -"


def test_a_position_and_moves_can_be_given_as_text(run):
    found = json.loads(run("exchange", "--position", MATE, "--simulations", "64", "--json").stdout)
    assert (found["position"], found["ply"], found["to_move"]) == (MATE, 80, 0)
    assert found["actions"][0]["text"].endswith("xe8")  # whatever the die throws, the king dies
    after = json.loads(run("exchange", "--position", MATE, "--actions", "e1d1,e8d8", "--simulations", "4", "--json").stdout)
    assert after["position"] == "3k(4)4/8/8/4Q3/8/8/8/3K4 w 00 82 2 e1d1,e8d8"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--position", "4k(26)3/8/8/8/8/8/8/4K3 w 00 0 0 -"], "e8: expected HP of 1 to 25 for a king, got 26"),
        (["--position", "4k3/8"], "expected a position of six fields"),
        (["--actions", "g1f4"], "of White's knight on g1 legal moves are g1f3, g1h3"),
    ],
)
def test_an_impossible_position_and_an_illegal_move_are_refused_with_what_was_expected(run, words, told):
    assert told in str(run("exchange", *words).exception)


def test_without_a_model_it_says_so(playmill):
    shown = playmill("explore", "tictactoe", "--simulations", 8).stdout
    assert "no model: the search knows the rules alone" in shown
    assert "3 . . .\n2 . . .\n1 . . ." in shown
