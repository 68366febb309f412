"""What server and clients send each other: a header of 64 bytes, then the arrays as they lie in memory.

A message is a ZeroMQ message of one to three frames: the header, and what its kind says. docs/formats.md has every byte.
The header ends with a CRC-32 of all that comes before it and after it, so a frame that was changed on its way is refused.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from isal.isal_zlib import crc32  # zlib's, ten times as fast: a large answer took it 100 us on either side

from playmill.core.documents import parse_object
from playmill.core.errors import PlaymillError, UsageError, one_line
from playmill.core.evaluation import POLICY, VALUES

PROTOCOL_VERSION = 2
MAGIC = b"PMIL"
LAYOUT = struct.Struct("<4sHBBQIIQQIIIII")  # all but the checksum
CHECKSUM = struct.Struct("<I")
HEADER_BYTES = LAYOUT.size + CHECKSUM.size
BEGINNING = struct.Struct("<4sHBBQ")  # the part that every version has
MOST_FRAMES = 3
MAX_FRAME_BYTES = 64 << 20
WORD = 1 << 64

Frames = Sequence[Any]  # of bytes, or anything with a buffer


class MessageKind(IntEnum):
    """What a message is; answers are those from 16 on."""

    EVALUATE = 1
    CONTROL = 2
    ANSWER = 16
    REFUSAL = 17
    TOLD = 18  # the answer to CONTROL


class Reason(IntEnum):
    """Why something was refused."""

    MALFORMED = 1
    VERSION = 2
    MODEL = 3  # no such model, or it has no network yet
    GAME = 4  # other rules, another feature schema, other sizes
    WEIGHTS = 5  # the model has other weights than were asked for
    BUSY = 6
    DRAINING = 7
    FAILED = 8


class Header(NamedTuple):
    """A header as it is read. In an answer `edition` is the model's generation, and `weights` are those that answered."""

    kind: int
    what: int = 0
    request: int = 0
    model: int = 0
    edition: int = 0  # of a question: the feature schema
    rules: int = 0
    weights: int = 0  # 0 in a question: any
    rows: int = 0
    features: int = 0  # a row, before packing
    logits: int = 0
    columns: int = 0
    actions: int = 0  # whose logits are asked for with each row; 0: all logits


class ProtocolError(PlaymillError):
    """A message that is refused; the connection stays."""

    def __init__(self, reason: Reason, line: str, request: int = 0) -> None:
        super().__init__(line)
        self.reason, self.request = reason, request


def encode(header: Header, *payload: Any) -> list[Any]:
    """The frames of a message."""
    head = LAYOUT.pack(MAGIC, PROTOCOL_VERSION, *header)
    return [head + CHECKSUM.pack(_checksum(head, payload)), *payload]


def decode(frames: Frames) -> tuple[Header, Frames]:
    """The header and the other frames of a message, if it is whole and of this version."""
    head = bytes(frames[0]) if frames else b""
    if len(head) < BEGINNING.size or head[:4] != MAGIC:
        raise ProtocolError(Reason.MALFORMED, f"expected a header that begins with {MAGIC.decode()}, got {head[:8]!r}")
    _, version, _, _, request = BEGINNING.unpack_from(head)
    if version != PROTOCOL_VERSION:
        text = f"protocol version: expected {PROTOCOL_VERSION}, got {version}; use the same playmill on both sides"
        raise ProtocolError(Reason.VERSION, text, request)
    if len(head) != HEADER_BYTES or len(frames) > MOST_FRAMES:
        text = f"expected a header of {HEADER_BYTES} bytes and at most {MOST_FRAMES} frames, got {len(head)} and {len(frames)}"
        raise ProtocolError(Reason.MALFORMED, text, request)
    if CHECKSUM.unpack_from(head, LAYOUT.size)[0] != _checksum(head[: LAYOUT.size], frames[1:]):
        raise ProtocolError(Reason.MALFORMED, "checksum: the message was changed on its way", request)
    return Header(*LAYOUT.unpack_from(head)[2:]), frames[1:]


def _checksum(head: bytes, payload: Frames) -> int:
    total = crc32(head)
    for frame in payload:
        total = crc32(frame, total)
    return total


def encode_json(header: Header, content: dict[str, Any]) -> list[Any]:
    return encode(header, json.dumps(content).encode())


def decode_json(payload: Frames, request: int = 0) -> dict[str, Any]:
    """The object in the only frame behind a header."""
    try:
        return parse_object(bytes(payload[0]) if payload else b"", "message")
    except UsageError as error:
        raise ProtocolError(Reason.MALFORMED, one_line(error), request) from None


def refusal(request: int, reason: Reason, line: str) -> list[Any]:
    """The frames that say no."""
    return encode(Header(MessageKind.REFUSAL, what=int(reason), request=request), line.encode())


def refused(header: Header, payload: Frames) -> ProtocolError:
    """The error in a refusal; a reason of a later version is a failure."""
    known = header.what in [int(reason) for reason in Reason]
    line = bytes(payload[0]).decode(errors="replace") if payload else "no reason given"
    return ProtocolError(Reason(header.what) if known else Reason.FAILED, one_line(line), header.request)


def what_number(what: str, heads: tuple[str, ...]) -> int:
    """What is asked for, as a number: 0 for policy and values, 1 for values alone, 2 + n for head n alone."""
    return (POLICY, VALUES, *heads).index(what)


def what_name(number: int, heads: tuple[str, ...]) -> str | None:
    """What a number asks for; None for nothing that this model has."""
    names = (POLICY, VALUES, *heads)
    return names[number] if number < len(names) else None


@cache  # asked for with every message
def rules_key(game: str, ruleset: str, action_space: str) -> int:
    """A word for what positions and logits mean: two games that differ in it have nothing to tell each other."""
    return int.from_bytes(hashlib.sha256(f"{game}\0{ruleset}\0{action_space}".encode()).digest()[:8], "little")


@cache
def weights_key(weights_sha256: str) -> int:
    """A word for weights; 0 for none, which stands for any."""
    return int(weights_sha256[:16], 16) if weights_sha256 else 0
