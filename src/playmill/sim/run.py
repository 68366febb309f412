"""A batch in the making: playouts of one origin, run span by span into rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from playmill.core.executor import Cancel, Progress, Threads
from playmill.sim.batch import Origin, PlayoutBatch, Rows
from playmill.sim.lengths import Lengths
from playmill.sim.policies import Policy
from playmill.sim.results import PlayoutOptions
from playmill.sim.spans import Span, SpanResult, play_span
from playmill.sim.transpositions import TranspositionSet

SPAN_S = 0.02  # what a span should take: short enough for a lively progress bar, long enough to be cheap
MAX_SPAN = 1 << 14


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
        self.rows = Rows(origin.game, capacity)
        self.lengths = Lengths()
        self.reached = 0
        self.is_whole = True
        self._executor = Threads(workers)
        self._span = 1
        self._finished: list[tuple[int, int]] = []  # spans (first, count), in order
        self._seen = seen
        self._seen_before = (seen.visited, seen.distinct) if seen else (0, 0)

    def run_to(self, end: int, cancel: Cancel | None = None, progress: Progress | None = None) -> bool:
        """Run the playouts from `reached` to `end`; return False if that was cancelled."""
        done: list[tuple[int, int]] = []
        self.is_whole = self._run_spans(end, done, cancel, progress)
        for first, count in [(self.reached, end - self.reached)] if self.is_whole else sorted(done):
            self.lengths.extend(self.rows.applied[first : first + count])
            self._finished.append((first, count))
        self.reached = end
        return self.is_whole

    def _run_spans(self, end: int, done: list[tuple[int, int]], cancel: Cancel | None, progress: Progress | None) -> bool:
        """Note the spans in `done` as they come; return whether nothing is missing."""
        count = self.reached
        try:
            for _, result in self._executor.run(play_span, self._spans(end), cancel=cancel):
                self._take(result)
                done.append((result.first, result.finished))
                count += result.finished
                if progress is not None:
                    progress(count)
        except KeyboardInterrupt:
            return False
        return count == end

    def _spans(self, end: int) -> Iterator[Span]:
        first, wants_keys = self.reached, self._seen is not None
        while first < end:
            count = min(self._span, end - first)
            yield Span(self.policy, self.options, self.origin, first, count, wants_keys)
            first += count

    def _take(self, result: SpanResult) -> None:
        """Put the rows in their place, and size the next spans so that one takes about SPAN_S."""
        self.rows.put_all(result.first, result.rows)
        if self._seen is not None:
            self._seen.add(result.keys)
        if result.seconds < SPAN_S / 2 and result.finished == self._span:
            self._span = min(2 * self._span, MAX_SPAN)
        elif result.seconds > 2 * SPAN_S:
            self._span = max(self._span // 2, 1)

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
