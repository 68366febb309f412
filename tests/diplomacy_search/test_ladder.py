"""The ladder: seats are balanced, the table repeats, and each kind beats the one below."""

import json
import re

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from playmill.arena.statistics import estimate
from playmill.cli import diplomacy_play
from playmill.core.errors import UsageError
from playmill.games.diplomacy.dfen import write_dfen
from playmill.games.diplomacy.plain import Plain
from playmill.games.diplomacy.work import RULES_3
from playmill.packs.diplomacy.players.ladder import (
    EVEN_SHARE,
    LadderSettings,
    play_one_against_six,
    read_rung,
    run_ladder,
    summarise,
)
from playmill.packs.diplomacy.players.matches import DiplomacyMatch, Ending, Opening
from playmill.packs.diplomacy.players.player import DiplomacyPlayer, make_player
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.packs.diplomacy.search.weights import OrderWeights

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
    # Both are the same player, so over all seats of a rotation the shares sum to just one.
    assert rung.share.mean == pytest.approx(EVEN_SHARE)


# ------------------------------------------------------------------ openings


def timid():
    """A player that draws nothing and is not the heuristic."""
    return DiplomacyPlayer(OrderSearchSettings(order_weights=OrderWeights(enemy=0.2, guard=2.0)))


def play_two_kinds(**fields):
    """Games between players that draw nothing."""
    settings = LadderSettings(**{"games": 14, "max_year": 1903, **fields})
    return play_one_against_six(timid, lambda: make_player("heuristic"), settings)


def test_the_seed_changes_the_games_of_players_that_draw_nothing():
    first, again, other = (play_two_kinds(seed=seed) for seed in (0, 0, 1))
    assert [ending.key for ending in first] == [ending.key for ending in again]
    assert not {ending.key for ending in first} & {ending.key for ending in other}
    assert summarise("timid", "heuristic", first).share != summarise("timid", "heuristic", other).share


def test_games_are_the_same_for_any_number_of_threads():
    keys = [[ending.key for ending in play_two_kinds(threads=threads)] for threads in (1, 3)]
    assert keys[0] == keys[1]


def test_all_seats_of_a_rotation_share_their_opening_and_no_other_rotation_has_it():
    settings, match = LadderSettings(games=70), DiplomacyMatch(RULES_3)
    positions = [match.open(settings.opening(rotation)).tobytes() for rotation in range(10)]
    assert len(set(positions)) == 10
    # The same player in all seats plays one game a rotation, whichever of its seats is called the challenger's.
    keys = [ending.key for ending in play_one_against_six(timid, timid, LadderSettings(games=21, max_year=1902))]
    assert [len(set(keys[first : first + 7])) for first in (0, 7, 14)] == [1, 1, 1]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(("phases", "year", "phase"), [(0, 1901, "s"), (1, 1901, "f"), (3, 1902, "f")])
def test_an_opening_is_so_many_movement_phases(phases, year, phase):
    states = DiplomacyMatch(RULES_3).open(Opening(phases, stream=5))
    assert write_dfen(Plain.of(states)).startswith(f"{year}{phase}")


# ------------------------------------------------------------------ what counts


def test_a_rotation_that_repeats_another_counts_once():
    rung = summarise("timid", "heuristic", play_two_kinds(games=21, opening_phases=0))
    assert (rung.games, rung.distinct_games, rung.share.trials, rung.counted_games) == (21, 7, 1, 7)
    assert (rung.share.low, rung.share.high) == (None, None)
    assert not rung.is_above_even
    once = summarise("timid", "heuristic", play_two_kinds(games=14, opening_phases=0))
    assert (rung.share, rung.solos, rung.topped, rung.centres) == (once.share, once.solos, once.topped, once.centres)


def test_a_rotation_is_one_trial():
    endings = play_two_kinds(games=21)
    rung = summarise("timid", "heuristic", endings)
    means = [np.mean([endings[7 * turn + seat].shares[seat] for seat in range(7)]) for turn in range(3)]
    assert (rung.share.trials, rung.distinct_games) == (3, 21)
    assert rung.share == estimate(np.array(means))


def invented_ladder(rng, rotations):
    """Games in which the opening matters most: the challenger gets its rotation's centres, two more or less."""
    levels = np.repeat(rng.integers(4, 14, rotations), 7)
    own = levels + rng.integers(-2, 3, levels.size)
    return [invented_ending(game, int(count)) for game, count in enumerate(own)]


def invented_ending(game, own):
    centres = np.full(7, (34 - own) // 6)
    centres[game % 7] = own
    return Ending(centres, -1, 1912, 40, 0, game.to_bytes(4, "big"))


def test_the_interval_covers_the_truth_as_often_as_it_says_where_counting_games_does_not():
    rng = np.random.default_rng(3)
    truth = np.mean([invented_ending(0, level + more).shares[0] for level in range(4, 14) for more in range(-2, 3)])
    covered = {"rotations": 0, "games": 0}
    for _ in range(400):
        endings = invented_ladder(rng, rotations=8)
        by_game = estimate(np.array([ending.shares[game % 7] for game, ending in enumerate(endings)]))
        for name, found in (("rotations", summarise("one", "six", endings).share), ("games", by_game)):
            covered[name] += found.low <= truth <= found.high
    assert covered["rotations"] / 400 == pytest.approx(0.95, abs=0.03)
    assert covered["games"] / 400 < 0.75


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
        ({"max_year": 1901, "opening_phases": 2}, "opening phases: expected 0 to 1 through 1901, got 2"),
        ({"opening_phases": -1}, "opening phases: expected 0 to 23 through 1912, got -1"),
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
    assert 0 <= rows[0]["share"] <= 1
    assert (rows[0]["games"], rows[0]["distinct_games"], rows[0]["groups"]) == (14, 14, 2)


def test_players_that_repeat_themselves_are_told():
    words = ["ladder", "--rung", "heuristic:heuristic", "--max-year", "1902", "--workers", "1", "--opening-phases", "0"]
    plain = CliRunner().invoke(app, [*words, "--games", "14"])
    assert plain.exit_code == 0
    assert "0.143 (one rotation, no interval) not clear" in plain.stdout
    assert "14, 1 distinct" in plain.stdout


def test_polishing_can_be_left_out():
    words = ["ladder", "--rung", "rm_plus:random", "--games", "14", "--max-year", "1901", "--iterations", "2", "--json"]
    plain, polished = (json.loads(CliRunner().invoke(app, [*words, "--polish-nodes", str(nodes)]).stdout) for nodes in (0, 300))
    assert (plain["polish_nodes"], polished["polish_nodes"]) == (0, 300)
    # One power's set is polished in the one movement phase that is left.
    assert 0 < polished["rungs"][0]["nodes_per_game"] - plain["rungs"][0]["nodes_per_game"] <= 310


def test_the_search_command_shows_strategies():
    plain = CliRunner().invoke(app, ["search", "start", "--iterations", "5", "--power", "turkey"])
    assert plain.exit_code == 0
    assert "Turkey" in plain.stdout
    assert "ended by iterations" in plain.stdout
    facts = json.loads(CliRunner().invoke(app, ["search", "start", "--iterations", "5", "--json"]).stdout)
    weights = [one["weight"] for one in facts["powers"][0]["candidates"]]
    assert sum(weights) == pytest.approx(1)
    assert weights == sorted(weights, reverse=True)
