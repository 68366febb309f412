"""How rows travel: features as small as the game's `feature_type` allows, the logits that are asked for as pairs of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.evaluation import Array
from playmill.core.halves import HALF_WORD, pack_halves
from playmill.core.jit import kernel

FLOATS, HALVES, BYTES, BITS = "float32", "bfloat16", "uint8", "bit"
TRAVELS = (FLOATS, HALVES, BYTES, BITS)
SHORT_LOGITS = 0xFFFF  # so many and more are named by four bytes each


def row_bytes(features: int, travel: str) -> int:
    """Of one row of features."""
    return {FLOATS: 4 * features, HALVES: 2 * features, BYTES: features}.get(travel, -(-features // 8))


def written_type(travel: str) -> Any:
    """What a search writes features as, before they are packed."""
    return np.float32 if travel in (FLOATS, HALVES) else np.uint8


def pack_features(features: Array, travel: str) -> Array:
    """The rows in one piece, as they travel."""
    if travel == BITS:
        return np.packbits(features, axis=1, bitorder="little")
    if travel == HALVES:
        halves = np.empty(features.shape, np.uint16)
        pack_halves(features.view(np.uint32), halves)
        return halves
    return np.ascontiguousarray(features)


def unpack_features(frame: Any, begin: int, out: Array, travel: str) -> None:
    """Fill `out` [n, features] with the rows of the frame from `begin` on."""
    count, width = out.shape
    size = row_bytes(width, travel)
    rows = np.frombuffer(frame, np.uint8, count * size, begin * size)
    if travel == FLOATS:
        out[:] = rows.view("<f4").reshape(count, width)
    elif travel == HALVES:
        out[:] = (rows.view("<u2").astype(np.uint32) << HALF_WORD).view(np.float32).reshape(count, width)
    elif travel == BYTES:
        out[:] = rows.reshape(count, width)
    else:
        out[:] = np.unpackbits(rows.reshape(count, size), axis=1, count=width, bitorder="little")


def asked_type(logits: int) -> Any:
    """The numbers that name logits; the largest one stands for none."""
    return np.dtype("<u2" if logits < SHORT_LOGITS else "<u4")


def asked_bytes(actions: int, logits: int) -> int:
    """Of one row's pairs."""
    return 2 * actions * int(asked_type(logits).itemsize)


def pack_asked(asked: Array, logits: int) -> Array:
    """Pairs of logits, int32 [n, actions, 2] with -1 for none, as they travel."""
    return asked.astype(asked_type(logits))


def unpack_asked(frame: Any, begin: int, out: Array, logits: int) -> None:
    """Fill int32 `out` [n, actions, 2] with the rows of the frame from `begin` on."""
    kind, size = asked_type(logits), asked_bytes(out.shape[1], logits)
    pairs = np.frombuffer(frame, kind, out.size, begin * size).reshape(out.shape)
    out[:] = pairs
    out[:, :, 1][pairs[:, :, 1] == np.iinfo(kind).max] = -1


def names_known_logits(frame: Any, logits: int) -> bool:
    """Whether all pairs of a frame name logits that there are."""
    kind = asked_type(logits)
    pairs = np.frombuffer(frame, kind).reshape(-1, 2)
    first, second = pairs[:, 0], pairs[:, 1]
    return bool((first < logits).all() and ((second < logits) | (second == np.iinfo(kind).max)).all())


def gathers(actions: int, logits: int) -> bool:
    """Whether it is worth naming logits: a row's pairs and answers together are then shorter than all its logits."""
    return actions > 0 and asked_bytes(actions, logits) + 4 * actions < 4 * logits


@kernel
def gather_logits(logits: Any, asked: Any, out: Any) -> None:
    """Fill float32 `out` [n, actions] with the sums of the one or two logits [n, logits] that `asked` names."""
    for i in range(len(asked)):
        for j in range(asked.shape[1]):
            one, two = asked[i, j, 0], asked[i, j, 1]
            out[i, j] = logits[i, one] + (logits[i, two] if two >= 0 else np.float32(0))
