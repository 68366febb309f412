"""`playmill gate`, `measure`, `oracle-eval`, `seed-set` as commands."""

import json

import numpy as np
import pytest

from arena.players import FirstLegal
from commands import runner
from playmill.arena.gate import GateSettings, run_gate
from playmill.arena.seeds import derive_seeds
from playmill.cli import arena, measure
from playmill.cli.arena_text import show_gate
from playmill.core.errors import UnknownName, UsageError
from playmill.games.registry import get_game
from playmill.games.yatzy.rules import YATZY
from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
from playmill.nets.int8 import MIN_POSITIONS, export_int8
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec

run, run_measure = runner(arena), runner(measure)


def test_a_gate_prints_the_report_that_it_writes(tmp_path):
    words = ("gate", "tictactoe", "--best", "random", "--candidate", "random", "--games", 20, "--seed", 3)
    printed = [run(*words, "--workers", w, "--out", tmp_path / f"{w}.json", "--json") for w in (1, 2)]
    assert printed[0] == printed[1] == (tmp_path / "1.json").read_text() == (tmp_path / "2.json").read_text()
    facts = json.loads(printed[0])
    assert (facts["format"], facts["game"], facts["games"], facts["promote"]) == ("playmill.gate", "tictactoe", 20, False)


def test_people_get_the_verdict_and_its_numbers(oracle):
    text = run("gate", "yatzy", "--best", "random", "--candidate", "oracle", "--games", 40, "--sequential", "--luck-reduced")
    for part in ("oracle against random: promoted", "sequential test accepts", "Wilson", "luck removed", "40 wins"):
        assert part in text


def test_two_backends_of_one_checkpoint_can_play_each_other(tmp_path, oracle):
    path = tmp_path / "net.pt"
    spec = NetSpec(hidden=32, blocks=1, togo=True)
    save_checkpoint(path, make_checkpoint(YATZY, spec, build_net(YATZY, spec)))
    export_int8(path, np.random.default_rng(0).random((MIN_POSITIONS, YATZY.feature_count), np.float32))
    words = ("gate", "yatzy", "--best", path, "--candidate", path, "--games", 40, "--json")
    facts = json.loads(run(*words, "--candidate-backend", "ort_int8", "--best-backend", "ort"))
    assert facts["candidate"].endswith("/ort_int8")
    assert facts["best"].endswith("/ort")
    assert facts["candidate"].partition("/")[0] == facts["best"].partition("/")[0]
    assert facts["distinct_games"] == 40
    same = json.loads(run(*words, "--candidate-backend", "ort", "--best-backend", "ort"))
    assert (same["win_rate"], same["points"]["se"]) == (0.5, 0.0)


def test_each_side_may_think_with_a_search_of_its_own(tmp_path):
    path, game = tmp_path / "net.pt", get_game("tictactoe")
    spec = NetSpec(hidden=16, blocks=1)
    save_checkpoint(path, make_checkpoint(game, spec, build_net(game, spec)))
    words = ("gate", "tictactoe", "--best", path, "--candidate", path, "--games", 80, "--search", "policy", "--json")
    assert json.loads(run(*words))["win_rate"] == 0.5
    searched = json.loads(run(*words, "--candidate-search", "puct", "--simulations", 100))
    assert searched["win_rate"] > 0.6
    assert json.loads(run(*words, "--best-search", "puct", "--simulations", 100))["win_rate"] < 0.4


def test_an_unpaired_gate_shows_only_wilsons_interval(oracle):
    text = run("gate", "yatzy", "--best", "random", "--candidate", "oracle", "--games", 40, "--unpaired")
    assert "40 unpaired" in text
    assert "Wilson" in text
    assert "pairs" not in text


def test_games_that_repeat_are_pointed_out(capsys):
    game, settings = get_game("tictactoe"), GateSettings(games=20, opening_plies=0)
    bots = [lambda _lanes: FirstLegal(game)] * 2
    show_gate(run_gate(game, *bots, settings, derive_seeds(10)))
    text = " ".join(capsys.readouterr().out.split())
    assert "20 in 10 pairs, 2 distinct" in text
    assert "9 of 10 pairs repeat others and don't count" in text
    assert "0.5000, one trial: no interval" in text


def test_the_oracle_suite_has_baselines_without_any_model(oracle):
    facts = json.loads(run_measure("oracle-eval", "--games", 60, "--json"))
    assert [bot["bot"] for bot in facts["bots"]] == ["oracle", "random"]
    assert facts["bots"][0]["boards"]["fair"]["mean"] == pytest.approx(248.44, abs=0.005)
    assert set(facts["bots"][1]["choices"]) == {"all", "keep_2", "keep_1", "mark", "early_mark"}
    text = run_measure("oracle-eval", "--games", 60, "--model", "random")
    assert "60 games against the oracle; best play 248.44" in text
    assert "luck removed" in text


def test_a_measure_says_the_same_for_any_number_of_workers(oracle):
    words = ("measure", "yatzy", "--games", 20, "--json")
    one, two = (json.loads(run_measure(*words, "--workers", workers)) for workers in (1, 2))
    assert one == two
    assert list(one["results"]["oracle"]) == ["oracle", "random"]
    suite = json.loads(run_measure("oracle-eval", "--games", 20, "--json"))["bots"]
    assert list(one["results"]["oracle"].values()) == suite
    text = run_measure("measure", "yatzy", "--measure", "oracle", "--games", 20, "--model", "oracle")
    assert "oracle: against best play of the solved solitaire game, luck removed; 20 games a bot" in text
    assert "248.44 ± 0.00 points a game without luck" in text


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (("oracle-eval", "--games", 3), UsageError, "even number"),
        (("oracle-eval", "--model", "random", "--backend", "ort"), UsageError, "backend ort: only a checkpoint has one"),
        (("measure", "tictactoe"), UsageError, "tictactoe: its pack brings no measure"),
        (("measure", "yatzy", "--measure", "orcale"), UnknownName, "unknown measure 'orcale'; did you mean 'oracle'"),
        (("measure", "yatzy", "--model", "perfect"), UsageError, "yatzy: unknown bot 'perfect'"),
        (("measure", "yatzy", "--games", 0), UsageError, "games"),
        (("measure", "chess"), UnknownName, "unknown game"),
    ],
)
def test_a_measurement_that_makes_no_sense_is_one_line(words, error, message):
    with pytest.raises(error, match=message):
        run_measure(*words)


def test_a_seed_set_is_written_and_played_on(tmp_path):
    path = tmp_path / "dev.json"
    assert "30 seeds 'dev'" in run("seed-set", path, "--count", 30, "--seed", 9)
    words = ("gate", "tictactoe", "--best", "random", "--candidate", "random", "--games", 60, "--json")
    facts = [json.loads(run(*words, *more)) for more in (("--seed-set", path), ("--seed", 9))]
    assert facts[0]["seeds_hash"] == facts[1]["seeds_hash"]
    assert facts[0]["total"] == facts[1]["total"]


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (("gate", "tictactoe", "--best", "oracle", "--candidate", "random"), UsageError, "unknown bot 'oracle'"),
        (
            ("gate", "tictactoe", "--best", "random", "--candidate", "random", "--games", 7),
            UsageError,
            r"gate\.games: .* multiple of 2",
        ),
        (
            ("gate", "tictactoe", "--best", "random", "--candidate", "random", "--luck-reduced"),
            UsageError,
            "need a pack that knows luck",
        ),
        (("gate", "chess", "--best", "random", "--candidate", "random"), UnknownName, "unknown game"),
        (("gate", "tictactoe", "--best", "random", "--candidate", "random", "--workers", 0), UsageError, "workers"),
    ],
)
def test_what_makes_no_sense_is_one_line(words, error, message):
    with pytest.raises(error, match=message):
        run(*words)
