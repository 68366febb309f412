"""Threads that answer batches, each with evaluators and buffers of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import zmq

from playmill.core.errors import one_line
from playmill.core.evaluation import POLICY, VALUES, EvalBuffer
from playmill.nets.net_evaluator import NetEvaluator
from playmill.serve.card import ModelCard
from playmill.serve.models import Generation
from playmill.serve.protocol import what_name
from playmill.serve.queues import Batch, Piece, Question

WAKE = "inproc://playmill-serve-wake"


@dataclass(frozen=True)
class RowShape:
    """The width of a batch's rows, for `open_buffer`."""

    feature_count: int
    logits: int
    max_legal: int


@dataclass
class Desk:
    """A worker's own evaluator of one generation, with a buffer for each question."""

    evaluator: NetEvaluator
    card: ModelCard
    rows: int
    buffers: dict[tuple[int, int], EvalBuffer] = field(default_factory=dict)

    def buffer(self, question: Question) -> EvalBuffer:
        key = question.what, question.actions
        if key not in self.buffers:
            shape = RowShape(self.card.features, self.card.logits, question.actions or self.card.logits)
            self.buffers[key] = self.evaluator.open_buffer(shape, self.rows)
        return self.buffers[key]


@dataclass(frozen=True)
class Answered:
    """A batch that a worker has answered. `worker` is free again, or None: it has taken the next one by itself."""

    batch: Batch
    worker: Worker | None


class Worker:
    """One thread. `post` gives it a batch, and it goes on with batches that `take` has for it.

    Batches come back through `done`. To be handed the next one by the thread at the sockets took 0.1 ms, a tenth of a batch.
    """

    def __init__(
        self, context: zmq.Context[Any], done: SimpleQueue[Any], max_batch: int, take: Callable[[], Batch | None]
    ) -> None:
        self._context, self._done, self._max_batch, self._take = context, done, max_batch, take
        self._orders: SimpleQueue[Batch | None] = SimpleQueue()
        self._desks: dict[Generation, Desk] = {}
        self._is_dismissed = False
        self._thread = threading.Thread(target=self._work, daemon=True, name="playmill-serve-worker")
        self._thread.start()

    def post(self, batch: Batch) -> None:
        self._orders.put(batch)

    def dismiss(self) -> None:
        """Let it finish the batch that it has, and end."""
        self._is_dismissed = True
        self._orders.put(None)
        self._thread.join()

    def _work(self) -> None:
        bell = Bell(self._context)
        while (batch := self._orders.get()) is not None:
            while batch is not None:
                self._try(batch)
                following = None if self._is_dismissed else self._take()
                self._done.put(Answered(batch, self if following is None else None))
                bell.ring()
                batch = following
        bell.close()

    def _try(self, batch: Batch) -> None:
        try:
            self._answer(batch)
        except Exception as error:  # whatever a network raises is the request's error; others still get answers
            for piece in batch.pieces:
                piece.job.error = f"{type(error).__name__}: {one_line(error)}"

    def _answer(self, batch: Batch) -> None:
        question = batch.question
        if question.generation.evaluator is None:
            for job, begin, end in batch.pieces:
                question.generation.fill_dummy(job.logits_of(begin, end), job.values[begin:end])
            return
        desk = self._desk(question.generation)
        buffer, rows = desk.buffer(question), batch.rows
        self._fill(batch, buffer)
        what = what_name(question.what, desk.card.heads) or VALUES
        desk.evaluator.submit(buffer, rows, what)
        desk.evaluator.collect(buffer)
        self._hand_out(batch, buffer, what)

    def _desk(self, generation: Generation) -> Desk:
        if generation not in self._desks:
            assert generation.evaluator is not None
            self._desks = {known: desk for known, desk in self._desks.items() if not known.is_done}
            self._desks[generation] = Desk(generation.evaluator.clone(), generation.card, self._max_batch)
        return self._desks[generation]

    def _fill(self, batch: Batch, buffer: EvalBuffer) -> None:
        row = 0
        for job, begin, end in batch.pieces:
            rows = slice(row, row + end - begin)
            assert job.sent.features is not None  # only a dummy's requests have none
            job.sent.features.unpack(begin, buffer.features[rows])
            if buffer.asked.shape[1] and job.sent.asked is not None:
                job.sent.asked.put(begin, buffer.asked[rows])
            row = rows.stop

    def _hand_out(self, batch: Batch, buffer: EvalBuffer, what: str) -> None:
        row = 0
        for piece in batch.pieces:
            job, begin, end = piece
            rows = slice(row, row + end - begin)
            if what == POLICY:
                _choose_logits(piece, buffer, rows)
            job.values[begin:end] = buffer.values[rows] if what in (POLICY, VALUES) else buffer.head[rows]
            row = rows.stop


def _choose_logits(piece: Piece, buffer: EvalBuffer, rows: slice) -> None:
    """Copy a piece's logits: all of them, those that the evaluator chose, or those that are chosen here."""
    job, begin, end = piece
    out, asked = job.logits_of(begin, end), job.sent.asked
    if asked is None:
        out[:] = buffer.logits[rows]
    elif buffer.asked.shape[1]:
        asked.take(begin, buffer.logits[rows], out)
    else:
        asked.sum_up(begin, buffer.logits[rows], out)


class Bell:
    """Wakes the thread that waits for sockets; each thread has its own."""

    def __init__(self, context: zmq.Context[Any]) -> None:
        self._socket = context.socket(zmq.PUSH)
        self._socket.linger = 0
        self._socket.connect(WAKE)

    def ring(self) -> None:
        self._socket.send(b"")

    def close(self) -> None:
        self._socket.close()
