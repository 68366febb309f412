"""Certificates: the states and moves that show a verdict, gathered from the table and searched again where it forgot them.

A certificate has a *chooser*: the prover where the verdict is a proof, its opponent where it is a disproof. In each state in
which the chooser is to move it has one move, in all others every legal one, and each leads to another state of the certificate
or ends the fight in the chooser's favour. For the prover this must come to an end, so no state may follow on itself; its
opponent may go round for ever, but not by throwing stones away (`wastes_stones`). Nothing here depends on how the search came
to its verdict.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.records import record_of
from playmill.core.seeds import mix_word
from playmill.puzzles.solver.dfpn import OPEN, PROVED, UNKNOWN, enter, search, verdict
from playmill.puzzles.solver.fight import MOVES, PASS, is_provers_turn
from playmill.puzzles.solver.table import find, store

GATHERED, WRONG, TOO_LARGE, OUT_OF_NODES = range(4)
EDGES = 8  # for each state, on average
CERTIFICATE = record_of(("states", "<i8"), ("edges", "<i8"), ("chosen", "<i8", MOVES), ("chosen_count", "<i8"))


def make_certificate(states: int) -> tuple[Any, ...]:
    """Room for so many states: counts, their words, where their edges begin, the edges' moves and ends, a place for each."""
    places = 1 << (2 * states).bit_length()
    return (
        np.zeros(1, CERTIFICATE),
        np.zeros((states, 3), np.uint64),
        np.zeros(states + 1, np.int64),
        np.zeros(EDGES * states, np.int8),
        np.zeros(EDGES * states, np.int32),
        np.zeros(places, np.int32),
    )


@kernel
def gather(fights, paths, table, certificate, words, wanted, stop):
    """Fill a certificate for the state `words` uint64 [3] and the verdict `wanted`; return GATHERED, or why there is none."""
    counts, states, first, moves, ends, places = certificate
    found, fight, path, scratch = counts[0], fights[0], paths[0], paths[1]
    places[:] = 0
    found.states, found.edges = 0, 0
    number_of(found, states, places, words[0], words[1], words[2])
    at = 0
    while at < found.states:
        if found.states + MOVES > states.shape[0] or found.edges + MOVES > moves.size:
            return TOO_LARGE
        scratch.age, scratch.captures[0] = path.age, 0
        enter(fight, scratch, table, 0, states[at, 0], states[at, 1], states[at, 2])
        problem = choose(fight, path, table, scratch, found, wanted, stop)
        if problem != GATHERED:
            return problem
        first[at] = found.edges
        for i in range(found.chosen_count):
            child = found.chosen[i]
            moves[found.edges] = scratch.child_move[0, child]
            end = np.int64(scratch.child_end[0, child])
            if end == OPEN:
                end = -number_of(
                    found, states, places,
                    scratch.child_defender[0, child], scratch.child_attacker[0, child], scratch.child_meta[0, child],
                )  # fmt: skip
            ends[found.edges] = end
            found.edges += 1
        at += 1
    first[at] = found.edges
    return GATHERED


@kernel
def number_of(found, states, places, defender, attacker, meta):
    """The number of a state in the certificate, which is added if it is new."""
    word = mix_word(mix_word(defender, attacker), meta)
    place = np.int64(word & np.uint64(places.size - 1))
    while places[place] != 0:
        at = np.int64(places[place]) - 1
        if states[at, 0] == defender and states[at, 1] == attacker and states[at, 2] == meta:
            return at
        place = (place + 1) & (places.size - 1)
    at = np.int64(found.states)
    states[at, 0], states[at, 1], states[at, 2] = defender, attacker, meta
    places[place] = at + 1
    found.states += 1
    return at


@kernel
def choose(fight, path, table, scratch, found, wanted, stop):
    """List in `chosen` the children that the certificate needs for the state of the scratch frame."""
    is_chooser = is_provers_turn(scratch.meta[0]) == (wanted == PROVED)
    found.chosen_count = 0
    best, best_rank = -1, 0
    for child in range(scratch.count[0]):
        value = child_verdict(scratch, child)
        if is_chooser and value == UNKNOWN:
            continue
        if value == UNKNOWN:
            value = look_again(fight, path, table, scratch, child, stop)
        rank = scratch.child_rank[0, child]
        if not is_chooser:
            if value != wanted:
                return WRONG if value != UNKNOWN else OUT_OF_NODES
            found.chosen[found.chosen_count] = child
            found.chosen_count += 1
        elif value == wanted and (best < 0 or rank < best_rank):
            best, best_rank = child, rank
    if is_chooser and best < 0:
        best = find_again(fight, path, table, scratch, wanted, stop)
    if is_chooser and best >= 0:
        found.chosen[0], found.chosen_count = best, 1
    if is_chooser and best < 0:
        return OUT_OF_NODES if path.nodes >= path.most_nodes or stop[0] != 0 else WRONG
    if scratch.count[0] == 0 and verdict(scratch.meta[0], 1, 0) != wanted:
        return WRONG
    return GATHERED


@kernel
def child_verdict(scratch, child):
    """What is known about a child of the scratch frame."""
    return verdict(scratch.meta[0], scratch.child_own[0, child], scratch.child_other[0, child])


@kernel
def look_again(fight, path, table, scratch, child, stop):
    """Search a child that the table doesn't know."""
    defender, attacker, meta = scratch.child_defender[0, child], scratch.child_attacker[0, child], scratch.child_meta[0, child]
    value = search(fight, path, table, defender, attacker, meta, stop)
    at = find(table, path.age, defender, attacker, meta)
    scratch.child_rank[0, child] = np.int64(table[at].rank) if at >= 0 else 0
    return value


@kernel
def find_again(fight, path, table, scratch, wanted, stop):
    """The first child that has the verdict, searched for; -1 if none has."""
    for child in range(scratch.count[0]):
        if child_verdict(scratch, child) == UNKNOWN and look_again(fight, path, table, scratch, child, stop) == wanted:
            return child
    return -1


@kernel
def forget(paths, table, certificate):
    """Take back what the table says about the states of a certificate that was wrong, where it was no proof."""
    counts, states, _, _, _, _ = certificate
    for at in range(counts[0].states):
        place = find(table, paths[0].age, states[at, 0], states[at, 1], states[at, 2])
        if place >= 0 and table[place].proof != 0:
            store(table, paths[0].age, states[at, 0], states[at, 1], states[at, 2], 1, 1, 0, 1)


@kernel
def ask(fights, paths, table, words, stop):
    """`search` for callers in Python: the records come in arrays, the state as uint64 [3]."""
    return search(fights[0], paths[0], table, words[0], words[1], words[2], stop)


@kernel
def wastes_stones(certificate):
    """Whether the prover's opponent can go round for ever only by losing more stones than it takes, somewhere.

    On the way round all stones are lost that were played, so it is the side that passes less often that wastes them: as in
    "send two, return one", which shows nothing about who lives.
    """
    counts, states, first, moves, ends, _ = certificate
    size = counts[0].states
    before, lost = np.zeros(size, np.int32), np.zeros(size, np.int32)
    left, is_changed = size - peel(first, ends, before), True
    while is_changed:
        is_changed = False
        for at in range(size):
            stone = -1 if is_provers_turn(states[at, 2]) else 1
            for edge in range(first[at], first[at + 1] if before[at] > 0 else first[at]):
                total = lost[at] + (stone if moves[edge] != PASS else 0)
                if ends[edge] <= 0 and total > lost[-ends[edge]]:
                    lost[-ends[edge]] = total
                    is_changed = True
                    if total > left:
                        return True
    return False


@kernel
def peel(first, ends, before):
    """Fill `before`, int32 [states], with how many edges lead to each state, those left out that no way round leads to; return
    how many such states there are."""
    for edge in range(first[before.size]):
        if ends[edge] <= 0:
            before[-ends[edge]] += 1
    found, met, done = np.zeros(before.size, np.int64), 0, 0
    for at in np.flatnonzero(before == 0):
        found[met] = at
        met += 1
    while done < met:
        for edge in range(first[found[done]], first[found[done] + 1]):
            if ends[edge] <= 0:
                before[-ends[edge]] -= 1
                if before[-ends[edge]] == 0:
                    found[met] = -ends[edge]
                    met += 1
        done += 1
    return met
