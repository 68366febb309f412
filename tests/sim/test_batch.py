"""Batches: any number of workers, two speeds, one result; early stop; cancellation."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from playmill.core.errors import UsageError
from playmill.core.seeds import mix
from playmill.games.registry import game_names, get_game
from playmill.sim import PlayoutOptions, Simulator, TerminalReason, TranspositionSet, all_legal, first_legal, uniform_random
from playmill.sim.playout import PolicyError

FOUR = get_game("connect_four")
TICTACTOE = get_game("tictactoe")


def in_python(policy):
    """The same policy as an ordinary callable, which runs through the Python face."""
    return lambda state: policy(state)


@pytest.mark.parametrize("policy", [uniform_random, first_legal, all_legal], ids=lambda policy: policy.name)
@pytest.mark.parametrize("name", game_names())
def test_both_speeds_give_the_same_rows_for_every_game(name, policy):
    game = get_game(name)
    middle = Simulator(uniform_random, PlayoutOptions(max_events=4)).playout(game.new(3)).final
    for start in (game, middle):
        for options in (PlayoutOptions(), PlayoutOptions(max_events=6)):
            compiled = Simulator(policy, options).playout_many(start, 12, workers=2, seed=9)
            python = Simulator(in_python(policy), options).playout_many(start, 12, seed=9)
            assert compiled.digest() == python.digest()
            assert list(compiled) == list(python)


def test_playout_i_runs_on_the_state_reseeded_with_mix_of_seed_and_i():
    state = get_game("yatzy").new(1)
    batch = Simulator(uniform_random).playout_many(state, 5, seed=42)
    singles = [Simulator(uniform_random).playout(state.reseeded(mix(42, i))) for i in range(5)]
    assert list(batch) == singles
    assert batch[-1] == singles[4]
    with pytest.raises(IndexError):
        batch[5]


def test_a_game_instead_of_a_state_starts_each_playout_anew():
    game = get_game("yatzy")
    batch = Simulator(uniform_random).playout_many(game, 20, seed=3)
    assert [result.initial for result in batch] == [game.new(mix(3, i)) for i in range(20)]
    assert len({str(result.initial) for result in batch}) > 10


@pytest.mark.jit
def test_a_million_playouts_are_the_same_for_one_and_two_workers():
    one, two = (Simulator(uniform_random).playout_many(FOUR, 1_000_000, workers, seed=1) for workers in (1, 2))
    assert one.digest() == two.digest()
    assert np.array_equal(one.applied, two.applied)
    for name in ("count", "progressed", "total_applied", "min_applied", "max_applied", "mean_applied", "variance"):
        assert getattr(one, name) == getattr(two, name)
    assert one.histogram.tolist() == two.histogram.tolist()


def test_batch_statistics_are_those_of_its_rows():
    batch = Simulator(uniform_random).playout_many(FOUR, 500, workers=2, seed=4)
    applied = np.array([result.applied for result in batch])
    assert (batch.count, batch.progressed, batch.total_applied) == (500, 500, applied.sum())
    assert batch.standard_deviation == pytest.approx(applied.std(), rel=1e-12)
    assert batch.percentile(95) == np.percentile(applied, 95, method="inverted_cdf")
    assert batch.reasons[TerminalReason.NO_MOVES] == 500
    assert batch.returns.tolist() == [list(result.final.returns) for result in batch]
    assert not batch.partial


def test_unfinished_games_have_no_returns():
    batch = Simulator(uniform_random, PlayoutOptions(max_events=2)).playout_many(FOUR, 5)
    assert np.isnan(batch.returns).all()
    assert batch.reasons[TerminalReason.MAX_EVENTS] == 5


def test_traces_are_kept_in_batches_too():
    batch = Simulator(uniform_random, PlayoutOptions(capture_trace=True)).playout_many(TICTACTOE, 4, workers=2)
    assert all(result.trace[-1] == result.final for result in batch)


# ---------------------------------------------------------------------- early stop


def test_sequential_until_looks_after_every_playout():
    asked = []

    def stop(lengths):
        asked.append((lengths.count, lengths.total))
        return lengths.count == 5

    batch = Simulator(uniform_random).playout_many_until(FOUR, 100, stop, seed=2)
    assert [count for count, _ in asked] == [1, 2, 3, 4, 5]
    assert batch.count == 5
    assert asked[-1][1] == batch.total_applied


def test_until_gives_the_first_rows_of_the_full_batch():
    full = Simulator(uniform_random).playout_many(FOUR, 40, seed=2)
    batch = Simulator(uniform_random).playout_many_until(FOUR, 100, lambda lengths: lengths.count >= 40, seed=2)
    assert batch.digest() == full.digest()


@pytest.mark.parametrize("policy", [uniform_random, in_python(uniform_random)], ids=["compiled", "python"])
def test_parallel_until_depends_on_the_wave_and_not_on_the_workers(policy):
    def stop(lengths):
        return lengths.count >= 50

    batches = [Simulator(policy).playout_many_until(FOUR, 200, stop, workers, wave=32, seed=2) for workers in (1, 2, 3)]
    assert {batch.count for batch in batches} == {64}
    assert len({batch.digest() for batch in batches}) == 1


def test_until_stops_at_the_maximum():
    batch = Simulator(uniform_random).playout_many_until(FOUR, 70, lambda lengths: False, workers=2, wave=32)
    assert batch.count == 70
    assert not batch.partial


# ---------------------------------------------------------------------- cancelling


def test_a_cancelled_batch_returns_what_is_finished_in_order():
    cancel = threading.Event()
    policy = in_python(uniform_random)
    full = Simulator(policy).playout_many(TICTACTOE, 60, seed=8)

    def slow(state):
        if state.seed == full[30].initial.seed:
            cancel.set()
        time.sleep(0.001)
        return policy(state)

    batch = Simulator(slow).playout_many(TICTACTOE, 60, workers=2, seed=8, cancel=cancel)
    assert batch.partial
    assert 0 < batch.count < 60
    assert batch.indices.tolist() == sorted(batch.indices.tolist())
    assert [batch[row] for row in range(batch.count)] == [full[i] for i in batch.indices.tolist()]


def test_a_compiled_batch_stops_inside_an_endless_playout(endless):
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    batch = Simulator(uniform_random).playout_many(endless, 3, workers=2, cancel=cancel)
    assert (batch.count, batch.partial) == (0, True)


@pytest.fixture
def endless():
    """A game that never ends."""
    from playmill.games.game import Game

    game = Game("endless", state=np.dtype([("mover", "u1")]), players=1, logits=1)

    @game.kernel
    def start(state, chance):
        pass

    @game.kernel
    def legal(state, actions):
        actions[0] = 0
        return 1

    @game.kernel
    def play(state, action, chance):
        pass

    @game.kernel
    def outcome(state, scores):
        return False

    return game


def test_ctrl_c_shows_the_partial_batch_and_exits_130(tmp_path):
    (tmp_path / "patient.py").write_text(
        "import sys, time\n"
        "def policy(state):\n"
        "    if state.ply == 3:\n"
        "        print('under way', file=sys.stderr, flush=True)\n"
        "    time.sleep(0.002)\n"
        "    return state.legal_actions\n"
    )
    command = [sys.executable, "-m", "playmill.cli.main", "simulate", "connect_four", "--playouts", "100000", "--json"]
    command += ["--policy", "patient:policy"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert "under way" in process.stderr.readline()  # two threads may say it in one line
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["partial"] is True


def test_an_error_in_a_policy_reaches_the_caller():
    def broken(state):
        raise RuntimeError("policy broke")

    with pytest.raises(PolicyError, match="RuntimeError: policy broke") as caught:
        Simulator(broken).playout_many(FOUR, 50, workers=2)
    assert isinstance(caught.value.__cause__, RuntimeError)


# ---------------------------------------------------------------------- transpositions


@pytest.mark.parametrize("workers", [1, 2])
def test_transpositions_are_counted_alike_at_both_speeds(workers):
    batches = [
        Simulator(policy).playout_many(TICTACTOE, 300, workers, seed=5, seen=TranspositionSet())
        for policy in (uniform_random, in_python(uniform_random))
    ]
    states = [
        s
        for r in Simulator(uniform_random, PlayoutOptions(capture_trace=True)).playout_many(TICTACTOE, 300, seed=5)
        for s in r.trace
    ]
    expected = 1 - len({state.key for state in states}) / len(states)
    assert [batch.transposition_hit_rate for batch in batches] == [pytest.approx(expected)] * 2


def test_a_shared_set_remembers_earlier_batches():
    seen = TranspositionSet()
    first, second = (Simulator(first_legal).playout_many(TICTACTOE, 2, seen=seen) for _ in range(2))
    assert first.transposition_hit_rate == 0.5
    assert second.transposition_hit_rate == 1.0
    assert (seen.visited, seen.distinct) == (32, 8)


def test_the_set_grows_and_knows_the_key_zero():
    seen = TranspositionSet()
    seen.add([0, 1, 0])
    seen.add(np.arange(20_000, dtype=np.uint64))
    assert (seen.visited, seen.distinct) == (20_003, 20_000)
    assert TranspositionSet().hit_rate == 0.0


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda sim: sim.playout_many(FOUR, 0), "count: expected a whole number above 0, got 0"),
        (lambda sim: sim.playout_many(FOUR, -3), "count: expected a whole number above 0, got -3"),
        (lambda sim: sim.playout_many(FOUR, 3, workers=0), "workers: expected a whole number above 0, got 0"),
        (lambda sim: sim.playout_many(FOUR, 3, seed=-1), r"seed: expected a whole number from 0 to 2\*\*64 - 1, got -1"),
        (lambda sim: sim.playout_many("chess", 3), "expected a State or a Game to start from, got 'chess'"),
        (lambda sim: sim.playout_many(FOUR, 10**12), "rows of 1000000000000 playouts don't fit into memory"),
        (lambda sim: sim.playout_many_until(FOUR, 0, lambda b: True), "max_count: expected a whole number above 0, got 0"),
        (lambda sim: sim.playout_many_until(FOUR, 9, lambda b: True, wave=0), "wave: expected a whole number above 0, got 0"),
    ],
)
def test_bad_numbers_are_refused_by_name(call, line):
    with pytest.raises(UsageError, match=line):
        call(Simulator(uniform_random))
