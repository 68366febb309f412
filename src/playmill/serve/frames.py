"""Messages of several frames, sent and read without copies: ZeroMQ's own functions for it look up names at every frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import zmq

MORE, AT_ONCE = int(zmq.SNDMORE), int(zmq.NOBLOCK)


def send_frames(socket: zmq.Socket[Any], frames: Sequence[Any], flags: int = 0) -> None:
    """Send a message. Large frames are read where they lie, so they must stay as they are."""
    for frame in frames[:-1]:
        socket.send(frame, MORE | flags, copy=False)
    socket.send(frames[-1], flags, copy=False)


def receive_frames(socket: zmq.Socket[Any]) -> list[zmq.Frame]:
    """The frames of a message that is there."""
    frames = [socket.recv(AT_ONCE, copy=False)]
    while frames[-1].more:
        frames.append(socket.recv(AT_ONCE, copy=False))
    return frames
