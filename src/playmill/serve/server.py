"""The server: one thread for all sockets, others for the networks.

The thread at the sockets reads what comes, hands batches to workers that are free, and sends their answers. It never waits for
a network or a file, so a server with a full queue still refuses at once and still tells its status.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

import zmq

from playmill.core.errors import PlaymillError, UsageError, one_line
from playmill.serve.addresses import UNIX, claim_path, in_use, zmq_address
from playmill.serve.clients import ClientTable
from playmill.serve.control import has_message
from playmill.serve.desk import ControlDesk, Loaded
from playmill.serve.frames import receive_frames
from playmill.serve.intake import make_job
from playmill.serve.keys import Doorkeeper, KeyFile, secure_server
from playmill.serve.models import ModelTable
from playmill.serve.protocol import MAX_FRAME_BYTES, Header, MessageKind, ProtocolError, Reason, decode, encode, refusal
from playmill.serve.queues import Batch, ClientId, Queues, RowsJob
from playmill.serve.settings import ServeSettings
from playmill.serve.tally import US, ServerTally
from playmill.serve.workers import WAKE, Answered, Worker

READ_AT_ONCE = 64  # messages of a socket before the others have their turn
IDLE_MS, SHORT_S = 200, 1e-3  # ZeroMQ waits for whole milliseconds; less than one is slept through in small parts
NAP_S = 5e-5
CHORES_S = 0.5
HEARTBEAT_MS, SILENCE_MS, HANDSHAKE_MS = 2_000, 10_000, 5_000  # a connection that is half open is closed
LAST_WORDS_MS = 2_000
UNSENT_MESSAGES = 64  # of a client in ZeroMQ's hands; what is beyond counts as rows that it has out


class InferenceServer:
    """Serves the models of a table until it is drained."""

    def __init__(
        self,
        table: ModelTable,
        settings: ServeSettings,
        addresses: Sequence[str],
        keys: KeyFile | None = None,
        is_managed: bool = False,
        is_orphaned: Callable[[], bool] = lambda: False,
    ) -> None:
        self.table, self.settings, self.tally = table, settings, ServerTally()
        self._is_orphaned = is_orphaned
        self._context: zmq.Context[Any] = zmq.Context()
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._wake = self._context.socket(zmq.PULL)
        self._wake.bind(WAKE)
        self._door = Doorkeeper(self._context, keys) if keys is not None else None
        self._sockets: list[zmq.Socket[Any]] = []
        try:
            for address in addresses:
                self._sockets.append(self._bind(address, keys))
        except BaseException:
            self._context.destroy(linger=0)
            raise
        self._clients = ClientTable(self._sockets, self._gone)
        self._queues = Queues(settings.max_batch, settings.max_wait_us / US)
        self._workers = [Worker(self._context, self._done, settings.max_batch, self._take) for _ in range(settings.threads)]
        self._free = list(self._workers)
        self._desk = ControlDesk(self.table, settings, self.tally, self._context, self._done, is_managed)
        self._poller = zmq.Poller()
        for socket in (self._wake, *self._sockets, *([self._door.socket] if self._door else [])):
            self._poller.register(socket, zmq.POLLIN)
        self._next_chores = 0.0

    # ------------------------------------------------------------------ the loop

    def run(self) -> None:
        """Serve until drained."""
        try:
            while not self._is_finished():
                self._wait()
                self._read()
                self._finish_work()
                self._hand_out()
                self._clients.flush()
                self._do_chores()
        finally:
            self._close()

    def drain(self) -> None:
        """Take no more rows, answer those that came, and end; may be called from a signal's handler."""
        self._desk.is_draining = True

    def _is_finished(self) -> bool:
        is_idle = self._queues.rows == 0 and len(self._free) == len(self._workers) and not self._clients.has_mail
        return self._desk.is_draining and is_idle

    def _wait(self) -> None:
        """Sleep until something comes, or a batch is due."""
        deadline = self._queues.deadline() if self._free else None
        left = IDLE_MS / 1000 if deadline is None else deadline - time.monotonic()
        if self._desk.is_draining or self._clients.has_mail:
            left = min(left, SHORT_S)
        if left >= SHORT_S:
            self._poller.poll(min(int(left * 1000), IDLE_MS))
        elif left > 0 and not self._poller.poll(0):
            time.sleep(min(left, NAP_S))

    def _do_chores(self) -> None:
        now = time.monotonic()
        if now < self._next_chores:
            return
        self._next_chores = now + CHORES_S
        self._clients.forget_silent(now)
        self.tally.clients, self.tally.queue_rows = len(self._clients), self._queues.rows
        if self._is_orphaned():
            self.drain()

    # ------------------------------------------------------------------ what comes in

    def _read(self) -> None:
        if self._door is not None:
            while has_message(self._door.socket):
                self._door.answer()
        for number, socket in enumerate(self._sockets):
            left = READ_AT_ONCE
            while left and has_message(socket):
                left -= 1
                identity, *frames = receive_frames(socket)
                self._hear((number, identity.bytes), [frame.buffer for frame in frames])

    def _hear(self, client: ClientId, frames: list[Any]) -> None:
        """One message: a job for the queues, a question to the desk, or something to refuse."""
        self._clients.heard(client, time.monotonic())
        try:
            header, payload = decode(frames)
            if header.kind == MessageKind.EVALUATE:
                self._add(client, header, payload)
            elif header.kind == MessageKind.CONTROL:
                self._clients.send(client, self._desk.answer(client, header, payload))
            else:
                raise ProtocolError(Reason.MALFORMED, f"kind {header.kind}: expected a question", header.request)
        except ProtocolError as error:
            self._refuse(client, error)

    def _add(self, client: ClientId, header: Header, payload: Any) -> None:
        self._refuse_more(client, header)
        job = make_job(client, header, payload, self.table, time.monotonic())
        job.generation.open_jobs += 1
        self._clients.owe(client, job.rows)
        self._queues.add(job)

    def _refuse_more(self, client: ClientId, header: Header) -> None:
        if self._desk.is_draining:
            line = "the server is draining and takes no more rows; ask another, or start it again"
            raise ProtocolError(Reason.DRAINING, line, header.request)
        has_room = self._clients.owed(client) + header.rows <= self.settings.client_rows
        if not has_room or self._queues.rows + header.rows > self.settings.queue_rows:
            whose = "the queue is full" if has_room else f"this client has {self.settings.client_rows:,} rows out"
            raise ProtocolError(Reason.BUSY, f"{whose}; ask again when some are answered", header.request)

    def _refuse(self, client: ClientId, error: ProtocolError, rows: int = 0) -> None:
        self.tally.refusals[error.reason.name.lower()] += 1
        self._clients.send(client, refusal(error.request, error.reason, str(error)), rows)

    # ------------------------------------------------------------------ what goes out

    def _hand_out(self) -> None:
        while self._free and (batch := self._take()) is not None:
            self._free.pop().post(batch)

    def _take(self) -> Batch | None:
        """The next batch, if it is due; also asked by workers in their own threads."""
        return self._queues.take(time.monotonic(), self._desk.is_draining)

    def _finish_work(self) -> None:
        while has_message(self._wake):
            self._wake.recv(zmq.NOBLOCK)
        while not self._done.empty():
            found = self._done.get()
            if isinstance(found, Loaded):
                self._swap(found)
            else:
                self._finish(found)

    def _swap(self, loaded: Loaded) -> None:
        frames = self._desk.swap(loaded)
        if frames is not None:
            self._clients.send(loaded.client, frames)

    def _finish(self, answered: Answered) -> None:
        batch = answered.batch
        if answered.worker is not None:
            self._free.append(answered.worker)
        self.tally.add_batch(batch.question.generation.card.name, batch.rows)
        for job, begin, end in batch.pieces:
            job.answered += end - begin
            if job.answered == job.rows or (job.is_dropped and job.answered == job.taken):
                self._close_job(job)

    def _close_job(self, job: RowsJob) -> None:
        job.generation.open_jobs -= 1
        if job.is_dropped:
            self.tally.dropped_requests += 1
            return
        if job.error is not None:
            error = ProtocolError(Reason.FAILED, f"the network failed: {job.error}", job.header.request)
            self._refuse(job.client, error, job.rows)
            return
        self.tally.latency.add(time.monotonic() - job.arrived)
        self._clients.send(job.client, answer_frames(job), job.rows)

    def _gone(self, client: ClientId) -> None:
        """Drop what waits for a client that is not there any more."""
        for job in self._queues.drop(client):
            self._close_job(job)

    # ------------------------------------------------------------------ beginning and end

    def _bind(self, address: str, keys: KeyFile | None) -> zmq.Socket[Any]:
        """A socket that listens; a unix one is its owner's alone."""
        where, is_unix = zmq_address(address), address.startswith(UNIX)
        if is_unix:
            claim_path(address)
        socket: zmq.Socket[Any] = self._context.socket(zmq.ROUTER)
        socket.router_mandatory, socket.maxmsgsize, socket.linger = True, MAX_FRAME_BYTES, LAST_WORDS_MS
        socket.sndhwm = UNSENT_MESSAGES
        socket.heartbeat_ivl, socket.heartbeat_timeout, socket.handshake_ivl = HEARTBEAT_MS, SILENCE_MS, HANDSHAKE_MS
        if keys is not None and not is_unix:
            secure_server(socket, keys)
        mask = os.umask(0o177) if is_unix else None
        try:
            socket.bind(where)
        except zmq.ZMQError as error:
            socket.close()
            if error.errno == zmq.EADDRINUSE:
                raise in_use(address) from None
            raise UsageError(f"{address}: can't be listened on ({one_line(error)})") from None
        finally:
            if mask is not None:
                os.umask(mask)
        return socket

    def _close(self) -> None:
        for worker in self._workers:
            worker.dismiss()
        self._desk.close()
        for socket in self._sockets:
            socket.close(LAST_WORDS_MS)
        self._wake.close(0)
        if self._door is not None:
            self._door.socket.close(0)
        self._context.term()


def answer_frames(job: RowsJob) -> list[Any]:
    """A job's answer, which names the generation and the weights that gave it."""
    card = job.generation.card
    header = job.header._replace(
        kind=MessageKind.ANSWER,
        edition=card.generation,
        weights=card.weights,
        logits=job.header.actions or job.header.logits if job.header.what == 0 else 0,
        columns=job.values.shape[1],
    )
    return encode(header, job.logits.data, job.values.data)


def start_models(table: ModelTable, allow_missing: bool = False) -> None:
    """Load every model of a table; one whose file is not there yet is refused, or waits for a reload."""
    for model in table.models:
        if allow_missing and model.is_awaited:
            continue
        try:
            for _, generation in table.prepare([model]):
                model.swap(generation)
        except PlaymillError as error:
            raise type(error)(f"--model {model.source.name}: {error}") from None
