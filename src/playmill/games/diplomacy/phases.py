"""The way through the year: `advance` carries out whatever phase a position is in and finds the next one that has work.

Spring moves, retreats, fall moves, retreats, builds. A phase without work is skipped: retreats if nobody can retreat, builds if
nobody can build or must remove. A game that is won stops at the builds of its last year.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.adjustments import adjudicate_builds, find_adjustments
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT
from playmill.games.diplomacy.movement import carry_out, resolve_moves
from playmill.games.diplomacy.reports import report_moves
from playmill.games.diplomacy.retreats import adjudicate_retreats, anyone_can_retreat
from playmill.games.diplomacy.state import (
    BUILDS,
    FALL_MOVES,
    SPRING_MOVES,
    clear_dislodged,
    take_centres,
    winner,
)


@kernel
def advance(state, orders, count, rules, work, results):
    """Carry out a phase in place: `state` becomes the next position that needs orders.

    `orders` is int32, of which the first `count` are taken, in any order; units without one hold, disband or are left to civil
    disorder. `rules` is RULES_2 or RULES_3, `work` a WORK record, `results` an array of at least `count` RESULTs to be filled.
    """
    if state.phase == SPRING_MOVES or state.phase == FALL_MOVES:
        resolve_moves(state, orders, count, rules, work, results)
        report_moves(orders, count, work, results)
        finish_moves(state, work)
    elif state.phase == BUILDS:
        adjudicate_builds(state, orders, count, rules, work, results)
        begin_year(state)
    else:
        adjudicate_retreats(state, orders, count, work, results)
        finish_retreats(state, work)


@kernel
def advance_moves(state, orders, count, rules, work, results):
    """`advance` for a movement phase, without the report: `results` only tells which orders were illegal."""
    resolve_moves(state, orders, count, rules, work, results)
    finish_moves(state, work)


@kernel
def finish_moves(state, work):
    """Move the units, and go on to the retreats if anybody can retreat."""
    dislodged = carry_out(state, work)
    if dislodged and anyone_can_retreat(state):
        state.phase += 1
        return
    if dislodged:
        clear_dislodged(state)
    end_season(state, work)


@kernel
def finish_retreats(state, work):
    clear_dislodged(state)
    state.phase -= 1
    end_season(state, work)


@kernel
def end_season(state, work):
    """From the end of a season's moves and retreats to the next moves, or to the builds if there are any."""
    if state.phase == SPRING_MOVES:
        state.phase = FALL_MOVES
        return
    take_centres(state)
    needed = find_adjustments(state, work.needs[:POWER_COUNT], work.supporters[:POWER_COUNT])
    if needed or winner(state) != NOBODY:
        state.phase = BUILDS
    else:
        begin_year(state)


@kernel
def begin_year(state):
    state.year += 1
    state.phase = SPRING_MOVES
