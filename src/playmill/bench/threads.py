"""Work on some threads at once, and how many cores it really had."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor


class OnThreads:
    """Calls every one of `works` with the same size, each on a thread of its own; the counts are added up."""

    def __init__(self, works: Sequence[Callable[[int], int]]) -> None:
        self._works = works
        self._wall_s = self._cpu_s = 0.0

    def __call__(self, size: int) -> int:
        wall, cpu = time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(len(self._works)) as pool:
            count: int = sum(pool.map(lambda work: work(size), self._works))
        self._wall_s += time.perf_counter() - wall
        self._cpu_s += time.process_time() - cpu
        return count

    @property
    def threads(self) -> int:
        return len(self._works)

    @property
    def cores_used(self) -> float:
        """How many cores the work really had; less than its threads where neighbours kept some busy."""
        return self._cpu_s / self._wall_s
