"""Kernels of the replay reader: states become what a network sees and learns, and the order in which samples are read."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.kernels import distinct, encode, slots, symmetry, symmetry_action

HALF_ROUNDS = 6
ONE, SHIFT = np.uint64(1), np.uint64(32)


@kernel
def gather(game, pool, places, rows, symmetries, spare, batch):
    """Fill the batch's blank `rows` from these places of the pool, int64 [n] each; return the first that is bad, or -1.

    `pool` and `batch` are as in `blocks.py` and `reader.py`. Row r is seen under the symmetry symmetries[r]. A bad row has a
    policy that is none over its legal actions. `spare` is one record to write on.
    """
    actions = np.empty(batch.policy.shape[1], np.int32)
    for i in range(rows.size):
        place, row = places[i], rows[i]
        # Column by column: assigning whole rows took 2.7 times as long.
        for j in range(batch.targets.shape[1]):
            batch.targets[row, j] = pool.targets[place, j]
        spare[0] = pool.records[place]
        if symmetries[row] > 0:
            symmetry(game, spare[0], symmetries[row])
        encode(game, spare[0], batch.features[row])
        first, end = pool.policy_first[place], pool.policy_end[place]
        batch.has_policy[row] = end > first
        # Nobody decides in a row without a policy, so that it has no actions either.
        count = distinct(game, pool.records[place], actions) if end > first else 0
        for k in range(count):
            action = symmetry_action(game, pool.records[place], actions[k], symmetries[row])
            one, two = slots(game, spare[0], action)
            batch.slots[row, k, 0] = one
            if batch.slots.shape[2] > 1:
                batch.slots[row, k, 1] = two
            is_next = first < end and pool.policy_action[first] == actions[k]
            batch.policy[row, k] = pool.policy_prob[first] if is_next else 0.0
            first += is_next
        if first < end:
            return row
    return -1


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


@kernel
def fill_symmetries(key, count, symmetries):
    """Fill int64 `symmetries` with numbers 0..count - 1 from the stream `key`."""
    for i in range(symmetries.size):
        symmetries[i] = np.int64(mix_word(key, np.uint64(i)) % np.uint64(count))
