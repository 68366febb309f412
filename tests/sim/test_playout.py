"""One playout: what ends it, what is counted, what observers see."""

import threading

import pytest

from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.sim import (
    BranchingObserver,
    PlayoutOptions,
    Simulator,
    TerminalReason,
    all_legal,
    first_legal,
    playout,
    uniform_random,
)

TICTACTOE = get_game("tictactoe")
START = TICTACTOE.new()


class Watcher:
    """Writes down every call."""

    def __init__(self):
        self.steps, self.results = [], []

    def on_step(self, before, index, candidates, applied, attempted):
        self.steps.append((before.line, index, candidates, applied, attempted))

    def on_completed(self, result):
        self.results.append(result)


def test_a_playout_ends_with_the_game_and_leaves_its_state_alone():
    before = bytes(START)
    result = Simulator(first_legal).playout(START)
    assert result.reason is TerminalReason.NO_MOVES
    assert result.final.is_over
    assert result.applied == result.final.ply == 7
    assert bytes(START) == before
    assert result.initial is START


def test_same_input_same_output():
    runs = [Simulator(uniform_random).playout(START.reseeded(5)) for _ in range(2)]
    assert runs[0] == runs[1]


def test_illegal_candidates_are_counted_and_the_next_one_is_tried():
    result = Simulator(lambda state: [0, *state.legal_actions]).playout(START)
    # 0 is legal only at first; from then on it is offered and refused once a step.
    assert result.rejected == result.applied  # the last refusal is in the finished state
    assert result.reason is TerminalReason.NO_MOVES


def test_all_candidates_rejected_is_no_moves_and_not_a_loop():
    watcher = Watcher()
    result = Simulator(lambda state: [4, 4, 4]).playout(START, watcher)
    assert (result.applied, result.rejected, result.reason) == (1, 3, TerminalReason.NO_MOVES)
    assert watcher.steps[-1][1:] == (1, 3, False, 4)


def test_an_empty_offer_is_no_moves():
    watcher = Watcher()
    result = Simulator(lambda state: []).playout(START, watcher)
    assert (result.applied, result.rejected, result.reason) == (0, 0, TerminalReason.NO_MOVES)
    assert watcher.steps == []
    assert watcher.results == [result]


def test_max_events_cuts_the_playout():
    result = Simulator(uniform_random, PlayoutOptions(max_events=3)).playout(START)
    assert (result.applied, result.reason) == (3, TerminalReason.MAX_EVENTS)


class Clock:
    """Time that passes only when somebody looks: a second a look."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


def test_the_time_limit_cuts_the_playout(monkeypatch):
    monkeypatch.setattr(playout, "clock", Clock())
    result = Simulator(uniform_random, PlayoutOptions(time_limit_s=3)).playout(START)
    assert (result.applied, result.reason) == (2, TerminalReason.TIME_LIMIT)


def test_max_events_wins_over_the_time_limit_in_the_same_iteration(monkeypatch):
    monkeypatch.setattr(playout, "clock", Clock())
    result = Simulator(uniform_random, PlayoutOptions(max_events=2, time_limit_s=3)).playout(START)
    assert (result.applied, result.reason) == (2, TerminalReason.MAX_EVENTS)


def test_a_cancelled_playout_is_stopped():
    cancel = threading.Event()

    def policy(state):
        if state.ply == 2:
            cancel.set()
        return state.legal_actions

    result = Simulator(policy).playout(START, cancel=cancel)
    assert (result.applied, result.reason) == (3, TerminalReason.STOPPED)


def test_observers_see_the_state_before_the_step_and_all_candidates():
    watcher = Watcher()
    result = Simulator(all_legal, PlayoutOptions(max_events=2)).playout(START, watcher)
    assert watcher.steps == [
        (".../.../... x to move", 0, 9, True, 0),
        ("x../.../... o to move", 1, 8, True, 1),
    ]
    assert watcher.results == [result]


def test_the_branching_observer_counts_candidates_over_many_playouts():
    observer = BranchingObserver()
    assert observer.branching_factor == 0
    for seed in range(3):
        Simulator(uniform_random, PlayoutOptions(max_events=3)).playout(START.reseeded(seed), observer)
    assert (observer.steps, observer.total_candidates) == (9, 3 * (9 + 8 + 7))
    assert observer.branching_factor == 8.0


def test_a_trace_holds_every_state_and_the_actions_between():
    result = Simulator(uniform_random, PlayoutOptions(capture_trace=True)).playout(START)
    assert result.trace[0] == START
    assert result.trace[-1] == result.final
    assert len(result.trace) == result.applied + 1
    for before, action, after in zip(result.trace, result.actions, result.trace[1:], strict=False):
        assert before.apply(action) == after


def test_a_finished_state_is_refused():
    final = Simulator(first_legal).playout(START).final
    with pytest.raises(UsageError, match=r"tictactoe: expected an unfinished state .* over in 'xox/oxo/x"):
        Simulator(first_legal).playout(final)
    with pytest.raises(UsageError, match="expected an unfinished state"):
        Simulator(first_legal).playout_many(final, 3)


@pytest.mark.parametrize(
    ("offer", "shown"), [(["a4"], "'a4'"), ([9], "9"), ([-1], "-1"), ([1.0], "1.0"), (7, "7"), (None, "None")]
)
def test_a_policy_that_offers_a_non_action_is_shown_with_its_state(offer, shown):
    with pytest.raises(UsageError, match=rf"policy: expected .* got {shown} in '\.\.\./\.\.\./\.\.\. x to move'"):
        Simulator(lambda state: offer).playout(START)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"max_events": 0}, "max_events: expected a whole number above 0, got 0"),
        ({"max_events": -4}, "max_events: expected a whole number above 0, got -4"),
        ({"time_limit_s": 0}, "time_limit_s: expected a number of seconds above 0, got 0"),
        ({"time_limit_s": float("nan")}, "time_limit_s: expected .* got nan"),
    ],
)
def test_bad_options_are_refused(options, line):
    with pytest.raises(UsageError, match=line):
        PlayoutOptions(**options)


def test_a_policy_must_be_callable():
    with pytest.raises(UsageError, match="policy: expected a function of a state"):
        Simulator("uniform_random")


def test_a_terminal_reason_prints_as_its_name():
    reason = Simulator(first_legal).playout(START).reason
    assert str(reason) == f"{reason}" == "NO_MOVES"
    assert f"{TerminalReason.STOPPED:>8}" == " STOPPED"
    assert reason == 0
