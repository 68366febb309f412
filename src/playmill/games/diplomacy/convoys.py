"""Routes over sea: which fleets could carry an army from one coast to another.

A set of seas is a word with one bit a sea. A route is a chain of fleets at sea from a coast to a coast. It is minimal if it
needs all of its fleets; only a fleet on some minimal route can say that its army means to be convoyed (DATC 6.G.19).
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import BIT_NUMBER, SEA_COUNT, SEA_NEIGHBOURS, SEAS_BY

ROUTE_DEPTH = SEA_COUNT + 1


@kernel
def number_of(bit):
    """The number of a set's only bit."""
    return np.int64(BIT_NUMBER[bit % 67])


@kernel
def flood(seas, fleets):
    """All seas with fleets that are joined to the set `seas`."""
    reached = seas & fleets
    fresh = reached
    while fresh:
        bit = fresh & -fresh
        fresh ^= bit
        more = SEA_NEIGHBOURS[number_of(bit)] & fleets & ~reached
        reached |= more
        fresh |= more
    return reached


@kernel
def has_route(source, target, fleets):
    """Whether the fleets make a route between two coastal provinces."""
    goal = SEAS_BY[target] & fleets
    begin = SEAS_BY[source] & fleets
    if begin & goal:
        return True
    if goal == 0 or begin == 0:
        return False
    return flood(begin, fleets) & goal != 0


@kernel
def on_routes(source, target, fleets, minimal, stack):
    """The seas that lie on some route between two coasts; with `minimal`, on some route that needs all its fleets.

    A depth-first walk; `stack` is int64, shape [3, ROUTE_DEPTH]. On a minimal route nobody touches an earlier fleet's
    neighbours, or a second sea at either coast: those would be short cuts.
    """
    begin, goal = SEAS_BY[source] & fleets, SEAS_BY[target] & fleets
    if begin == 0 or goal == 0:
        return np.int64(0)
    found = begin & goal
    left, barred, chain = stack[0], stack[1], stack[2]  # still to be tried; not to be used any more; the route so far
    depth = 0
    left[0] = begin & ~goal if minimal else begin
    barred[0] = begin if minimal else np.int64(0)
    chain[0] = 0
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        bit = left[depth] & -left[depth]
        left[depth] ^= bit
        route = chain[depth] | bit
        around = SEA_NEIGHBOURS[number_of(bit)] & fleets
        near = around & ~(barred[depth] | route)
        if near & goal:
            found |= route | (near & goal)
        depth += 1
        chain[depth] = route
        left[depth] = near & ~goal if minimal else near
        barred[depth] = barred[depth - 1] | around if minimal else np.int64(0)
    return found


@kernel
def is_on_route(sea_bit, source, target, fleets, minimal, stack):
    """Whether the fleet in that sea could be part of a route between two coasts."""
    if sea_bit & SEAS_BY[source] & SEAS_BY[target]:
        return True  # it makes the route alone
    if not has_route(source, target, fleets):
        return False
    return on_routes(source, target, fleets, minimal, stack) & sea_bit != 0
