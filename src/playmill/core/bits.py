"""Sets of small numbers as bits of 64-bit words: word i holds 64 * i to 64 * i + 63."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from playmill.core.jit import kernel

ONE, LAST_BIT = np.uint64(1), np.uint64(63)


def words_for(count: int) -> int:
    """How many words hold so many bits."""
    return -(-count // 64)


@intrinsic
def _count_trailing_zeros(typing_context, word):
    def build(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@intrinsic
def _count_leading_zeros(typing_context, word):
    def build(context, builder, signature, args):
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@intrinsic
def _count_ones(typing_context, word):
    def build(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), build


def count_bits(word):
    """How many bits of a uint64 are set."""
    return int(word).bit_count()


@overload(count_bits)
def _count_bits(word):
    return lambda word: np.int64(_count_ones(np.uint64(word)))


def lowest_bit(word):
    """The number of the lowest bit that is set in a uint64; 64 if none is."""
    word = int(word)
    return (word & -word).bit_length() - 1 if word else 64


@overload(lowest_bit)
def _lowest_bit(word):
    return lambda word: _count_trailing_zeros(np.uint64(word))


def highest_bit(word):
    """The number of the highest bit that is set in a uint64; -1 if none is."""
    return int(word).bit_length() - 1


@overload(highest_bit)
def _highest_bit(word):
    return lambda word: 63 - _count_leading_zeros(np.uint64(word))


@kernel
def add_bit(words, number):
    """Put a number into a set."""
    words[number >> 6] |= ONE << (np.uint64(number) & LAST_BIT)


@kernel
def drop_bit(words, number):
    """Take a number out of a set."""
    words[number >> 6] &= ~(ONE << (np.uint64(number) & LAST_BIT))


@kernel
def has_bit(words, number):
    """Whether a number is in a set."""
    return words[number >> 6] >> (np.uint64(number) & LAST_BIT) & ONE != 0
