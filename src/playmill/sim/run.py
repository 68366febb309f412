"""A batch in the making: playouts of one origin, run span by span into rows, compiled where the policy allows it."""

from __future__ import annotations

import threading

import numpy as np

from playmill.core.crew import Crew, Progress
from playmill.core.errors import require_workers
from playmill.sim import kernels
from playmill.sim.batch import Origin, PlayoutBatch, Rows
from playmill.sim.lengths import Lengths
from playmill.sim.playout import play_out
from playmill.sim.policies import BuiltinPolicy, Policy
from playmill.sim.results import PlayoutOptions, TerminalReason
from playmill.sim.transpositions import TranspositionSet


def runs_compiled(policy: Policy, options: PlayoutOptions) -> bool:
    """Whether kernels can do it: they know the built-in policies, and neither clocks nor traces."""
    return isinstance(policy, BuiltinPolicy) and options.time_limit_s is None and not options.capture_trace


class BatchRun:
    """Fills rows up to `reached`, then further when asked; `lengths` are the statistics so far."""

    def __init__(
        self,
        policy: Policy,
        options: PlayoutOptions,
        origin: Origin,
        capacity: int,
        workers: int,
        seen: TranspositionSet | None = None,
    ) -> None:
        self.policy, self.options, self.origin = policy, options, origin
        self.workers = require_workers(workers)
        self.rows = Rows(origin.game, capacity)
        self.lengths = Lengths()
        self.reached = 0
        self.is_whole = True
        self._finished: list[tuple[int, int]] = []  # spans (first, count), in order
        self._seen = seen
        self._seen_before = (seen.visited, seen.distinct) if seen else (0, 0)
        self._cancel = threading.Event()
        self._stop = np.zeros(1, np.int8)  # the same, where kernels can see it
        self._origin_records = origin.records()

    def run_to(self, end: int, cancel: threading.Event | None = None, progress: Progress | None = None) -> bool:
        """Run the playouts from `reached` to `end`; return False if that was cancelled."""
        work = self._play_compiled if runs_compiled(self.policy, self.options) else self._play_python
        crew = Crew(self.reached, end, work, self._halt)
        self.is_whole = crew.run(self.workers, cancel, progress)
        for first, count in [(self.reached, end - self.reached)] if self.is_whole else sorted(crew.spans):
            self.lengths.extend(self.rows.applied[first : first + count])
            self._finished.append((first, count))
        self.reached = end
        return self.is_whole

    def _halt(self) -> None:
        self._cancel.set()
        self._stop[0] = 1

    # ------------------------------------------------------------------ the two speeds

    def _play_python(self, first: int, count: int) -> int:
        """Play a span through the Python face; return how many were finished."""
        for index in range(first, first + count):
            result = play_out(self.policy, self._options_seen, self.origin.initial(index), cancel=self._cancel)
            if result.reason is TerminalReason.STOPPED:
                return index - first
            if self._seen is not None and result.trace is not None:
                self._seen.add(state.key for state in result.trace)
            self.rows.put(index, result, with_trace=self.options.capture_trace)
        return count

    @property
    def _options_seen(self) -> PlayoutOptions:
        """The options, with a trace if only the transposition set needs one."""
        if self._seen is None or self.options.capture_trace:
            return self.options
        return PlayoutOptions(self.options.max_events, self.options.time_limit_s, capture_trace=True)

    def _play_compiled(self, first: int, count: int) -> int:
        """Play a span in kernels; return how many were finished."""
        assert isinstance(self.policy, BuiltinPolicy)
        game, rows, span = self.origin.game, self.rows, slice(first, first + count)
        actions = np.empty(game.max_legal, np.int32)
        begin = (game, self._origin_records, self.origin.state is None, self.origin.ply, np.uint64(self.origin.seed), first)
        finished: int = kernels.play_many(
            *begin, self.policy.rule, self.options.max_events or kernels.NO_CAP,
            rows.applied[span], rows.reasons[span], rows.returns[span], rows.finals[span], actions, self._stop,
        )  # fmt: skip
        if self._seen is not None:
            applied = rows.applied[first : first + finished]
            keys = np.empty(int(applied.sum()) + finished, np.uint64)
            scratch, scores = game.records(1), np.empty(game.players)
            kernels.collect_keys(*begin, self.policy.rule, applied, scratch, scores, actions, keys, np.zeros(1, np.int8))
            self._seen.add(keys)
        return finished

    # ------------------------------------------------------------------ the end

    def result(self) -> PlayoutBatch:
        """The finished playouts in index order."""
        if self.lengths.count == self.reached:
            indices = np.arange(self.reached)
            self.rows.truncate(self.reached)
        else:
            spans = [np.arange(first, first + count) for first, count in self._finished]
            indices = np.concatenate(spans) if spans else np.empty(0, np.int64)
            self.rows.select(indices)
        return PlayoutBatch(self.origin, self.rows, indices, self.lengths, not self.is_whole, self._hit_rate())

    def _hit_rate(self) -> float | None:
        """The share of this batch's states that had been seen before; None where nobody looked."""
        if self._seen is None:
            return None
        visited = self._seen.visited - self._seen_before[0]
        distinct = self._seen.distinct - self._seen_before[1]
        return 1 - distinct / visited if visited else 0.0
