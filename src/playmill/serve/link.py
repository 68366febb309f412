"""A client's connections to one or more servers that serve the same network.

Rows go to whoever has the fewest out. A server that is gone is left out, its rows are asked elsewhere, and it is taken back
when it returns. All of it happens while somebody submits or collects; there is no thread.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import zmq

from playmill.core.errors import PlaymillError
from playmill.core.evaluation import POLICY, VALUES
from playmill.core.executor import stop_sign
from playmill.serve.control import advice
from playmill.serve.endpoint import Endpoint, Part, Wanted
from playmill.serve.keys import KeyFile
from playmill.serve.lists import put_answers
from playmill.serve.packing import for_kernels, pack_asked, pack_features
from playmill.serve.protocol import (
    Frames,
    Header,
    MessageKind,
    ProtocolError,
    Reason,
    encode,
    what_number,
)
from playmill.serve.settings import InferSettings
from playmill.serve.tally import LatencyHistogram

if TYPE_CHECKING:
    from playmill.serve.remote import RemoteBuffer

POLL_MS = 50


@dataclass
class LinkTally:
    """What all clones of an evaluator have asked, together."""

    rows: int = 0
    requests: int = 0
    sent_again: int = 0
    rows_out: int = 0  # submitted, and not answered yet
    sizes: Counter[int] = field(default_factory=Counter)  # requests by their rows
    latency: LatencyHistogram = field(default_factory=LatencyHistogram)
    lock: Any = field(default_factory=threading.Lock)

    def submitted(self, rows: int) -> None:
        with self.lock:
            self.rows_out += rows

    def add(self, seconds: float, rows: int) -> None:
        with self.lock:
            self.requests += 1
            self.rows += rows
            self.rows_out -= rows
            self.sizes[rows] += 1
            self.latency.add(seconds)

    def facts(self) -> dict[str, Any]:
        with self.lock:
            counts = {"rows": self.rows, "requests": self.requests, "sent_again": self.sent_again}
            return {**counts, "latency_us": self.latency.facts()}


def merged(tallies: Iterable[LinkTally]) -> LinkTally:
    """The sum of several."""
    total = LinkTally()
    for tally in tallies:
        with tally.lock:
            total.rows += tally.rows
            total.requests += tally.requests
            total.sent_again += tally.sent_again
            total.rows_out += tally.rows_out
            total.sizes.update(tally.sizes)
            total.latency.merge(tally.latency)
    return total


class Link:
    """For one thread."""

    def __init__(
        self,
        addresses: Sequence[str],
        keys: KeyFile | None,
        wanted: Wanted,
        settings: InferSettings,
        tally: LinkTally,
    ) -> None:
        self.settings, self.tally, self._keys = settings, tally, keys
        context: zmq.Context[Any] = zmq.Context.instance()
        self.endpoints = [Endpoint(context, address, keys, wanted, settings.timeout_s) for address in addresses]
        self._pending: deque[Part] = deque()
        self._numbers = itertools.count(1)
        self._alone_since: float | None = None
        self._turn = 0
        self._poller, self._polled = zmq.Poller(), list[zmq.Socket[Any]]()

    def submit(self, buffer: RemoteBuffer, rows: int, what: str) -> None:
        """Have the buffer's first rows asked, in parts that a message can hold."""
        most = min(buffer.most_rows, self.settings.max_rows, *(one.client_rows for one in self.endpoints if one.client_rows))
        self.tally.submitted(rows)
        for begin in range(0, rows, most):
            self._pending.append(Part(buffer, begin, min(begin + most, rows), what))
            buffer.parts_out += 1
        self._send(time.monotonic())

    def collect(self, buffer: RemoteBuffer) -> None:
        """Wait for the buffer's answers, and take what comes for others meanwhile."""
        stop = stop_sign()
        while buffer.parts_out:
            if not self._take_what_came():
                self._pump(POLL_MS)
            stop.check()

    def close(self) -> None:
        for endpoint in self.endpoints:
            endpoint.close()

    # ------------------------------------------------------------------ one round

    def _pump(self, wait_ms: int) -> None:
        """Send what may be sent, take what has come, tend the connections; wait a little if nothing has come."""
        now = time.monotonic()
        self._send(now)
        if wait_ms:
            self._poll(wait_ms)
        for endpoint in self.endpoints:
            lost = endpoint.lost()  # before its answers are taken: a server that drains answers first, then it hangs up
            self._receive(endpoint)
            self._again(endpoint.tend(now, lost))
        self._send(now)
        self._give_up_in_time(now)

    def _take_what_came(self) -> bool:
        """Whether answers were there already. That is the rule under load, and connections need no tending meanwhile."""
        count = sum([self._receive(endpoint) for endpoint in self.endpoints])
        if count:
            self._send(time.monotonic())
        return count > 0

    def _receive(self, endpoint: Endpoint) -> int:
        """Put answers where they belong; return how many came."""
        count = 0
        for part, header, payload in endpoint.receive():
            self._take(endpoint, part, header, payload)
            count += 1
        return count

    def _poll(self, wait_ms: int) -> None:
        sockets = [endpoint.socket for endpoint in self.endpoints if endpoint.socket is not None]
        if sockets != self._polled:
            self._polled, self._poller = sockets, zmq.Poller()
            for socket in sockets:
                self._poller.register(socket, zmq.POLLIN)
        poller = self._poller
        if not poller.sockets or (self._pending and any(endpoint.is_up for endpoint in self.endpoints)):
            wait_ms = min(wait_ms, 5)  # somebody has to be connected, or has room again soon
        if not poller.sockets:
            time.sleep(wait_ms / 1000)
        else:
            poller.poll(wait_ms)

    def _send(self, now: float) -> None:
        while self._pending:
            endpoint = self._freest(self._pending[0].rows, now)
            if endpoint is None:
                return
            part = self._pending.popleft()
            number = next(self._numbers)
            endpoint.send(number, part, self._frames(number, part, endpoint), now)

    def _freest(self, rows: int, now: float) -> Endpoint | None:
        """The server with the fewest rows out, if one has room; of several that have equally few, each in turn."""
        self._turn += 1
        count = len(self.endpoints)
        free = [
            endpoint
            for number in range(count)
            if (endpoint := self.endpoints[(self._turn + number) % count]).is_up
            and now >= endpoint.hold_until
            and (endpoint.rows_out == 0 or endpoint.rows_out + rows <= min(self.settings.max_rows, endpoint.client_rows))
        ]
        return min(free, key=lambda endpoint: endpoint.rows_out, default=None)

    def _frames(self, number: int, part: Part, endpoint: Endpoint) -> Frames:
        """A part as a message. Rows stay as they are until they are collected, so they may be sent from where they lie."""
        buffer, card = part.buffer, endpoint.card
        assert card is not None
        own, rows = buffer.card, slice(part.begin, part.end)
        actions = buffer.actions if part.what == POLICY else 0
        header = Header(
            MessageKind.EVALUATE, what_number(part.what, own.heads), number, card.id, own.feature_schema, own.rules,
            buffer.weights, part.rows, own.features, own.logits, own.columns, actions,
        )  # fmt: skip
        frames = [pack_features(buffer.features[rows], own.travel, buffer.room[rows])]
        if actions:
            frames.append(pack_asked(buffer.asked[rows], own.logits))
        return encode(header, *(frame.data for frame in frames))

    def _take(self, endpoint: Endpoint, part: Part, header: Header, payload: Frames) -> None:
        """Put an answer where its rows came from."""
        if header.kind != MessageKind.ANSWER:
            self._again(endpoint.take_refusal(part, header, payload))
            return
        buffer, rows = part.buffer, slice(part.begin, part.end)
        if part.what == POLICY:
            _take_logits(payload[0], buffer, rows)
        out = buffer.values if part.what in (POLICY, VALUES) else buffer.head
        out[rows] = np.frombuffer(payload[1], np.float32).reshape(part.rows, -1)
        buffer.answered_by.append((header.edition, header.weights))
        buffer.parts_out -= 1
        self._alone_since = None
        self.tally.add(time.monotonic() - part.sent_at, part.rows)

    def _again(self, parts: list[Part]) -> None:
        if parts:
            self._pending.extendleft(reversed(parts))
            with self.tally.lock:
                self.tally.sent_again += len(parts)

    def _give_up_in_time(self, now: float) -> None:
        """Raise once no server was there for too long."""
        if any(endpoint.is_up for endpoint in self.endpoints) or not self._pending:
            self._alone_since = None
            return
        if self._alone_since is None:
            self._alone_since = now
        if now - self._alone_since > self.settings.give_up_s:
            told = "; ".join(f"{endpoint.address}: {endpoint.trouble}" for endpoint in self.endpoints)
            first = self.endpoints[0].address
            raise PlaymillError(
                f"no inference server for {self.settings.give_up_s:g} s: {told}; {advice(first, self._keys)}, and start the"
                " same command again to go on"
            )


def _take_logits(frame: Any, buffer: RemoteBuffer, rows: slice) -> None:
    """Put the answered logits of these rows where the search looks for them."""
    found = for_kernels(np.frombuffer(frame, np.float32))
    if not buffer.actions:
        buffer.logits[rows] = found.reshape(rows.stop - rows.start, -1)
    elif (due := put_answers(found, buffer.asked[rows], buffer.logits[rows])) != found.size:
        raise ProtocolError(Reason.MALFORMED, f"the server answered {found.size} logits where {due} were asked for")
