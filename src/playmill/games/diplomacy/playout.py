"""Random games, compiled: for tests that count units, for benchmarks, and as the simplest player.

Every unit takes a random legal order; powers that build take random builds, those that must remove random units. The stream is
keyed by (seed, game, phase, group), so a game depends on nothing but its number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import below_word, mix_word
from playmill.games.diplomacy.adjustments import find_adjustments, power_of_adjustment
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT
from playmill.games.diplomacy.legal import LISTS, MAX_GROUPS, MAX_ORDERS, legal_orders
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.state import BUILDS, UNIT_LIMIT, start_states, winner
from playmill.games.diplomacy.verdicts import ILLEGAL, RESULT


class Table:
    """The memory for random games of one thread."""

    def __init__(self) -> None:
        self.lists = np.zeros(1, LISTS)
        self.legal = np.zeros(MAX_ORDERS, np.int32)
        self.starts = np.zeros(MAX_GROUPS + 1, np.int64)
        self.places = np.zeros(MAX_GROUPS, np.int64)
        self.chosen = np.zeros(MAX_GROUPS, np.int32)
        self.results = np.zeros(MAX_GROUPS, RESULT)

    def arrays(self) -> tuple[Any, ...]:
        return self.lists[0], self.legal, self.starts, self.places, self.chosen, self.results


def play_games(games: int, seed: int, last_year: int, rules: int = 3) -> tuple[Any, int, int]:
    """Play whole games; return their last positions, how many phases they had, and how many orders came back as illegal."""
    states = start_states(games)
    phases, illegal = play_all(states, np.uint64(seed), last_year, rules, *Table().arrays())
    return states, int(phases), int(illegal)


@kernel
def play_all(states, seed, last_year, rules, lists, legal, starts, places, chosen, results):
    """Play every position to its end; return how many phases that took and how many orders were illegal."""
    phases, illegal = 0, 0
    for game in range(states.size):
        stream = mix_word(seed, np.uint64(game))
        phase = 0
        while states[game].year <= last_year and winner(states[game]) == NOBODY:
            word = mix_word(stream, np.uint64(phase))
            illegal += play_phase(states[game], word, rules, lists, legal, starts, places, chosen, results)
            phase += 1
        phases += phase
    return phases, illegal


@kernel
def play_phase(state, word, rules, lists, legal, starts, places, chosen, results):
    """Carry out one phase with random orders; return how many of them were illegal, which should be none."""
    count = random_orders(state, word, rules, lists, legal, starts, places, chosen)
    advance(state, chosen, count, rules, lists.work, results)
    illegal = 0
    for i in range(count):
        if results[i].verdict == ILLEGAL:
            illegal += 1
    return illegal


@kernel
def random_orders(state, word, rules, lists, legal, starts, places, chosen):
    """Fill `chosen` with random legal orders; return how many."""
    groups = legal_orders(state, rules, lists, legal, starts, places)
    if state.phase == BUILDS:
        return draw_adjustments(state, groups, legal, starts, lists.work, word, chosen)
    for group in range(groups):
        chosen[group] = pick(legal, starts, group, word)
    return groups


@kernel
def pick(legal, starts, group, word):
    """One of a group's orders."""
    return legal[starts[group] + below_word(mix_word(word, np.uint64(group)), starts[group + 1] - starts[group])]


@kernel
def draw_adjustments(state, groups, legal, starts, work, word, chosen):
    """For each power as many of its groups as it has adjustments, each group as likely."""
    left = work.needs[:POWER_COUNT]
    find_adjustments(state, left, work.supporters[:POWER_COUNT])
    n = 0
    for power in range(POWER_COUNT):
        needed, seen = abs(left[power]), 0
        for group in range(groups):
            seen += power_of_adjustment(state, legal[starts[group]]) == power
        for group in range(groups):
            if power_of_adjustment(state, legal[starts[group]]) != power:
                continue
            # Of `seen` groups that are left, `needed` are taken: this one by that chance.
            if below_word(mix_word(word, np.uint64(UNIT_LIMIT + group)), seen) < needed:
                chosen[n] = pick(legal, starts, group, word)
                n += 1
                needed -= 1
            seen -= 1
    return n
