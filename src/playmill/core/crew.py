"""A crew of threads that works through numbered pieces in chunks, and stops when told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

CHUNK_S = 0.02  # what a chunk should take: short enough for a lively progress bar, long enough to be cheap
MAX_CHUNK = 1 << 14
POLL_S = 0.05

Work = Callable[[int, int], int]
Progress = Callable[[int], None]


class Crew:
    """Runs `work(first, count) -> finished` over the numbers begin..end-1; `spans` are the (first, finished) done.

    Which thread takes which chunk depends on timing; that must not matter, so each number's work stands alone. `halt` is
    called once to make unfinished work return early.
    """

    def __init__(self, begin: int, end: int, work: Work, halt: Callable[[], None]) -> None:
        self._begin = begin
        self._next = begin
        self._end = end
        self._work = work
        self._halt = halt
        self._halted = False
        self._chunk = 1
        self._lock = threading.Lock()
        self._errors: list[tuple[int, BaseException]] = []
        self._done = 0
        self.spans: list[tuple[int, int]] = []

    def run(self, workers: int, cancel: threading.Event | None = None, progress: Progress | None = None) -> bool:
        """Work until all is done; return False if Ctrl-C or `cancel` came first. The first error of a piece is raised."""
        if self._end - self._begin == 1:
            self._run_here(cancel)
        else:
            self._run_threads(workers, cancel, progress)
        if progress is not None:
            progress(self._begin + self._done)
        if self._errors:
            raise min(self._errors, key=lambda item: item[0])[1]
        return not self._halted

    def _run_here(self, cancel: threading.Event | None) -> None:
        """One piece is not worth a thread."""
        if cancel is not None and cancel.is_set():
            self._stop()
            return
        try:
            self._labour()
        except KeyboardInterrupt:
            self._stop()

    def _run_threads(self, workers: int, cancel: threading.Event | None, progress: Progress | None) -> None:
        threads = [threading.Thread(target=self._labour, daemon=True) for _ in range(workers)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            try:
                self._watch(threads, cancel, progress)
            except KeyboardInterrupt:
                self._stop()

    def _watch(self, threads: list[threading.Thread], cancel: threading.Event | None, progress: Progress | None) -> None:
        for thread in threads:
            while thread.is_alive():
                thread.join(POLL_S)
                if progress is not None:
                    progress(self._begin + self._done)
                if cancel is not None and cancel.is_set():
                    self._stop()

    def _stop(self) -> None:
        if not self._halted:
            self._halted = True
            self._halt()

    def _labour(self) -> None:
        while not self._halted:
            first, count = self._take()
            if count == 0:
                return
            began = time.perf_counter()
            try:
                finished = self._work(first, count)
            except Exception as error:
                self._errors.append((first, error))
                self._stop()
                return
            self._report(first, finished, count, time.perf_counter() - began)

    def _take(self) -> tuple[int, int]:
        with self._lock:
            first = self._next
            count = min(self._chunk, self._end - first)
            self._next += count
            return first, count

    def _report(self, first: int, finished: int, count: int, seconds: float) -> None:
        """Note what is done, and size the next chunks so that one takes about CHUNK_S."""
        with self._lock:
            if finished:
                self.spans.append((first, finished))
            self._done += finished
            if seconds < CHUNK_S / 2 and count == self._chunk:
                self._chunk = min(2 * self._chunk, MAX_CHUNK)
            elif seconds > 2 * CHUNK_S:
                self._chunk = max(self._chunk // 2, 1)
