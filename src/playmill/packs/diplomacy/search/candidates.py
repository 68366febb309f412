"""Candidate sets for a power: the greedy one, sets drawn by the scores of orders, and attacks that several units share.

Each set is different. A draw adds Gumbel noise to the scores, which is the same as drawing by their softmax.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.diplomacy.geography import NOBODY, PROVINCE_OF
from playmill.games.diplomacy.orders import MOVE, NO_ORDER, SUPPORT_MOVE, auxiliary_of, kind_of, target_of
from playmill.packs.diplomacy.search.order_scores import FREE, STRONGER, chance
from playmill.packs.diplomacy.search.order_sets import begin_set, finish_set, fits, take
from playmill.search.noise import uniform01 as fraction

TRIES = 6  # for each set wanted: some come out twice
HOTTER = 0.15  # how much the temperature grows with every set that came out twice
ATTACK_HEAT = 0.5  # an attack is drawn hotter than single orders, so that others than the best are tried
EVENTS = np.uint64(1 << 16)  # more than the options of all units


@kernel
def cool_scores(work, power):
    """Take the scores as they are: the greedy set."""
    units = work.units
    for unit in range(units.count):
        if units.power[unit] == power:
            for i in range(work.sizes[unit]):
                work.noisy[unit, i] = work.scores[unit, i]


@kernel
def heat_scores(work, power, temperature, stream):
    """Add noise to the scores of a power's options."""
    units = work.units
    event = np.uint64(0)
    for unit in range(units.count):
        if units.power[unit] != power:
            continue
        for i in range(work.sizes[unit]):
            work.noisy[unit, i] = work.scores[unit, i] + temperature * gumbel(stream, event)
            event += np.uint64(1)


@kernel
def gumbel(stream, event):
    return -math.log(-math.log(fraction(mix_word(stream, event))))


@kernel
def greedy_set(work, power, out):
    """Write the set of the best orders; return its size."""
    cool_scores(work, power)
    begin_set(work, power)
    return finish_set(work, power, out)


@kernel
def draw_set(work, power, temperature, attacks, stream, out):
    """Write a set that was drawn by the scores, with a shared attack in it if asked for; return its size."""
    heat_scores(work, power, temperature, stream)
    begin_set(work, power)
    if attacks:
        share_attack(work, power, mix_word(stream, EVENTS))
    return finish_set(work, power, out)


@kernel
def fill_candidates(work, power, wanted, temperature, stream, sets):
    """Fill rows of `sets` (int32 [wanted, units]) with different sets, the greedy one first; return how many."""
    size = greedy_set(work, power, sets[0])
    count, heat = 1, temperature
    for trial in range(TRIES * wanted):
        if count >= wanted or size == 0:
            break
        draw_set(work, power, heat, trial % 2 == 0, mix_word(stream, np.uint64(trial)), sets[count])
        if is_new(sets, count, size):
            count += 1
        else:
            heat += temperature * HOTTER
    return count


@kernel
def is_new(sets, count, size):
    """Whether row `count` differs from all rows before it."""
    for row in range(count):
        same = True
        for i in range(size):
            if sets[row, i] != sets[count, i]:
                same = False
                break
        if same:
            return False
    return True


# ------------------------------------------------------------------ attacks


@kernel
def share_attack(work, power, stream):
    """Choose a contested move and the supports that it needs, before anything else is chosen."""
    units = work.units
    lead, order = draw_attack(work, units, power, stream)
    if lead == NOBODY:
        return
    take(work, units, lead, order)
    target = PROVINCE_OF[target_of(order)]
    helpers = 0
    while chance(work, units, power, target, helpers) < STRONGER:
        helper, help_order = best_helper(work, units, lead, order)
        if helper == NOBODY:
            break
        take(work, units, helper, help_order)
        helpers += 1


@kernel
def draw_attack(work, units, power, stream):
    """A unit and its move to a place that can be had only with help, drawn by score; -1 if there is none."""
    lead, best, best_score = NOBODY, np.int32(NO_ORDER), -np.inf
    event = np.uint64(0)
    for unit in range(units.count):
        if units.power[unit] != power:
            continue
        for i in range(work.sizes[unit]):
            order = work.options[unit, i]
            if not is_attack(work, units, unit, order):
                continue
            score = work.scores[unit, i] + ATTACK_HEAT * gumbel(stream, event)
            event += np.uint64(1)
            if score > best_score:
                lead, best, best_score = unit, order, score
    return lead, best


@kernel
def is_attack(work, units, unit, order):
    """Whether the order is a move that others may contest and mates can help with."""
    if kind_of(order) != MOVE:
        return False
    power, target = units.power[unit], PROVINCE_OF[target_of(order)]
    holder = units.unit_at[target]
    if holder != NOBODY and units.power[holder] == power:
        return False
    return work.force[power, target] > 1 and chance(work, units, power, target, 0) < FREE


@kernel
def best_helper(work, units, lead, order):
    """The undecided unit whose support for the move costs least, and that support; -1 if there is none."""
    found, best, best_score = NOBODY, np.int32(NO_ORDER), -np.inf
    for unit in range(units.count):
        if unit == lead or units.power[unit] != units.power[lead] or work.chosen[unit] != NO_ORDER or work.stays[unit]:
            continue
        for i in range(work.sizes[unit]):
            option = work.options[unit, i]
            if not is_help(units, lead, order, option) or not fits(work, units, unit, option):
                continue
            # What the helper could do instead counts against it; its place is worth the same in both.
            score = work.noisy[unit, i] - best_other(work, unit)
            if score > best_score:
                found, best, best_score = unit, option, score
    return found, best


@kernel
def is_help(units, lead, order, option):
    if kind_of(option) != SUPPORT_MOVE:
        return False
    return auxiliary_of(option) == units.at[lead] and target_of(option) == target_of(order)


@kernel
def best_other(work, unit):
    best = -np.inf
    for i in range(work.sizes[unit]):
        best = max(best, work.noisy[unit, i])
    return best
