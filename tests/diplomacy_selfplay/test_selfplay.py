"""Whole runs, and the commands."""

import json
import subprocess
import sys
from collections import Counter

import pytest
from typer.testing import CliRunner

from playmill.cli.app import app
from playmill.core.errors import UsageError
from playmill.games.diplomacy.dfen import read_dfen
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.geography import POWERS
from playmill.packs.diplomacy.selfplay.check import check_file
from playmill.packs.diplomacy.selfplay.game import GameTable, SelfPlayGame
from playmill.packs.diplomacy.selfplay.generate import DiplomacySelfPlay, open_searcher
from playmill.packs.diplomacy.selfplay.output import Output
from playmill.packs.diplomacy.selfplay.records import read_records
from playmill.packs.diplomacy.selfplay.resume import side_path
from playmill.packs.diplomacy.selfplay.settings import make_settings

pytestmark = pytest.mark.jit

RM_PLUS = {"player": "rm_plus", "max_year": 1902, "seed": 7, "budget": {"kind": "iterations", "amount": 5}}
HEURISTIC = {"player": "heuristic", "max_year": 1906, "seed": 7, "domination_centres": 8}


def play(path, games, threads, values):
    settings = make_settings(**values)
    with Output(path, settings) as files:
        return DiplomacySelfPlay(settings, files).run(games, threads)


def command(*words):
    return CliRunner().invoke(app, ["diplomacy", *map(str, words)])


@pytest.mark.parametrize(("values", "games"), [(RM_PLUS, 4), (HEURISTIC, 12), ({**RM_PLUS, "player": "cartesian"}, 3)])
def test_one_thread_and_two_write_the_same_bytes(tmp_path, values, games):
    for threads in (1, 2):
        assert play(tmp_path / f"{threads}.jsonl", games, threads, values).games == games
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert side_path(tmp_path / "1.jsonl").read_bytes() == side_path(tmp_path / "2.jsonl").read_bytes()


class Watched:
    """A player whose decisions are kept."""

    def __init__(self, player):
        self.player, self.decisions = player, []

    def decide(self, *words):
        self.decisions.append(self.player.decide(*words))
        return self.decisions[-1]


@pytest.mark.parametrize(("nodes", "is_drawn"), [(0, True), (400, False)])
def test_what_a_record_advises_is_polished_or_as_the_search_drew_it(nodes, is_drawn):
    settings = make_settings(**RM_PLUS, polish_nodes=nodes, temperature=0.3)
    game, player = SelfPlayGame(0, settings, GameTable(settings)), Watched(open_searcher(settings))
    while not game.is_over:
        game.step(player)
    record, are_drawn = game.record(), []
    assert record.settings["polish_nodes"] == nodes
    for phase, decision in zip(record.phases, player.decisions, strict=True):
        advised = {POWERS.index(name): text for name, text in {**phase.orders, **phase.advised}.items()}
        plain = read_dfen(phase.dfen)
        assert advised == {p: write_orders(own.tolist(), plain) for p, own in decision.orders.items() if own.size}
        if decision.strategies is not None:
            sets = decision.strategies.sets
            are_drawn += [set(own.tolist()) in [set(row.tolist()) for row in sets[p]] for p, own in decision.orders.items()]
    assert are_drawn
    assert all(are_drawn) is is_drawn


def test_games_are_not_mixed_with_games_of_another_polish(tmp_path):
    play(tmp_path / "a.jsonl", 1, 1, HEURISTIC)
    with pytest.raises(UsageError, match="made with polish_nodes 1000, now asked for 0"):
        play(tmp_path / "a.jsonl", 2, 1, {**HEURISTIC, "polish_nodes": 0})


def test_a_run_can_be_extended(tmp_path):
    play(tmp_path / "a.jsonl", 3, 1, HEURISTIC)
    assert play(tmp_path / "a.jsonl", 6, 1, HEURISTIC).games == 3
    assert play(tmp_path / "a.jsonl", 6, 1, HEURISTIC).games == 0
    play(tmp_path / "b.jsonl", 6, 2, HEURISTIC)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_another_seed_gives_other_games(tmp_path):
    for seed in (7, 8):
        play(tmp_path / f"{seed}.jsonl", 1, 1, {**HEURISTIC, "seed": seed, "domination_centres": 18})
    games = [next(read_records(tmp_path / f"{seed}.jsonl")) for seed in (7, 8)]
    assert games[0].phases != games[1].phases


def test_an_error_in_a_thread_ends_the_run(tmp_path):
    settings = make_settings(**HEURISTIC)

    class Broken:
        def decide(self, state, powers=None, stream=0, budget=None):
            raise UsageError("no idea")

    with Output(tmp_path / "a.jsonl", settings) as files, pytest.raises(UsageError, match="no idea"):
        DiplomacySelfPlay(settings, files, Broken).run(4, 2)


def test_a_stopped_run_gives_up_what_it_is_playing(tmp_path):
    settings = make_settings(**HEURISTIC)
    with Output(tmp_path / "a.jsonl", settings) as files:
        run = DiplomacySelfPlay(settings, files)
        run.stop()
        report = run.run(4, 2)
    assert (report.games, report.is_whole) == (0, False)


# ------------------------------------------------------------------ commands


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A file, and what the command said while it made it."""
    path = tmp_path_factory.mktemp("played") / "data" / "selfplay.jsonl"
    words = "selfplay --games 4 --iterations 3 --strength 100 --max-year 1902 --workers 2 --seed 7"
    return path, command(*words.split(), "--out", path)


def test_selfplay_tells_what_came_of_it(played):
    path, result = played
    assert result.exit_code == 0, result.output
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"{path}: 4 games in ")
    assert lines[1] == "games: 4 kept, 0 rejected"
    assert lines[2] == "wins: none; draws: max_year 4"
    assert lines[3].startswith("last year: 1902 to 1902, mean 1902.0; ")
    assert lines[4] == "budget: iterations 3 a phase, rm_plus, seed 7; the same seed gives the same games"


def test_the_records_tell_how_they_were_made(played):
    record = next(read_records(played[0]))
    assert record.reproducible
    assert record.settings["budget"] == {"kind": "iterations", "amount": 3}
    assert (record.settings["player"], record.settings["seed"]) == ("rm_plus", 7)


def test_check_counts_and_finds_nothing(played):
    result = command("check", played[0])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{played[0]}: 4 games, ")
    assert result.stdout.endswith("orders: no problems\n")


def test_check_names_line_and_field_of_a_changed_game(played, tmp_path):
    rows = [json.loads(line) for line in played[0].read_text().splitlines()]
    rows[2]["phases"][1]["orders"] = {}
    path = tmp_path / "changed.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = command("check", path)
    assert result.exit_code == 1
    assert f"{path}: line 3: phases.1: position after it: expected " in result.stderr
    assert result.stdout.endswith("problems\n")


def test_check_refuses_a_torn_file(played, tmp_path):
    path = tmp_path / "torn.jsonl"
    path.write_bytes(played[0].read_bytes()[:-5])
    result = command("check", path)
    assert isinstance(result.exception, UsageError)
    assert "line 4: expected a whole line" in str(result.exception)


def test_a_movetime_says_that_it_cant_be_repeated(tmp_path):
    path = tmp_path / "a.jsonl"
    result = command("selfplay", "--games", 1, "--movetime", 5, "--max-year", 1901, "--out", path)
    assert result.exit_code == 0, result.output
    assert "budget: movetime 5 ms a phase, rm_plus, seed 0; NOT reproducible" in result.stderr
    assert not next(read_records(path)).reproducible


def test_nodes_are_a_budget(tmp_path):
    path = tmp_path / "a.jsonl"
    result = command("selfplay", "--games", 1, "--nodes", 50, "--max-year", 1901, "--out", path)
    assert result.exit_code == 0, result.output
    assert next(read_records(path)).settings["budget"] == {"kind": "nodes", "amount": 50}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--iterations 3 --nodes 4", "expected one budget, got --iterations and --nodes"),
        ("--kind chess", "unknown player 'chess'"),
        ("--max-year 1900", "max_year: expected at least 1901, got 1900"),
        ("--rules 4", "rules: expected '2.x' or '3.x', got '4'"),
        ("--seed -1", "seed: expected at least 0, got -1"),
    ],
)
def test_bad_options_write_nothing(tmp_path, words, message):
    result = command("selfplay", "--out", tmp_path / "a.jsonl", *words.split())
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_rejected_games_are_counted_with_their_reasons(tmp_path):
    options = "--kind heuristic --games 6 --max-year 1904 --domination-centres 4 --domination-year 1904"
    result = command("selfplay", *options.split(), "--out", tmp_path / "a.jsonl", "--rejects", tmp_path / "r.jsonl")
    assert result.exit_code == 0, result.output
    rejected = list(read_records(tmp_path / "r.jsonl"))
    assert f"{len(rejected)} rejected (early_domination {len(rejected)})" in result.stderr
    assert all(record.quality.early_domination for record in rejected)
    assert len(rejected) + len(list(read_records(tmp_path / "a.jsonl"))) == 6


def test_export_writes_saved_games(played, tmp_path):
    assert command("export", played[0], "--out", tmp_path / "games.jsonl").exit_code == 0
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [game["id"] for game in games] == [f"playmill-{number}" for number in range(4)]
    assert games[0]["phases"][0]["name"] == "S1901M"
    assert command("export", played[0]).stdout == (tmp_path / "games.jsonl").read_text()


def test_the_package_loads_an_exported_game(played, tmp_path):
    """The package is a test dependency; without it there is nothing to ask."""
    export = pytest.importorskip("diplomacy.utils.export")
    command("export", played[0], "--out", tmp_path / "games.jsonl")
    records = list(read_records(played[0]))
    loaded = export.load_saved_games_from_disk(str(tmp_path / "games.jsonl"))
    assert [len(game.state_history) for game in loaded] == [len(record.phases) for record in records]
    for game, record in zip(loaded, records, strict=True):
        assert {power: len(game.get_centers(power.upper())) for power in record.final_sc_counts} == record.final_sc_counts


PLAIN_READER = """
import json, sys
games = [json.loads(line) for line in open(sys.argv[1])]
for game in games:
    ends = [phase["dfen"] for phase in game["phases"][1:]] + [game["final_dfen"]]
    assert len(ends) == len(game["phases"]) and sum(game["final_sc_counts"].values()) <= 34
    assert all(phase["dfen"].startswith(str(phase["year"])) for phase in game["phases"])
print(len(games), len({game["game_id"] for game in games}))
"""


@pytest.mark.slow
def test_a_thousand_games_are_read_by_a_plain_json_reader(tmp_path):
    path = tmp_path / "a.jsonl"
    values = {"player": "heuristic", "seed": 7, "max_year": 1912, "min_stalemate_year": 1901, "domination_year": 1901}
    play(path, 1000, 2, values)
    done = subprocess.run([sys.executable, "-I", "-c", PLAIN_READER, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1000", "1000"]
    assert list(check_file(path, Counter())) == []
