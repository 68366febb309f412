"""Decisions that depend on themselves: rings of moves, and convoy paradoxes.

A knot is a smallest set of open decisions that depend on nothing open outside. All ways to decide its moves are tried; a way is
sound if every move then follows from the others. If just one is sound, it is the answer. If no convoy takes part, the knot is a
ring, and the ring moves. Otherwise it is a paradox, and Szykman's rule ends it: the armies whose convoys take part stay where
they are and touch nobody.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import NOBODY, SEAS
from playmill.games.diplomacy.resolve import YES, judge_move, movers_to, settle_paths, settle_supports
from playmill.games.diplomacy.work import lowest, size_of

# 2**12 trials take some milliseconds. A larger knot is not tried: with a convoy in it, it counts as a paradox.
MOVES_TO_TRY = 12


@kernel
def untie(work):
    """Decide the moves of one knot, or the convoys of a paradox."""
    knot = find_knot(work)
    moves = knot & work.moves
    convoys = convoys_of(work, knot)
    if convoys == 0 and is_sound(work, moves, moves):
        decide(work, moves, moves)
        return
    found, ways = 0, 0
    if size_of(moves) <= MOVES_TO_TRY:
        winners = moves
        while True:
            if is_sound(work, moves, winners):
                found = winners if ways == 0 else found
                ways += 1
            if winners == 0:
                break
            winners = (winners - 1) & moves
    if ways == 1 or (ways > 0 and convoys == 0):
        decide(work, moves, found)
    elif convoys:
        work.sinks |= convoys
        work.paradoxes |= convoys
    else:
        decide(work, moves, 0)


@kernel
def decide(work, moves, winners):
    work.wins |= winners
    work.fails |= moves & ~winners


@kernel
def is_sound(work, moves, winners):
    """Whether all `moves` follow if just `winners` of them succeed; leaves the decisions as they were."""
    wins, fails, gives, cuts, sails, sinks = work.wins, work.fails, work.gives, work.cuts, work.sails, work.sinks
    decide(work, moves, winners)
    settle_paths(work)
    settle_supports(work)
    sound, left = True, moves
    while left and sound:
        bit = left & -left
        left ^= bit
        sound = (judge_move(work, lowest(bit)) == YES) == (winners & bit != 0)
    work.wins, work.fails, work.gives, work.cuts, work.sails, work.sinks = wins, fails, gives, cuts, sails, sinks
    return sound


@kernel
def find_knot(work):
    """The smallest set of open decisions that is closed under `needs`."""
    left = open_decisions(work)
    rest = left
    while rest:
        bit = rest & -rest
        rest ^= bit
        work.needs[lowest(bit)] = needs_of(work, lowest(bit)) & left | bit
    knot = left
    rest = left
    while rest:
        bit = rest & -rest
        rest ^= bit
        reached = closure(work, bit)
        if size_of(reached) < size_of(knot):
            knot = reached
    return knot


@kernel
def closure(work, units):
    """The set with all that it needs, directly or not."""
    fresh = units
    while fresh:
        bit = fresh & -fresh
        fresh ^= bit
        more = work.needs[lowest(bit)] & ~units
        units |= more
        fresh |= more
    return units


@kernel
def open_decisions(work):
    return (work.moves & ~(work.wins | work.fails)) | (work.supports & ~(work.gives | work.cuts))


@kernel
def needs_of(work, unit):
    """The units whose decisions this one's may wait for."""
    if work.supports >> unit & 1:
        return needs_of_support(work, unit)
    needs = needs_of_path(work, unit) | work.supporters[unit] | needs_of_movers(work, work.target[unit], unit)
    holder = work.unit_at[work.target[unit]]
    if holder != NOBODY:
        needs |= 1 << holder | work.supporters[holder]
    return needs


@kernel
def needs_of_support(work, unit):
    """The attackers that may dislodge the unit, and what their convoys wait for."""
    needs = 0
    mover = work.first[work.province[unit]]
    while mover != NOBODY:
        needs |= needs_of_path(work, mover) | 1 << mover
        mover = work.next[mover]
    return needs


@kernel
def needs_of_movers(work, province, leave_out):
    """What the strength of all moves to a province waits for."""
    needs = 0
    mover = work.first[province]
    while mover != NOBODY:
        if mover != leave_out:
            needs |= needs_of_path(work, mover) | work.supporters[mover]
            if work.head[mover] != NOBODY:
                needs |= 1 << work.head[mover]
        mover = work.next[mover]
    return needs


@kernel
def needs_of_path(work, unit):
    """The moves that may break the unit's convoy, if that is still open."""
    if (work.by_sea & ~(work.sails | work.sinks)) >> unit & 1 == 0:
        return 0
    needs, left = 0, work.carriers[unit]
    while left:
        bit = left & -left
        left ^= bit
        needs |= movers_to(work, SEAS[lowest(bit)])
    return needs


@kernel
def convoys_of(work, knot):
    """The armies with an open convoy that the knot's decisions wait for."""
    touched, left = 0, knot
    while left:
        bit = left & -left
        left ^= bit
        unit = lowest(bit)
        place = work.target[unit] if work.moves & bit else work.province[unit]
        touched |= bit | movers_to(work, place)
    return touched & work.by_sea & ~(work.sails | work.sinks)
