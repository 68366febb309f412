"""What waits to be answered: rows of many clients for several models, and which of them make the next batch.

A batch is of one generation of one model and one question. It is taken when so many rows wait that it is full, or when its
oldest row has waited long enough, and then it takes all it can: a deadline that has passed in a backlog makes no small batch.
Clients have their turns, each an equal share of a batch. Time is an argument here, so that all of this can be tested.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from playmill.core.evaluation import Array
from playmill.serve.models import Generation
from playmill.serve.packing import AskedLists, BitRows, ChangingRows
from playmill.serve.protocol import Header

ClientId = tuple[int, bytes]  # which socket, and who there


@dataclass(frozen=True)
class SentRows:
    """What came with a request."""

    features: ChangingRows | BitRows | None = None  # None: for a dummy
    asked: AskedLists | None = None  # None: all logits, or no policy


@dataclass(eq=False)
class RowsJob:
    """One request, perhaps answered in parts."""

    client: ClientId
    header: Header
    sent: SentRows
    generation: Generation
    logits: Array  # float32 [rows, logits or 0], or [pairs] where lists are asked for
    values: Array  # float32 [rows, columns]
    arrived: float  # in seconds, of a clock that never goes back
    taken: int = 0  # rows that are in a batch, or were
    answered: int = 0
    error: str | None = None
    is_dropped: bool = False  # nobody waits for it any more

    @property
    def rows(self) -> int:
        return self.header.rows

    def logits_of(self, begin: int, end: int) -> Array:
        """The room for the logits of these rows."""
        asked = self.sent.asked
        return self.logits[slice(begin, end) if asked is None or self.header.what else asked.span(begin, end)]


class Question(NamedTuple):
    """What all rows of a batch have in common."""

    generation: Generation
    what: int
    actions: int


class Piece(NamedTuple):
    """Some rows of a job."""

    job: RowsJob
    begin: int
    end: int


@dataclass(frozen=True)
class Batch:
    """Rows that are answered together."""

    question: Question
    pieces: tuple[Piece, ...]

    @property
    def rows(self) -> int:
        return sum(piece.end - piece.begin for piece in self.pieces)


@dataclass
class FairQueue:
    """Jobs with one question, by client."""

    jobs: OrderedDict[ClientId, deque[RowsJob]] = field(default_factory=OrderedDict)
    rows: int = 0

    def add(self, job: RowsJob) -> None:
        self.jobs.setdefault(job.client, deque()).append(job)
        self.rows += job.rows

    def oldest(self) -> float:
        return min(waiting[0].arrived for waiting in self.jobs.values())

    def take(self, most: int) -> Iterator[Piece]:
        """Pieces of up to `most` rows: an equal share of each client in turn, then what is left."""
        while most > 0 and self.jobs:
            share = -(-most // len(self.jobs))
            client, waiting = next(iter(self.jobs.items()))
            for piece in self._share(waiting, min(share, most)):
                most -= piece.end - piece.begin
                yield piece
            self.jobs.move_to_end(client)
            if not waiting:
                del self.jobs[client]

    def _share(self, waiting: deque[RowsJob], most: int) -> Iterator[Piece]:
        while most > 0 and waiting:
            job = waiting[0]
            count = min(most, job.rows - job.taken)
            piece = Piece(job, job.taken, job.taken + count)
            job.taken += count
            most -= count
            self.rows -= count
            if job.taken == job.rows:
                waiting.popleft()
            yield piece

    def drop(self, client: ClientId) -> list[RowsJob]:
        """Forget a client's jobs; those of which nothing is being answered come back."""
        dropped = self.jobs.pop(client, deque())
        self.rows -= sum(job.rows - job.taken for job in dropped)
        for job in dropped:
            job.is_dropped = True
        return [job for job in dropped if job.taken == job.answered]


class Queues:
    """All that waits. Any thread may ask."""

    def __init__(self, max_batch: int, max_wait_s: float) -> None:
        self.max_batch, self.max_wait_s = max_batch, max_wait_s
        self._queues: dict[Question, FairQueue] = {}
        self._lock = threading.Lock()

    @property
    def rows(self) -> int:
        with self._lock:
            return sum(queue.rows for queue in self._queues.values())

    def add(self, job: RowsJob) -> None:
        question = Question(job.generation, job.header.what, job.header.actions)
        with self._lock:
            self._queues.setdefault(question, FairQueue()).add(job)

    def take(self, now: float, is_hurried: bool = False) -> Batch | None:
        """The next batch, of the question whose oldest row has waited longest; None while it pays to wait for more rows."""
        with self._lock:
            return self._take(now, is_hurried)

    def _take(self, now: float, is_hurried: bool) -> Batch | None:
        ready = [
            (oldest, question)
            for question, queue in self._queues.items()
            if (oldest := queue.oldest()) is not None
            and (is_hurried or queue.rows >= self.max_batch or now - oldest >= self.max_wait_s)
        ]
        if not ready:
            return None
        question = min(ready, key=lambda pair: pair[0])[1]
        queue = self._queues[question]
        pieces = tuple(queue.take(self.max_batch))
        if not queue.jobs:
            del self._queues[question]
        return Batch(question, pieces)

    def deadline(self) -> float | None:
        """When the next batch is to be taken, full or not; None if nothing waits."""
        with self._lock:
            return min((queue.oldest() + self.max_wait_s for queue in self._queues.values()), default=None)

    def drop(self, client: ClientId) -> list[RowsJob]:
        """Forget all that waits for a client."""
        with self._lock:
            dropped = [job for queue in self._queues.values() for job in queue.drop(client)]
            self._queues = {question: queue for question, queue in self._queues.items() if queue.jobs}
        return dropped
