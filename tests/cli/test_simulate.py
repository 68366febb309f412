"""`playmill simulate`: what it prints, and that it is the same for any number of workers."""

import json

import numpy as np
import pytest

FIELDS = {
    "game", "policy", "seed", "workers", "count", "partial", "progressed", "total_applied", "min_applied", "max_applied",
    "mean_applied", "variance", "standard_deviation", "percentiles", "histogram", "rejected", "reasons", "finished",
    "mean_returns", "wins", "digest", "seconds", "playouts_per_s",
}  # fmt: skip


def facts_of(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_json_is_one_object_that_does_not_depend_on_the_workers(playmill):
    runs = [
        facts_of(playmill("simulate", "connect_four", "--playouts", 3000, "--seed", 5, "--workers", workers, "--json"))
        for workers in (1, 2)
    ]
    assert set(runs[0]) == FIELDS
    for name in FIELDS - {"workers", "seconds", "playouts_per_s"}:
        assert runs[0][name] == runs[1][name]


def test_json_statistics_follow_from_the_histogram(playmill):
    facts = facts_of(playmill("simulate", "yatzy", "--playouts", 500, "--json"))
    lengths = np.repeat(np.arange(len(facts["histogram"])), facts["histogram"])
    assert facts["count"] == lengths.size == 500
    assert facts["mean_applied"] == pytest.approx(lengths.mean())
    assert facts["variance"] == pytest.approx(lengths.var())
    assert facts["percentiles"]["95"] == np.percentile(lengths, 95, method="inverted_cdf")
    assert sum(facts["wins"].values()) == facts["finished"] == 500


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["--until-sd", "100"], 256),
        (["--until-sd", "0.001"], 1000),
        (["--until-variance", "1000", "--wave", "100"], 100),
        (["--until-percentiles", "95,50,40", "--wave", "50"], 50),
        (["--until-percentiles", "95,50,0"], 1000),
        (["--until-sd", "100", "--until-variance", "0.001"], 1000),
    ],
)
def test_until_stops_at_the_first_wave_where_all_conditions_hold(playmill, words, count):
    runs = [
        facts_of(playmill("simulate", "connect_four", "--playouts", 1000, "--workers", workers, "--json", *words))
        for workers in (1, 2)
    ]
    assert [run["count"] for run in runs] == [count, count]
    assert runs[0]["digest"] == runs[1]["digest"]


def test_a_trace_shows_every_state(playmill):
    facts = facts_of(playmill("simulate", "tictactoe", "--trace", "--json"))
    (trace,) = facts["traces"]
    assert facts["count"] == 1
    assert [step["ply"] for step in trace] == list(range(facts["total_applied"] + 1))
    assert trace[0]["state"] == ".../.../... x to move"
    assert trace[-1]["action"] is None


def test_caps_and_transpositions_are_reported(playmill):
    facts = facts_of(playmill("simulate", "tictactoe", "--playouts", 50, "--max-events", 2, "--transpositions", "--json"))
    assert facts["reasons"]["MAX_EVENTS"] == 50
    assert facts["mean_returns"] is None
    assert 0.4 < facts["transposition_hit_rate"] < 1


def test_a_users_own_policy_runs_by_its_import_name(playmill, tmp_path):
    (tmp_path / "mine.py").write_text("def last(state):\n    return [99, *reversed(state.legal_actions)][1:] + [0]\n")
    import os

    done = playmill(
        "simulate",
        "tictactoe",
        "--playouts",
        3,
        "--policy",
        "mine:last",
        "--json",
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    facts = facts_of(done)
    assert facts["policy"] == "mine:last"
    assert facts["min_applied"] == facts["max_applied"] == 7


def test_people_get_a_table_and_a_histogram(playmill):
    done = playmill("simulate", "connect_four", "--playouts", 2000)
    assert done.returncode == 0
    for part in ("2,000 playouts", "percentiles", "won by", "actions per playout", "█"):
        assert part in done.stdout


def test_people_read_words_and_boards(playmill):
    shown = playmill("simulate", "tictactoe", "--trace", "--playouts", 1).stdout
    assert "   0  3 . . .\n      2 . . .\n      1 . . .\n        a b c\n      x to move\n" in shown
    assert "ended by     nothing left to play 1" in shown
    capped = playmill("simulate", "tictactoe", "--playouts", 5, "--max-events", 2).stdout
    assert "--max-events 5; 5 games unfinished" in capped
