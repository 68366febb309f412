"""A span of playouts: the task that a batch is made of, run compiled where the policy allows it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.executor import stop_sign
from playmill.sim import kernels
from playmill.sim.batch import Origin, Rows
from playmill.sim.playout import play_out
from playmill.sim.policies import BuiltinPolicy, Policy
from playmill.sim.results import PlayoutOptions, TerminalReason


@dataclass(frozen=True)
class Span:
    """The playouts first .. first + count - 1 of an origin."""

    policy: Policy
    options: PlayoutOptions
    origin: Origin
    first: int
    count: int
    wants_keys: bool


@dataclass(frozen=True)
class SpanResult:
    """Rows of the playouts that were finished, the first ones of the span; and the keys of all their states, if wanted."""

    first: int
    finished: int
    rows: Rows
    keys: Any
    seconds: float


def runs_compiled(policy: Policy, options: PlayoutOptions) -> bool:
    """Whether kernels can do it: they know the built-in policies, and neither clocks nor traces."""
    return isinstance(policy, BuiltinPolicy) and options.time_limit_s is None and not options.capture_trace


def play_span(span: Span) -> SpanResult:
    """Play until all is done or the run is stopped."""
    began = time.perf_counter()
    rows = Rows(span.origin.game, span.count)
    play = _play_compiled if runs_compiled(span.policy, span.options) else _play_python
    finished, keys = play(span, rows)
    rows.truncate(finished)
    return SpanResult(span.first, finished, rows, keys, time.perf_counter() - began)


def _play_python(span: Span, rows: Rows) -> tuple[int, Any]:
    """Play through the Python face; return how many were finished, and the keys."""
    options, stop, keys, finished = _with_trace(span), stop_sign(), list[int](), 0
    for row in range(span.count):
        result = play_out(span.policy, options, span.origin.initial(span.first + row), cancel=stop)
        if result.reason is TerminalReason.STOPPED:
            break
        if span.wants_keys and result.trace is not None:
            keys += [state.key for state in result.trace]
        rows.put(row, result, with_trace=span.options.capture_trace)
        finished += 1
    return finished, np.array(keys, np.uint64)


def _with_trace(span: Span) -> PlayoutOptions:
    """The options, with a trace if only the keys need one."""
    if not span.wants_keys or span.options.capture_trace:
        return span.options
    return PlayoutOptions(span.options.max_events, span.options.time_limit_s, capture_trace=True)


def _play_compiled(span: Span, rows: Rows) -> tuple[int, Any]:
    """Play in kernels; return how many were finished, and the keys."""
    assert isinstance(span.policy, BuiltinPolicy)
    origin, rule = span.origin, span.policy.rule
    game, actions = origin.game, np.empty(origin.game.max_legal, np.int32)
    begin = (game, origin.records(), origin.state is None, origin.ply, np.uint64(origin.seed), span.first)
    finished: int = kernels.play_many(
        *begin, rule, span.options.max_events or kernels.NO_CAP,
        rows.applied, rows.reasons, rows.returns, rows.finals, actions, stop_sign().flag,
    )  # fmt: skip
    if not span.wants_keys:
        return finished, None
    applied = rows.applied[:finished]
    keys = np.empty(int(applied.sum()) + finished, np.uint64)
    scratch, scores = game.records(1), np.empty(game.players)
    kernels.collect_keys(*begin, rule, applied, scratch, scores, actions, keys, np.zeros(1, np.int8))
    return finished, keys
