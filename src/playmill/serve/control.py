"""Asking a server about itself, from outside: one question, one answer, within a time."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import zmq

from playmill.core.errors import PlaymillError
from playmill.serve.addresses import UNIX, zmq_address
from playmill.serve.keys import KeyFile, read_keys, secure_client
from playmill.serve.protocol import (
    MAX_FRAME_BYTES,
    Frames,
    Header,
    MessageKind,
    ProtocolError,
    decode,
    decode_json,
    encode_json,
    refused,
)

HEARTBEAT_MS, SILENCE_MS = 2_000, 10_000
READABLE = int(zmq.POLLIN)  # as a plain number: it is looked at thousands of times a second
ASK_S = 10.0
STATUS, RELOAD = "status", "reload"  # control words: what it is and does; look at its files again
POLL_MS = 100
NOBODY_S = 1.0  # that a server may take to come back to its address

_numbers = itertools.count(1)


class NoAnswer(PlaymillError):
    """A server that says nothing."""


def client_socket(context: zmq.Context[Any], address: str, keys: KeyFile | None) -> zmq.Socket[Any]:
    """A socket that is on its way to a server; what is still unsent when it is closed is forgotten."""
    socket: zmq.Socket[Any] = context.socket(zmq.DEALER)
    socket.linger, socket.maxmsgsize = 0, MAX_FRAME_BYTES
    socket.sndhwm = socket.rcvhwm = 0  # whoever asks counts rows, and never waits in `send`
    socket.heartbeat_ivl, socket.heartbeat_timeout = HEARTBEAT_MS, SILENCE_MS
    if keys is not None and not address.startswith(UNIX):
        secure_client(socket, keys)
    socket.connect(zmq_address(address))
    return socket


def monitor_socket(socket: zmq.Socket[Any], events: int) -> zmq.Socket[Any]:
    """Where a socket's own events can be read, with room for any number of them.

    pyzmq's own has room for some 1,000. An event more, and ZeroMQ's thread waits for a reader, with a lock that `close` needs:
    whoever left a lost server alone for two minutes could never close the connection again.
    """
    address = f"inproc://monitor-{next(_numbers)}"
    socket.monitor(address, events)
    monitor: zmq.Socket[Any] = socket.context.socket(zmq.PAIR)
    monitor.rcvhwm = 0
    monitor.connect(address)
    return monitor


def close_monitored(socket: zmq.Socket[Any], monitor: zmq.Socket[Any]) -> None:
    """Close both, and tell no more events before nobody is there to read them."""
    socket.disable_monitor()
    monitor.close(0)
    socket.close(0)


def has_message(socket: zmq.Socket[Any]) -> bool:
    """Whether something can be read at once; cheaper than the exception that says no."""
    return int(socket.getsockopt(zmq.EVENTS)) & READABLE != 0


def load_key(path: str | None) -> KeyFile | None:
    """The client's keys, if a file of them is named."""
    return None if path is None else read_keys(Path(path), "client")


def ask(address: str, word: str, keys: KeyFile | None = None, seconds: float = ASK_S, **fields: Any) -> dict[str, Any]:
    """What the server answers to a control word; an error if it refuses, or says nothing in time."""
    request = next(_numbers)
    socket = client_socket(zmq.Context.instance(), address, keys)
    monitor = monitor_socket(socket, zmq.EVENT_CONNECT_RETRIED)
    try:
        socket.send_multipart(encode_json(Header(MessageKind.CONTROL, request=request), {"ask": word, **fields}))
        began = time.monotonic()
        while (waited := time.monotonic() - began) < seconds:
            if socket.poll(min(int((seconds - waited) * 1000) + 1, POLL_MS)):
                header, payload = _read(address, socket.recv_multipart())
                if header.request == request:
                    return _told(address, header, payload)
            elif waited > NOBODY_S and monitor.poll(0):
                who = (
                    "nobody listens there" if address.startswith(UNIX) else "nobody listens there, or a stranger is not let in"
                )
                raise NoAnswer(f"{address}: {who}; {advice(address, keys)}")
    finally:
        close_monitored(socket, monitor)
    raise NoAnswer(f"{address}: no answer in {seconds:g} s; {advice(address, keys)}")


def _read(address: str, frames: Frames) -> tuple[Header, Frames]:
    try:
        return decode(frames)
    except ProtocolError as error:
        raise PlaymillError(f"{address}: {error}") from None


def _told(address: str, header: Header, payload: Any) -> dict[str, Any]:
    if header.kind == MessageKind.REFUSAL:
        raise PlaymillError(f"{address}: {refused(header, payload)}")
    try:
        return decode_json(payload)
    except ProtocolError as error:
        raise PlaymillError(f"{address}: {error}") from None


def advice(address: str, keys: KeyFile | None) -> str:
    """What to do about a server that says nothing."""
    start = f"is it running? start it with `playmill serve --model best=FILE.pt --bind {address}`"
    if address.startswith(UNIX):
        return start
    return f"{start}; {'are its keys those of the key file given?' if keys else 'if it has keys, give its client.key'}"
