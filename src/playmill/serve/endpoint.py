"""One server as a client sees it: connected, asked, given up for a while, tried again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import zmq
from pydantic import ValidationError
from zmq.utils.monitor import recv_monitor_message

from playmill.core.errors import UsageError
from playmill.serve.card import ModelCard
from playmill.serve.control import client_socket, close_monitored, has_message, monitor_socket
from playmill.serve.frames import receive_frames, send_frames
from playmill.serve.keys import KeyFile
from playmill.serve.protocol import (
    Frames,
    Header,
    MessageKind,
    ProtocolError,
    Reason,
    decode,
    decode_json,
    encode_json,
    refused,
)

if TYPE_CHECKING:
    from playmill.serve.remote import RemoteBuffer

FIRST_BACKOFF_S, LAST_BACKOFF_S = 0.1, 5.0
BUSY_S = 0.005
LOST = zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
UNREACHED = zmq.EVENT_CONNECT_RETRIED


@dataclass
class Part:
    """Some rows of a batch that travel together."""

    buffer: RemoteBuffer
    begin: int
    end: int
    what: str
    sent_at: float = 0.0

    @property
    def rows(self) -> int:
        return self.end - self.begin


@dataclass(frozen=True)
class Wanted:
    """The model that a client asks for: by weights and backend, so that every server answers the same bits, or by name.

    `game` is whose rows it will send, where that is known.
    """

    weights_sha256: str = ""
    backend: str = ""
    name: str = ""
    game: str = ""

    def find(self, cards: list[ModelCard]) -> ModelCard | None:
        """Its card, if a server has it; a model of that name of another game is refused."""
        found = next((card for card in cards if card.generation and self._is(card)), None)
        if found is not None and self.game and found.game not in ("", self.game):
            raise UsageError(f"model {found.name} is a network of {found.game}, not of {self.game}")
        return found

    def _is(self, card: ModelCard) -> bool:
        if self.name:
            return card.name == self.name
        return card.weights_sha256 == self.weights_sha256 and self.backend in ("", "auto", card.backend)

    def __str__(self) -> str:
        whose = f" of {self.game}" if self.game else ""
        if self.name:
            return f"a model {self.name}{whose}"
        return f"weights {self.weights_sha256[:8]}{whose} ({self.backend or 'any backend'})"


@dataclass
class Endpoint:
    """A connection. `card` is the wanted model there; without one it is not asked."""

    context: zmq.Context[Any]
    address: str
    keys: KeyFile | None
    wanted: Wanted
    timeout_s: float
    card: ModelCard | None = None
    client_rows: int = 0
    rows_out: int = 0
    parts: dict[int, Part] = field(default_factory=dict)
    trouble: str = "no answer yet"
    socket: zmq.Socket[Any] | None = None
    _monitor: zmq.Socket[Any] | None = None
    _backoff_s: float = FIRST_BACKOFF_S
    _try_at: float = 0.0
    _probed_at: float = 0.0
    hold_until: float = 0.0

    @property
    def is_up(self) -> bool:
        return self.card is not None

    def tend(self, now: float, lost: str | None) -> list[Part]:
        """Connect, or leave a server that is lost, not there or too late; return the parts that have to be sent again."""
        if self.socket is None:
            if now >= self._try_at:
                self._connect(now)
            return []
        if lost:
            return self.leave(lost, now)
        if self.card is None and now - self._probed_at > max(self._backoff_s, 1.0):
            return self.leave(self.trouble, now)
        oldest = next(iter(self.parts.values()), None)
        if oldest is not None and now - oldest.sent_at > self.timeout_s:
            return self.leave(f"no answer in {self.timeout_s:g} s", now)
        return []

    def _connect(self, now: float) -> None:
        self.socket = client_socket(self.context, self.address, self.keys)
        self._monitor = monitor_socket(self.socket, LOST | UNREACHED)
        self.socket.send_multipart(encode_json(Header(MessageKind.CONTROL), {"ask": "status"}))
        self._probed_at = now

    def lost(self) -> str | None:
        """What became of the connection, if it is no more; what came before that can still be received."""
        while self._monitor is not None and has_message(self._monitor):
            event = recv_monitor_message(self._monitor)["event"]
            if event & LOST:
                return "the connection was lost" if self.card else "the connection was refused"
            if self.card is None:
                self.trouble = "nobody listens there"
        return None

    def leave(self, why: str, now: float) -> list[Part]:
        """Leave the server alone for a while, each time a longer one; its parts come back."""
        self.trouble, self.card, self.rows_out = why, None, 0
        self.close()
        self._try_at = now + self._backoff_s
        self._backoff_s = min(2 * self._backoff_s, LAST_BACKOFF_S)
        parts, self.parts = list(self.parts.values()), {}
        return parts

    def close(self) -> None:
        if self.socket is not None:
            assert self._monitor is not None
            close_monitored(self.socket, self._monitor)
            self.socket = self._monitor = None

    # ------------------------------------------------------------------ rows

    def send(self, number: int, part: Part, frames: Frames, now: float) -> None:
        assert self.socket is not None
        part.sent_at = now
        self.parts[number] = part
        self.rows_out += part.rows
        send_frames(self.socket, frames)

    def receive(self) -> Iterator[tuple[Part, Header, Frames]]:
        """Answers that are there, with the parts that they are for; nothing of a part that went elsewhere meanwhile."""
        while self.socket is not None and has_message(self.socket):
            frames = receive_frames(self.socket)
            try:
                header, payload = decode([frame.buffer for frame in frames])
            except ProtocolError as error:
                self.trouble = str(error)
                continue
            if header.kind == MessageKind.TOLD:
                self._hear_status(payload)
            elif (part := self.parts.pop(header.request, None)) is not None:
                self.rows_out -= part.rows
                yield part, header, payload

    def _hear_status(self, payload: Frames) -> None:
        """The server is there: see whether it has the model."""
        try:
            status = decode_json(payload)
            cards = [ModelCard.model_validate(card) for card in status["models"]]
            found = self.wanted.find(cards)
        except (ProtocolError, KeyError, ValidationError):
            self.trouble = "it tells its status in a way that this client doesn't know; use the same playmill on both sides"
            return
        except UsageError as error:
            self.trouble = str(error)
            return
        if found is None or status.get("draining"):
            self.trouble = "it is draining" if status.get("draining") else f"it does not serve {self.wanted}"
            return
        self.card, self.client_rows, self._backoff_s = found, int(status["client_rows"]), FIRST_BACKOFF_S

    def take_refusal(self, part: Part, header: Header, payload: Frames) -> list[Part]:
        """Parts to be sent again after a refusal; raises where asking again is no use."""
        error, now = refused(header, payload), time.monotonic()
        if error.reason == Reason.BUSY:
            self.hold_until = now + BUSY_S
            return [part]
        if error.reason in (Reason.DRAINING, Reason.WEIGHTS, Reason.MODEL):
            return [part, *self.leave(str(error), now)]
        raise ProtocolError(error.reason, f"{self.address}: {error}")
