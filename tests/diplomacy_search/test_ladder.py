"""The ladder: seats are balanced, the table repeats, and each kind beats the one below."""

import json
import re

import pytest
import typer
from typer.testing import CliRunner

from playmill.cli import diplomacy_play
from playmill.core.errors import UsageError
from playmill.diplomacy.budgets import Budget
from playmill.diplomacy.ladder import EVEN_SHARE, LadderSettings, read_rung, run_ladder

FEW = LadderSettings(games=14, max_year=1904, budget=Budget(nodes=100))

app = typer.Typer()
for command in (diplomacy_play.ladder, diplomacy_play.search):
    app.command()(command)


def test_same_seed_same_table_for_any_number_of_threads():
    rungs = [("cartesian", "random")]
    one = run_ladder(rungs, FEW)
    two = run_ladder(rungs, LadderSettings(games=14, max_year=1904, budget=Budget(nodes=100), threads=2))
    other = run_ladder(rungs, LadderSettings(games=14, max_year=1904, budget=Budget(nodes=100), seed=1))
    assert one == two
    assert one != other


def test_equal_players_share_alike():
    rung = run_ladder([("heuristic", "heuristic")], FEW)[0]
    # The heuristic is the same in every game, so over all seats the shares sum to just one.
    assert rung.share.mean == pytest.approx(EVEN_SHARE)


def test_heuristic_beats_random():
    rung = run_ladder([("heuristic", "random")], LadderSettings(games=14, max_year=1908))[0]
    assert rung.is_above_even
    assert rung.share.mean > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("rung", [("cartesian", "heuristic"), ("rm_plus", "cartesian")])
def test_each_kind_of_search_beats_the_one_below(rung):
    found = run_ladder([rung], LadderSettings(games=42, max_year=1910, threads=2))[0]
    assert found.is_above_even, found


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 10}, "games: expected a multiple of 7, at least 14, got 10"),
        ({"max_year": 1900}, "max year: expected 1901 or later, got 1900"),
        ({"threads": 0}, "threads: expected a whole number above 0, got 0"),
    ],
)
def test_bad_settings_are_named(settings, message):
    with pytest.raises(UsageError, match=message):
        LadderSettings(**settings)


def test_bad_rungs_are_named():
    assert read_rung("rm_plus:random") == ("rm_plus", "random")
    with pytest.raises(UsageError, match="expected CHALLENGER:OPPONENTS"):
        read_rung("rm_plus")
    with pytest.raises(UsageError, match="unknown player 'chess'"):
        read_rung("rm_plus:chess")


def test_the_command_prints_a_table_or_json():
    words = ["ladder", "--rung", "heuristic:random", "--games", "14", "--max-year", "1903", "--workers", "1"]
    plain = CliRunner().invoke(app, words)
    assert plain.exit_code == 0
    assert re.search(r"heuristic\s+random\s+0\.\d+ \(", plain.stdout)
    rows = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)["rungs"]
    assert rows[0]["challenger"] == "heuristic"
    assert 0 <= rows[0]["low"] <= rows[0]["share"]


def test_the_search_command_shows_strategies():
    plain = CliRunner().invoke(app, ["search", "start", "--iterations", "5", "--power", "turkey"])
    assert plain.exit_code == 0
    assert "Turkey" in plain.stdout
    assert "ended by iterations" in plain.stdout
    facts = json.loads(CliRunner().invoke(app, ["search", "start", "--iterations", "5", "--json"]).stdout)
    weights = [one["weight"] for one in facts["powers"][0]["candidates"]]
    assert sum(weights) == pytest.approx(1)
    assert weights == sorted(weights, reverse=True)
