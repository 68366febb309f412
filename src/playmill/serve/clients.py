"""Who asks a server: what each is owed, and answers that a slow one has not taken yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import zmq

from playmill.serve.frames import AT_ONCE, send_frames
from playmill.serve.queues import ClientId

SILENT_S = 60.0  # after which a client that is owed nothing is forgotten
OUTBOX_MESSAGES = 1024  # for a client that takes nothing; answers are few enough, beyond these it hears no refusals


@dataclass
class ClientState:
    """One client: rows that it waits for, and what could not be sent yet."""

    rows: int = 0
    outbox: deque[tuple[list[Any], int]] = field(default_factory=deque)  # with the rows that a message answers
    heard_at: float = 0.0


class ClientTable:
    """The clients of all sockets. `gone` hears of those that are not there any more."""

    def __init__(self, sockets: Sequence[zmq.Socket[Any]], gone: Callable[[ClientId], None]) -> None:
        self._sockets, self._gone = sockets, gone
        self._clients: dict[ClientId, ClientState] = {}
        self._with_mail: set[ClientId] = set()

    def __len__(self) -> int:
        return len(self._clients)

    @property
    def has_mail(self) -> bool:
        """Whether somebody is slow to take answers."""
        return bool(self._with_mail)

    def heard(self, client: ClientId, now: float) -> None:
        self._clients.setdefault(client, ClientState()).heard_at = now

    def owed(self, client: ClientId) -> int:
        return self._clients[client].rows

    def owe(self, client: ClientId, rows: int) -> None:
        self._clients[client].rows += rows

    def send(self, client: ClientId, frames: list[Any] | None, rows: int = 0) -> None:
        """Send a message, now or when the client takes it; until then the rows that it answers are still owed."""
        state = self._clients.get(client)
        if frames is None or state is None:
            return
        if not state.outbox and self._try(client, frames):
            state.rows -= rows
        elif rows or len(state.outbox) < OUTBOX_MESSAGES:
            state.outbox.append((frames, rows))
            self._with_mail.add(client)

    def flush(self) -> None:
        """Send what can be sent of what was left."""
        for client in list(self._with_mail):
            state = self._clients.get(client)
            while state is not None and state.outbox and self._try(client, state.outbox[0][0]):
                state.rows -= state.outbox.popleft()[1]
            if state is None or not state.outbox or client not in self._clients:
                self._with_mail.discard(client)

    def forget_silent(self, now: float) -> None:
        """Forget those who are owed nothing and say nothing, and those who take nothing of what they are owed."""
        for client, state in list(self._clients.items()):
            if now - state.heard_at > SILENT_S and (state.rows == 0 or state.outbox):
                self._forget(client)

    def _try(self, client: ClientId, frames: list[Any]) -> bool:
        """Whether the message is off our hands: sent, or its client is gone."""
        try:
            send_frames(self._sockets[client[0]], [client[1], *frames], AT_ONCE)
        except zmq.Again:
            return False
        except zmq.ZMQError as error:
            if error.errno != zmq.EHOSTUNREACH:
                raise
            self._forget(client)
        return True

    def _forget(self, client: ClientId) -> None:
        if self._clients.pop(client, None) is not None:
            self._with_mail.discard(client)
            self._gone(client)
