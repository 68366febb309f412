"""How rows travel: features by where they change (`changes.py`), or eight bits a byte; and the logits that are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.bits import words_for
from playmill.core.evaluation import Array
from playmill.core.halves import HALF_WORD, pack_halves
from playmill.serve.changes import find_ends, spread, take_changes
from playmill.serve.lists import find_list_ends, put_pairs, settle_pairs, sum_pairs, take_answers, take_pairs

FLOATS, HALVES, BYTES, BITS = "float32", "bfloat16", "uint8", "bit"
TRAVELS = (FLOATS, HALVES, BYTES, BITS)
# As which a feature travels.
WORDS: dict[str, np.dtype[Any]] = {FLOATS: np.dtype("<u4"), HALVES: np.dtype("<u2"), BYTES: np.dtype("u1")}
MARK_BYTES, COUNT = 8, np.dtype("<u4")
SHORT_LOGITS = 0xFFFF  # so many and more are named by four bytes each


class Malformed(ValueError):
    """A frame that is not what it is taken for; the text says how."""


# ------------------------------------------------------------------ features


def most_row_bytes(features: int, travel: str) -> int:
    """Of a row of features that has no two alike beside each other."""
    if travel == BITS:
        return -(-features // 8)
    return MARK_BYTES * int(words_for(features)) + WORDS[travel].itemsize * features


def written_type(travel: str) -> Any:
    """What a search writes features as, before they are packed."""
    return np.float32 if travel in (FLOATS, HALVES) else np.uint8


def packing_room(rows: int, features: int, travel: str) -> Array:
    """Memory to pack so many rows in, again and again: made anew for each message it cost half as much as the packing.

    It is for rows of which no two numbers are alike; what is never written to takes no memory.
    """
    size = MARK_BYTES * int(words_for(features)) + np.dtype(written_type(travel)).itemsize * features
    return np.empty((rows, -(-size // MARK_BYTES) * MARK_BYTES), np.uint8)


def pack_features(features: Array, travel: str, room: Array | None = None) -> Array:
    """The rows in one piece, as they travel: uint8 [bytes], in `room` if there is some for as many."""
    if travel == BITS:
        return np.packbits(features, axis=1, bitorder="little").reshape(-1)
    words, blocks = features.view(f"u{features.itemsize}"), words_for(features.shape[1])
    begin = MARK_BYTES * blocks * len(words)
    frame = (packing_room(len(features), features.shape[1], travel) if room is None else room).reshape(-1)
    marks = frame[:begin].view(np.uint64).reshape(-1, blocks)
    taken = frame[begin : begin + words.nbytes].view(words.dtype)
    count = take_changes(words, marks, taken)
    if travel == HALVES:
        halves = np.empty((1, count), np.uint16)
        pack_halves(taken[:count].reshape(1, -1), halves)
        return np.concatenate([frame[:begin], halves[0].view(np.uint8)])
    return frame[: begin + count * words.itemsize]


def for_kernels(sent: Array) -> Array:
    """The same numbers where kernels can be given them: others' memory may begin anywhere, or be there to be read only."""
    return sent if sent.flags.aligned and sent.flags.writeable else sent.copy()


@dataclass(frozen=True)
class ChangingRows:
    """Features of a request that were told by where they change."""

    marks: Array  # uint64 [rows, words]
    ends: Array  # int64 [rows]: how many words are taken up to each row's end
    taken: Array  # unsigned [ends[-1]]
    travel: str

    @classmethod
    def read(cls, frame: Any, rows: int, features: int, travel: str) -> ChangingRows:
        blocks, word = words_for(features), WORDS[travel]
        size = rows * blocks * MARK_BYTES
        if len(frame) < size or (len(frame) - size) % word.itemsize:
            raise Malformed(f"{rows} rows: expected features of {size} bytes and more, got {len(frame)}")
        marks = for_kernels(np.frombuffer(frame, "<u8", rows * blocks)).reshape(rows, blocks)
        taken, ends = for_kernels(np.frombuffer(frame, word, offset=size)), np.empty(rows, np.int64)
        if not find_ends(marks, features, ends) or ends[-1] != taken.size:
            raise Malformed(f"{rows} rows: the marks of their features and {taken.size} numbers don't belong together")
        return cls(marks, ends, taken, travel)

    def unpack(self, begin: int, out: Array) -> None:
        """Fill `out` [n, features] with the rows from `begin` on."""
        end = begin + len(out)
        taken = self.taken[self.ends[begin - 1] if begin else 0 : self.ends[end - 1]]
        if self.travel == HALVES:
            taken = taken.astype(np.uint32) << HALF_WORD
        elif self.travel == BYTES:
            taken = taken.astype(out.dtype).view(f"u{out.itemsize}")
        spread(self.marks[begin:end], taken, out.view(f"u{out.itemsize}"))


@dataclass(frozen=True)
class BitRows:
    """Features of a request that are bits, eight a byte."""

    packed: Array  # uint8 [rows, bytes]

    @classmethod
    def read(cls, frame: Any, rows: int, features: int) -> BitRows:
        size = -(-features // 8)
        if len(frame) != rows * size:
            raise Malformed(f"{rows} rows: expected features of {rows * size} bytes, got {len(frame)}")
        return cls(np.frombuffer(frame, np.uint8).reshape(rows, size))

    def unpack(self, begin: int, out: Array) -> None:
        """Fill `out` [n, features] with the rows from `begin` on."""
        packed = self.packed[begin : begin + len(out)]
        out[:] = np.unpackbits(packed, axis=1, count=out.shape[1], bitorder="little")


def read_features(frame: Any, rows: int, features: int, travel: str) -> ChangingRows | BitRows:
    """The rows in a frame, if it has them."""
    return BitRows.read(frame, rows, features) if travel == BITS else ChangingRows.read(frame, rows, features, travel)


# ------------------------------------------------------------------ logits


def asked_type(logits: int) -> Any:
    """The numbers that name logits; the largest one stands for none."""
    return np.dtype("<u2" if logits < SHORT_LOGITS else "<u4")


def most_asked_bytes(actions: int, logits: int) -> int:
    """Of one row's pairs."""
    return COUNT.itemsize + 2 * actions * int(asked_type(logits).itemsize)


def gathers(actions: int, logits: int) -> bool:
    """Whether it is worth naming logits: a row's pairs and answers together are then shorter than all its logits."""
    return actions > 0 and most_asked_bytes(actions, logits) + 4 * actions < 4 * logits


def pack_asked(asked: Array, logits: int) -> Array:
    """The rows' lists of pairs of logits, int32 [n, actions, 2], as they travel: uint8 [bytes]."""
    ends = np.empty(len(asked), np.int64)
    pairs = np.empty((find_list_ends(asked, ends), 2), np.int32)
    take_pairs(asked, pairs)
    told = pairs.astype(asked_type(logits))
    return np.concatenate([ends.astype(COUNT).view(np.uint8), told.reshape(-1).view(np.uint8)])


@dataclass(frozen=True)
class AskedLists:
    """The logits that a request asks for, a list for each row."""

    ends: Array  # int64 [rows]: how many pairs there are up to each row's end
    pairs: Array  # int32 [ends[-1], 2]: ALONE where there is no second one

    @classmethod
    def read(cls, frame: Any, rows: int, actions: int, logits: int) -> AskedLists:
        kind, size = asked_type(logits), rows * COUNT.itemsize
        if len(frame) < size or (len(frame) - size) % (2 * kind.itemsize):
            raise Malformed(f"{rows} rows: expected {size} bytes and pairs of logits behind them, got {len(frame)} bytes")
        ends = np.frombuffer(frame, COUNT, rows).astype(np.int64)
        pairs = np.frombuffer(frame, kind, offset=size).astype(np.int32).reshape(-1, 2)
        if not settle_pairs(ends, pairs, actions, logits, np.int32(-1) if kind.itemsize == 4 else np.int32(SHORT_LOGITS)):
            raise Malformed(f"asked: expected lists of at most {actions} pairs of {logits} logits, one for each of {rows} rows")
        return cls(ends, pairs)

    @property
    def count(self) -> int:
        return len(self.pairs)

    def span(self, begin: int, end: int) -> slice:
        """Where the pairs of these rows are, and their answers."""
        return slice(int(self.ends[begin - 1]) if begin else 0, int(self.ends[end - 1]))

    def sum_up(self, begin: int, logits: Array, answers: Array) -> None:
        """Fill the `answers` to the lists of rows from `begin` on, of which these are all `logits` [n, logits]."""
        end = begin + len(logits)
        sum_pairs(logits, self.ends[begin:end], self.span(begin, end).start, self.pairs, answers)

    def put(self, begin: int, asked: Array) -> None:
        """Write the lists of rows from `begin` on to int32 `asked` [n, actions, 2]."""
        end = begin + len(asked)
        put_pairs(self.ends[begin:end], self.span(begin, end).start, self.pairs, asked)

    def take(self, begin: int, logits: Array, answers: Array) -> None:
        """Fill the `answers` to the lists of rows from `begin` on with what stands in `logits` [n, actions]."""
        end = begin + len(logits)
        take_answers(logits, self.ends[begin:end], self.span(begin, end).start, answers)
