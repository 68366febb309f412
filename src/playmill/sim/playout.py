"""One playout through the Python face: any policy, any game, observed and traced. `sim/kernels.py` is its compiled twin."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterable

from playmill.core.errors import PlaymillError, UsageError, raised_where
from playmill.core.executor import Cancel
from playmill.games.state import State
from playmill.sim.observers import Observer
from playmill.sim.policies import Policy
from playmill.sim.results import PlayoutOptions, PlayoutResult, TerminalReason

clock = time.perf_counter


class PolicyError(PlaymillError):
    """A user's policy raised an error."""


def play_out(
    policy: Policy,
    options: PlayoutOptions,
    initial: State,
    observer: Observer | None = None,
    cancel: Cancel | None = None,
) -> PlayoutResult:
    """Play from `initial` until a cap is met, the caller cancels, or no candidate applies."""
    deadline = None if options.time_limit_s is None else clock() + options.time_limit_s
    trace, actions = [initial], []
    state, applied, rejected = initial, 0, 0
    while True:
        reason = _cap_met(options, applied, deadline, cancel)
        if reason is not None:
            break
        candidates = _offered(policy, state)
        taken, tried = _first_legal(state, candidates)
        rejected += tried - (taken is not None)
        if observer is not None and tried:
            observer.on_step(state, applied, len(candidates), taken is not None, candidates[tried - 1])
        if taken is None:
            reason = TerminalReason.NO_MOVES
            break
        state = state.apply(taken)
        applied += 1
        if options.capture_trace:
            trace.append(state)
            actions.append(taken)
    way = (tuple(trace), tuple(actions)) if options.capture_trace else (None, None)
    result = PlayoutResult(initial, state, applied, rejected, reason, *way)
    if observer is not None:
        observer.on_completed(result)
    return result


def _cap_met(options: PlayoutOptions, applied: int, deadline: float | None, cancel: Cancel | None) -> TerminalReason | None:
    """Which cap ends the playout here, if any. The order is the precedence: the count is the same on every machine."""
    if applied == options.max_events:
        return TerminalReason.MAX_EVENTS
    if deadline is not None and clock() >= deadline:
        return TerminalReason.TIME_LIMIT
    if cancel is not None and cancel.is_set():
        return TerminalReason.STOPPED
    return None


def _offered(policy: Policy, state: State) -> list[int]:
    """The policy's candidates as whole numbers in the game's action range, or an error that shows what came."""
    try:
        offer = policy(state)
        candidates = list(offer) if isinstance(offer, Iterable) else None
    except PlaymillError:
        raise
    except (Exception, SystemExit) as error:
        raise PolicyError(f"policy: {raised_where(error)}, in '{state.line}'") from error
    if candidates is None:
        raise UsageError(f"policy: expected a list of actions, got {offer!r} in '{state.line}'")
    return [_checked(candidate, state) for candidate in candidates]


def _checked(candidate: object, state: State) -> int:
    try:
        action = operator.index(candidate)  # type: ignore[arg-type]
    except TypeError:
        action = -1
    if not 0 <= action < state.game.actions:
        raise UsageError(f"policy: expected actions from 0 to {state.game.actions - 1}, got {candidate!r} in '{state.line}'")
    return action


def _first_legal(state: State, candidates: list[int]) -> tuple[int | None, int]:
    """The first legal candidate (None if none is) and how many were tried."""
    legal = state.legal_actions
    for tried, candidate in enumerate(candidates, 1):
        if candidate in legal:
            return candidate, tried
    return None, len(candidates)
