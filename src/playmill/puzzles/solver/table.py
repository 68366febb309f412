"""The transposition table: of fixed size, with whole states as keys, so that no state is ever taken for another."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.puzzles.solver.fight import entry_type

BUCKET = 4  # entries a state may stand in
MIB = 1 << 20


def make_table(mib: int) -> Any:
    """A table that takes at most so much memory; its number of entries is a power of two."""
    entries = max(BUCKET, mib * MIB // entry_type().itemsize)
    return np.zeros(1 << entries.bit_length() - 1, entry_type())


@kernel
def bucket_of(table, defender, attacker, meta):
    """Where the entries begin that a state may stand in."""
    word = mix_word(mix_word(defender, attacker), meta)
    return BUCKET * np.int64(word & np.uint64(table.size // BUCKET - 1))


@kernel
def find(table, age, defender, attacker, meta):
    """The place of a state's entry, or -1. Entries of another age are of another problem and count as empty."""
    first = bucket_of(table, defender, attacker, meta)
    for at in range(first, first + BUCKET):
        entry = table[at]
        if entry.age == age and entry.defender == defender and entry.attacker == attacker and entry.meta == meta:
            return at
    return -1


@kernel
def store(table, age, defender, attacker, meta, proof, disproof, rank, work):
    """Write a state's entry; where all places are taken, the one that cost the least work goes."""
    at = find(table, age, defender, attacker, meta)
    if at < 0:
        first = bucket_of(table, defender, attacker, meta)
        at = first
        for place in range(first, first + BUCKET):
            if table[place].age != age:
                at = place
                break
            if table[place].work < table[at].work:
                at = place
    entry = table[at]
    entry.defender, entry.attacker, entry.meta, entry.age = defender, attacker, meta, age
    entry.proof, entry.disproof, entry.rank, entry.work = proof, disproof, rank, work
