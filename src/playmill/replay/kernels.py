"""Kernels of the replay reader: policies spread over the logits, rows copied, and the order in which samples are read."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word

HALF_ROUNDS = 6
ONE, SHIFT = np.uint64(1), np.uint64(32)


@kernel
def spread(offsets, actions, probs, policy, has_policy):
    """Fill float32 `policy` [n, logits] and bool `has_policy` [n] from the sparse rows; return the first bad row, or -1.

    `offsets` int32 [n + 1] counts in the whole column, `actions` and `probs` begin at offsets[0]. A bad row has an action
    without a logit, or offsets that lead outside.
    """
    for row in range(has_policy.size):
        first, end = offsets[row] - offsets[0], offsets[row + 1] - offsets[0]
        if first < 0 or end < first or end > actions.size:
            return row
        has_policy[row] = end > first
        policy[row] = 0.0
        for k in range(first, end):
            if actions[k] < 0 or actions[k] >= policy.shape[1]:
                return row
            policy[row, actions[k]] += probs[k]
    return -1


@kernel
def spread_slots(offsets, slots, probs, logits, policy, places, has_policy):
    """The same where entries have slots, int32 [m, 2]: entry k of a row goes to policy[row, k], its slots to places[row, k].

    `places` is int32 [n, entries, 2], -1 where there is nothing. A bad row has a slot outside of the `logits`, or too many
    entries.
    """
    for row in range(has_policy.size):
        first, end = offsets[row] - offsets[0], offsets[row + 1] - offsets[0]
        if first < 0 or end < first or end > len(probs) or end - first > policy.shape[1]:
            return row
        has_policy[row] = end > first
        policy[row] = 0.0
        places[row] = -1
        for k in range(first, end):
            if slots[k, 0] < 0 or slots[k, 0] >= logits or slots[k, 1] < -1 or slots[k, 1] >= logits:
                return row
            policy[row, k - first] = probs[k]
            places[row, k - first] = slots[k]
    return -1


@kernel
def copy_rows(source, places, out):
    """Fill out[i] with source[places[i]], both [n, width]; a place of -1 leaves its row as it is."""
    for i in range(places.size):
        place = places[i]
        if place >= 0:
            # Column by column: assigning whole rows took 2.7 times as long.
            for j in range(out.shape[1]):
                out[i, j] = source[place, j]


# ------------------------------------------------------------------ order


@kernel
def fill_numbers(key, starts, order, ends, chapter_blocks, first, numbers):
    """Fill int64 `numbers` with the samples at places first, first + 1, ... of the epoch `key`.

    The epoch reads its blocks in `order` [blocks], a chapter of `chapter_blocks` at a time; within a chapter all rows are
    shuffled. `starts` [blocks + 1] is each block's first sample, `ends` [blocks + 1] the rows before each block of `order`.
    """
    for i in range(numbers.size):
        chapter = (np.searchsorted(ends, first + i, side="right") - 1) // chapter_blocks
        low = ends[chapter * chapter_blocks]
        high = ends[min((chapter + 1) * chapter_blocks, order.size)]
        place = low + permuted(mix_word(key, np.uint64(chapter)), first + i - low, high - low)
        block = np.searchsorted(ends, place, side="right") - 1
        numbers[i] = starts[order[block]] + place - ends[block]


@kernel
def permuted(key, place, count):
    """Where `place` goes in the permutation `key` of 0..count - 1; nothing of that size is stored."""
    bits = 0
    while count > 1 << bits:
        bits += 1
    word = np.uint64(place)
    # Walking on until the word is in range again keeps it a permutation; on average that takes less than two steps.
    while True:
        word = scrambled(key, word, bits)
        if word < np.uint64(count):
            return np.int64(word)


@kernel
def scrambled(key, word, bits):
    """A permutation of the `bits`-bit words: a Feistel network whose two parts differ by at most one bit."""
    low_bits = np.uint64(bits // 2)
    low_mask = (ONE << low_bits) - ONE
    high_mask = (ONE << (np.uint64(bits) - low_bits)) - ONE
    low, high = word & low_mask, word >> low_bits
    for half_round in range(HALF_ROUNDS):
        tweak = np.uint64(half_round) << SHIFT
        if half_round % 2 == 0:
            high ^= mix_word(key, tweak | low) & high_mask
        else:
            low ^= mix_word(key, tweak | high) & low_mask
    return (high << low_bits) | low


@kernel
def fill_words(key, words):
    """Fill uint64 `words` with the first words of the stream `key`."""
    for i in range(words.size):
        words[i] = mix_word(key, np.uint64(i))
