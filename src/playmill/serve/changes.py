"""Rows of numbers told by where they change: most of a board's planes are one number over many squares.

A row of words is a bit for its first word and for each that differs from the one before it, and those words. They are compared
by their bits, so nothing is rounded: EXCHANGE's 19,200 bytes are some 2,900, Yatzy's 180 are 64.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.bits import ONE, count_bits, lowest_bit
from playmill.core.jit import kernel

WORD_BITS, NONE = 64, np.uint64(0)
FEW_CHANGES = 8  # of 64 words: it is quicker to fill a part of them each time than to ask at each place


@kernel
def take_changes(words, marks, taken):
    """Tell rows of unsigned `words` [n, k]: fill uint64 `marks` [n, ceil(k / 64)] with the places where they change.

    Fill `taken`, which has room for all of them, with the words there, row after row; return how many there are.
    """
    count = 0
    for row in range(len(words)):
        before = ~words[row, 0]
        for block in range(marks.shape[1]):
            begin = WORD_BITS * block
            part = words[row, begin : min(begin + WORD_BITS, words.shape[1])]
            mark = np.uint64(part[0] != before)
            if part.size == WORD_BITS:  # a loop of a known length without branches: many places are compared at once
                for i in range(1, WORD_BITS):
                    mark |= np.uint64(part[i] != part[i - 1]) << np.uint64(i)
            else:
                for i in range(1, part.size):
                    mark |= np.uint64(part[i] != part[i - 1]) << np.uint64(i)
            marks[row, block] = mark
            before = part[part.size - 1]
            while mark != NONE:
                taken[count] = part[lowest_bit(mark)]
                count += 1
                mark &= mark - ONE
    return count


@kernel
def find_ends(marks, width, ends):
    """Fill int64 `ends` [n] with how many words are marked up to each row's end.

    Return whether rows of that width can have such marks: their first words are marked, and none beyond their last ones.
    """
    count, last = 0, marks.shape[1] - 1
    beyond = width - WORD_BITS * last
    for row in range(len(marks)):
        for block in range(marks.shape[1]):
            count += count_bits(marks[row, block])
        ends[row] = count
        if marks[row, 0] & ONE == NONE or (beyond < WORD_BITS and marks[row, last] >> np.uint64(beyond) != NONE):
            return False
    return True


@kernel
def spread(marks, taken, out):
    """Fill unsigned `out` [n, k] with the rows that were told: each place with the word that was marked last."""
    at = -1
    for row in range(len(out)):
        for block in range(marks.shape[1]):
            begin = WORD_BITS * block
            mark, part = marks[row, block], out[row, begin : min(begin + WORD_BITS, out.shape[1])]
            if part.size == WORD_BITS and count_bits(mark) <= FEW_CHANGES:
                word = taken[max(at, 0)]
                for i in range(WORD_BITS):
                    part[i] = word
                while mark != NONE:
                    first = lowest_bit(mark)
                    at += 1
                    word = taken[at]
                    for i in range(first, WORD_BITS):  # to the end: what changes there again is written again
                        part[i] = word
                    mark &= mark - ONE
            else:
                for i in range(part.size):
                    at += np.int64(mark >> np.uint64(i) & ONE)
                    part[i] = taken[at]
