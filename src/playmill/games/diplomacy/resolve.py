"""Which moves succeed: decisions that follow from one another, taken step by step until all are taken.

The equations are those of the DATC's chapter 5. Each strength is kept as a range, from what is certain to what is still
possible, and a decision falls as soon as the ranges allow only one. That never depends on the order in which orders come.
What is left open in the end depends on itself: a ring of moves, or a convoy paradox (`knots.py`).
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.convoys import has_route
from playmill.games.diplomacy.geography import NOBODY, SEAS
from playmill.games.diplomacy.work import lowest, size_of

OPEN, YES, NO = 0, 1, -1


@kernel
def settle(work):
    """Decide whatever follows from what is decided; return whether nothing is left open."""
    while settle_paths(work) | settle_supports(work) | settle_moves(work):
        pass
    decided = work.wins | work.fails | work.gives | work.cuts
    return (work.moves | work.supports) & ~decided == 0 and work.by_sea & ~(work.sails | work.sinks) == 0


@kernel
def settle_paths(work):
    """Decide which convoys hold; return whether any was decided."""
    left = work.by_sea & ~(work.sails | work.sinks)
    changed = False
    while left:
        bit = left & -left
        left ^= bit
        found = judge_path(work, lowest(bit))
        if found == YES:
            work.sails |= bit
        elif found == NO:
            work.sinks |= bit
        changed |= found != OPEN
    return changed


@kernel
def settle_supports(work):
    """Decide which supports are given; return whether any was decided."""
    left = work.supports & ~(work.gives | work.cuts)
    changed = False
    while left:
        bit = left & -left
        left ^= bit
        found = judge_support(work, lowest(bit))
        if found == YES:
            work.gives |= bit
        elif found == NO:
            work.cuts |= bit
        changed |= found != OPEN
    return changed


@kernel
def settle_moves(work):
    """Decide which moves succeed; return whether any was decided."""
    left = work.moves & ~(work.wins | work.fails)
    changed = False
    while left:
        bit = left & -left
        left ^= bit
        found = judge_move(work, lowest(bit))
        if found == YES:
            work.wins |= bit
        elif found == NO:
            work.fails |= bit
        changed |= found != OPEN
    return changed


@kernel
def judge_path(work, army):
    """Whether the army's convoy holds: a route of fleets that are not dislodged."""
    safe, possible = work.carriers[army], work.carriers[army]
    left = possible
    while left:
        bit = left & -left
        left ^= bit
        attackers = movers_to(work, SEAS[lowest(bit)])
        if attackers & ~work.fails:
            safe ^= bit
            if attackers & work.wins:
                possible ^= bit
    source, target = work.province[army], work.target[army]
    if has_route(source, target, safe):
        return YES
    return OPEN if has_route(source, target, possible) else NO


@kernel
def movers_to(work, province):
    """The set of units that move to a province."""
    units = 0
    mover = work.first[province]
    while mover != NOBODY:
        units |= 1 << mover
        mover = work.next[mover]
    return units


@kernel
def judge_support(work, unit):
    """Whether the support is given: nobody from elsewhere attacks the unit, and nobody dislodges it.

    An attack out of the province that the support is aimed at doesn't cut unless it dislodges; nor does one of the same power,
    or an army whose convoy fails.
    """
    answer = YES
    attacker = work.first[work.province[unit]]
    while attacker != NOBODY:
        bit = 1 << attacker
        if work.power[attacker] != work.power[unit] and not work.sinks & bit:
            if work.wins & bit:
                return NO
            if work.province[attacker] == work.target[unit]:
                if not work.fails & bit:
                    answer = OPEN
            elif work.sails & bit:
                return NO
            else:
                answer = OPEN
        attacker = work.next[attacker]
    return answer


@kernel
def judge_move(work, unit):
    """Whether the move succeeds: it beats whoever holds or comes the other way, and all others who move there."""
    bit = 1 << unit
    if work.sinks & bit:
        return NO
    least, most = attack_range(work, unit)
    if not work.sails & bit:
        least = 0
    hold_least, hold_most = hold_range(work, unit)
    if most <= hold_least:
        return NO
    answer = YES if least > hold_most else OPEN
    rival = work.first[work.target[unit]]
    while rival != NOBODY:
        if rival != unit:
            rival_least, rival_most = prevent_range(work, rival)
            if most <= rival_least:
                return NO
            if least <= rival_most:
                answer = OPEN
        rival = work.next[rival]
    return answer


@kernel
def attack_range(work, unit):
    """The attack's strength. Nobody dislodges his own unit, or helps others to do it."""
    helpers = work.supporters[unit]
    most = 1 + size_of(helpers & ~work.cuts)
    holder = work.unit_at[work.target[unit]]
    if holder == NOBODY or (work.wins >> holder & 1 and work.head[unit] != holder):
        return 1 + size_of(helpers & work.gives), most
    friendly = work.power[holder] == work.power[unit]
    helpers &= ~work.own[work.power[holder]]
    least = 0 if friendly else 1 + size_of(helpers & work.gives)
    is_leaving = work.moves >> holder & 1 and not work.fails >> holder & 1 and work.head[unit] != holder
    if not is_leaving:
        most = 0 if friendly else 1 + size_of(helpers & ~work.cuts)
    return least, most


@kernel
def hold_range(work, unit):
    """The strength that keeps the move's target: of a unit there, or of one that comes the other way, with all its helpers."""
    holder = work.unit_at[work.target[unit]]
    if holder == NOBODY:
        return 0, 0
    bit = 1 << holder
    if work.moves & bit and work.head[unit] != holder:
        return (1 if work.fails & bit else 0), (0 if work.wins & bit else 1)
    helpers = work.supporters[holder]
    return 1 + size_of(helpers & work.gives), 1 + size_of(helpers & ~work.cuts)


@kernel
def prevent_range(work, unit):
    """The strength with which a move keeps others out of its target, even if it fails itself.

    Whoever loses a fight head to head keeps nobody out of the place that the winner left.
    """
    bit = 1 << unit
    head = work.head[unit]
    if work.sinks & bit or (head != NOBODY and work.wins >> head & 1):
        return 0, 0
    helpers = work.supporters[unit]
    most = 1 + size_of(helpers & ~work.cuts)
    if not work.sails & bit or (head != NOBODY and not work.fails >> head & 1):
        return 0, most
    return 1 + size_of(helpers & work.gives), most
