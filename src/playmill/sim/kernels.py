"""Playouts in compiled code: the same meaning as `sim/playout.py`, for the policies that need only the rules."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import CHOICES, START, below_word, mix_word
from playmill.games.kernels import chance_key, key, legal, outcome, play, start

FIRST_LEGAL, UNIFORM_RANDOM = 0, 1
NO_MOVES, MAX_EVENTS, TIME_LIMIT, STOPPED = 0, 1, 2, 3
NO_CAP = np.iinfo(np.int64).max

CHOICES_EVENT, START_EVENT = np.uint64(CHOICES), np.uint64(START)


@kernel
def play_out(game, state, ply, seed, rule, max_events, actions, scores, keys, stop):
    """Run `state` to the end of the playout in place; return (applied, reason).

    `scores` is NaN unless the game ended. `keys`, unless empty, gets the key of every state after the first: it has room
    for `max_events` of them. `stop[0]` may be set by another thread.
    """
    choices = mix_word(seed, CHOICES_EVENT)
    applied = 0
    while True:
        is_over = outcome(game, state, scores)
        if applied == max_events:
            reason = MAX_EVENTS
            break
        if is_over:
            reason = NO_MOVES
            break
        if stop[0] != 0:
            reason = STOPPED
            break
        count = legal(game, state, actions)
        if count == 0:
            reason = NO_MOVES
            break
        pick = 0
        if rule == UNIFORM_RANDOM and count > 1:
            pick = below_word(mix_word(choices, np.uint64(ply + applied)), count)
        play(game, state, actions[pick], mix_word(seed, chance_key(game, state)))
        if keys.size > 0:
            keys[applied] = key(game, state)
        applied += 1
    if not is_over:
        scores[:] = np.nan
    return applied, reason


@kernel
def play_many(game, origin, is_fresh, ply, seed, first, rule, max_events, applied, reasons, returns, finals, actions, stop):
    """Run playouts first, first + 1, ... into the rows given; return how many were finished before `stop[0]` was set.

    `origin` holds the state to start from; with `is_fresh` it is blank and each playout starts a game of its own.
    """
    no_keys = np.empty(0, np.uint64)
    for i in range(applied.size):
        episode = mix_word(seed, np.uint64(first + i))
        finals[i] = origin[0]
        if is_fresh:
            start(game, finals[i], mix_word(episode, START_EVENT))
        count, reason = play_out(game, finals[i], ply, episode, rule, max_events, actions, returns[i], no_keys, stop)
        if reason == STOPPED:
            return i
        applied[i] = count
        reasons[i] = reason
    return applied.size


@kernel
def collect_keys(game, origin, is_fresh, ply, seed, first, rule, applied, scratch, scores, actions, keys, stop):
    """Fill `keys` with those of all states that the finished playouts went through, the first state of each included.

    `keys` has room for applied.sum() + applied.size of them. The playouts are run again: they are the same.
    """
    at = 0
    for i in range(applied.size):
        episode = mix_word(seed, np.uint64(first + i))
        scratch[0] = origin[0]
        if is_fresh:
            start(game, scratch[0], mix_word(episode, START_EVENT))
        keys[at] = key(game, scratch[0])
        count = applied[i]
        play_out(game, scratch[0], ply, episode, rule, count, actions, scores, keys[at + 1 : at + 1 + count], stop)
        at += count + 1


@kernel
def count_lengths(applied, counts):
    """Count each length; quicker than NumPy's bincount, which first makes 64-bit numbers of them all."""
    for n in applied:
        counts[n] += 1


@kernel
def insert_keys(table, keys):
    """Add `keys` to an open-addressed set, where 0 marks an empty place; return how many were new.

    The table's size is a power of two and at least twice what it will hold. A key 0 is the caller's business.
    """
    mask = table.size - 1
    added = 0
    for value in keys:
        if value == 0:
            continue
        place = np.int64(mix_word(value, np.uint64(0)) & np.uint64(mask))
        while table[place] != 0 and table[place] != value:
            place = (place + 1) & mask
        if table[place] == 0:
            table[place] = value
            added += 1
    return added
