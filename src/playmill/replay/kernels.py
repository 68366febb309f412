"""Kernels of the replay reader: states become what a network sees and learns, and the order in which samples are read."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.halves import round_row
from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.kernels import distinct, encode, logit_ids, symmetry, symmetry_action

HALF_ROUNDS = 6
NO_ACTION = np.float32(-1e9)  # added to the logit of what is no legal action; not infinite: zero times infinity is no number
ONE, SHIFT = np.uint64(1), np.uint64(32)


@kernel
def gather(game, pool, places, rows, symmetries, scratch, batch):
    """Fill the batch's `rows` from these places of the pool, int64 [n] each; return the first that is bad, or -1.

    `pool`, `scratch` and `batch` are as in `blocks.py` and `reader.py`; what was in the rows doesn't matter. Row r is seen
    under the symmetry symmetries[r]. A bad row has a policy that is none over its legal actions.
    """
    image = scratch.record[0]
    for i in range(rows.size):
        place, row = places[i], rows[i]
        # Column by column: assigning whole rows took 2.7 times as long.
        for j in range(batch.targets.shape[1]):
            batch.targets[row, j] = pool.targets[place, j]
        scratch.record[0] = pool.records[place]
        if symmetries[row] > 0:
            symmetry(game, image, symmetries[row])
        gather_features(game, image, row, scratch.features, batch)
        batch.policy[row, :] = 0
        batch.logit_ids[row, :, :] = scratch.no_logit
        batch.has_policy[row] = pool.policy_end[place] > pool.policy_first[place]
        batch.bias[row, :] = NO_ACTION if batch.has_policy[row] else np.float32(0)
        if batch.has_policy[row] and not gather_policy(game, pool, place, row, symmetries[row], scratch, batch):
            return row
    return -1


@kernel
def gather_features(game, image, row, wide, batch):
    """Encode a state into its row; for a batch of halves by way of `wide`, float32 [features], which stays in the cache."""
    if batch.halves.shape[0] == 0:
        batch.features[row, :] = 0
        encode(game, image, batch.features[row])
        return
    wide[:] = 0
    encode(game, image, wide)
    round_row(wide.view(np.uint32), batch.halves[row])


@kernel
def gather_policy(game, pool, place, row, number, scratch, batch):
    """Fill a row's policy and which entries are legal actions; return whether all that the pool has are among those.

    The scratch's record is the row's state under the symmetry `number`; the row's policy is all zeros yet, its bias bars all.
    """
    record, actions = pool.records[place], scratch.actions
    count = distinct(game, record, actions)
    if batch.logit_ids.shape[1] > 0:
        return gather_by_ids(game, pool, place, row, number, scratch.record[0], actions[:count], batch)
    for k in range(count):
        batch.bias[row, symmetry_action(game, record, actions[k], number)] = 0
    last = -1
    for entry in range(pool.policy_first[place], pool.policy_end[place]):
        action = np.int64(pool.policy_action[entry])
        if action <= last or action >= batch.bias.shape[1]:
            return False
        logit = symmetry_action(game, record, action, number)
        if batch.bias[row, logit] != 0:
            return False
        batch.policy[row, logit] = pool.policy_prob[entry]
        last = action
    return True


@kernel
def gather_by_ids(game, pool, place, row, number, image, actions, batch):
    """The same where actions stand on two logits: entry k is that of the k-th action."""
    entry, end = pool.policy_first[place], pool.policy_end[place]
    for k in range(actions.size):
        one, two = logit_ids(game, image, symmetry_action(game, pool.records[place], actions[k], number))
        batch.logit_ids[row, k, 0] = one
        if two >= 0:
            batch.logit_ids[row, k, 1] = two
        batch.bias[row, k] = 0
        if entry < end and pool.policy_action[entry] == actions[k]:
            batch.policy[row, k] = pool.policy_prob[entry]
            entry += 1
    return entry == end


# ------------------------------------------------------------------ order


@kernel
def fill_numbers(key, starts, order, ends, chapter_blocks, first, numbers):
    """Fill int64 `numbers` with the samples at places first, first + 1, ... of the epoch `key`.

    The epoch reads its blocks in `order` [blocks], a chapter of `chapter_blocks` at a time; within a chapter all rows are
    shuffled. `starts` [blocks + 1] is each block's first sample, `ends` [blocks + 1] the rows before each block of `order`.
    """
    low, high, chapter_key = 0, 0, key
    for i in range(numbers.size):
        if first + i >= high:  # the next chapter begins
            chapter = (np.searchsorted(ends, first + i, side="right") - 1) // chapter_blocks
            low = ends[chapter * chapter_blocks]
            high = ends[min((chapter + 1) * chapter_blocks, order.size)]
            chapter_key = mix_word(key, np.uint64(chapter))
        place = low + permuted(chapter_key, first + i - low, high - low)
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
