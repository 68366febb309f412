"""RM+ over the candidate sets of all seven powers: one search gives everybody's strategy.

A profile is one candidate a power. Its value comes from a look-ahead of the same depth for all; the iteration's profiles are
listed first and valued then, so that something else than the heuristic evaluation can value them in one batch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.records import record_of
from playmill.core.seeds import mix, mix_word
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.state import STATE, UNIT_LIMIT
from playmill.packs.diplomacy.search.budgets import NO_LIMIT, REMEMBERED, Budget, Clock
from playmill.packs.diplomacy.search.candidates import fill_candidates
from playmill.packs.diplomacy.search.cartesian import CARTESIAN_WORK, set_up_search, weigh
from playmill.packs.diplomacy.search.levels import add_levels, begin_levels, expect_level
from playmill.packs.diplomacy.search.lookahead import add_orders, clear_orders, look_ahead, value_of
from playmill.packs.diplomacy.search.options import list_options
from playmill.packs.diplomacy.search.order_scores import score_options
from playmill.packs.diplomacy.search.polish import polish
from playmill.packs.diplomacy.search.settings import MAX_CANDIDATES, MAX_LEVELS, MAX_POOL, OrderSearchSettings
from playmill.search.regret import (
    ITERATIONS,
    MAX_ROWS,
    NODES,
    PENDING,
    REGRETS,
    action_in,
    average,
    close_iteration,
    mean_values,
    open_iteration,
    reset,
    set_even_priors,
    set_up_regrets,
)

CANDIDATES, DRAWS = 0, 1  # streams of a search
LEVELS_SHARE = 2  # of the nodes, one part in so many may go into candidates that answer others
FEWEST_NODES = 12  # that are worth looking for an answer with
REPLY_NODES = 500  # polishing against so many answers more is worth it from so many nodes more on
FEWEST_REPLIES = 2  # one of each sort
GREEDY_PRIOR = 0.5

# Takes a position and its ORDER_WORK and changes the heuristic `scores` in it, which are in units of a neutral centre.
Scorer = Callable[[Any, Any], None]
# Values of positions, float [positions, 7], each row summing to 1.
ValueFunction = Callable[[Any], np.ndarray]

# The memory of a search.
JOINT_WORK = record_of(
    ("regrets", REGRETS),
    ("cartesian", CARTESIAN_WORK),  # with the root and the look-ahead; it finds candidates that answer others, and polishes
    ("sets", "i4", (POWER_COUNT, MAX_CANDIDATES, UNIT_LIMIT)),
    ("pool", "i4", (MAX_POOL, UNIT_LIMIT)),  # sets that are looked at before some are kept
    ("sizes", "i8", POWER_COUNT),  # units of a power
    ("levels", "i8"),  # of answers, as the settings have it
    ("answers", "i4", (MAX_LEVELS + 1, POWER_COUNT, UNIT_LIMIT)),
    ("averages", "f8", (POWER_COUNT, MAX_CANDIDATES)),  # the average strategies, once the search has ended
    ("corrections", "f8", (POWER_COUNT, MAX_CANDIDATES)),  # added to what a power gets if it plays a candidate
    ("leaves", STATE, MAX_ROWS),  # where the profiles of an iteration lead
)


@dataclass(frozen=True)
class Strategies:
    """What a search found: for each power its candidate sets and how often to play each, and what all can expect."""

    sets: list[np.ndarray]  # per power int32 [candidates, units]
    weights: list[np.ndarray]  # per power float64 [candidates]
    values: np.ndarray  # float64 [7]
    iterations: int
    nodes: int
    used: str  # the budget that ended it


class JointSearch:
    """A search that is used again and again; `score` and `value` replace the heuristic ones."""

    def __init__(self, settings: OrderSearchSettings, score: Scorer | None = None, value: ValueFunction | None = None) -> None:
        self.settings = settings
        self._score, self._value = score, value
        self.memory = _new_memory(settings)
        self.stop = self.memory["cartesian"]["stop"][0]  # [1]: a thread may set it to 1, to end the search
        self._tally = self.memory["regrets"]["tally"][0]
        self._stream = np.uint64(0)

    def run(self, state: Any, budget: Budget, stream: int) -> Strategies:
        """Search a position within a budget; `stream` is where its random words come from."""
        clock = Clock(budget, self.stop)
        self.begin(state, stream, budget.likely_nodes)
        used = ""
        while not used:
            self._step(clock)
            used = clock.ended_by(*self._done())
        return self.strategies(used)

    def _done(self) -> tuple[int, int]:
        return int(self._tally[ITERATIONS]), int(self._tally[NODES])

    def _step(self, clock: Clock) -> None:
        if self._value is None:
            nodes = NO_LIMIT if clock.budget.nodes is None else clock.budget.nodes
            iterate(self.memory, self._stream, clock.slice_of(self._done()[0]), nodes)
        else:
            self.close(self._value(self.open()))

    # ------------------------------------------------------------------ one iteration at a time, for batches over games

    def begin(self, state: Any, stream: int, nodes: int | None = None) -> None:
        """Make the candidates of a position; `nodes` is what the whole search may take, as far as that is known."""
        memory, settings = self.memory, self.settings
        memory["cartesian"]["root"] = state
        score_root(memory)  # also finds what attacks and answers go by
        if self._score is not None:
            self._score(memory["cartesian"]["root"][0], memory["cartesian"]["work"][0])
        word = np.uint64(mix(stream, CANDIDATES))
        levels, answer_nodes = self._levels_for(nodes)
        wanted = settings.candidates - levels
        prepare(memory, wanted, settings.temperature, word)
        if settings.pool > wanted:
            self._pick_candidates(wanted, word)
        self._tally[NODES] += add_levels(memory, levels, answer_nodes)
        prefer_greedy(memory)
        self._stream = np.uint64(mix(stream, DRAWS))

    def _levels_for(self, nodes: int | None) -> tuple[int, int]:
        """How many levels of answers there is room for, and how many nodes for each answer."""
        levels, each = min(self.settings.levels, self.settings.candidates - 1), self.settings.level_nodes  # greedy comes first
        if nodes is None or levels == 0:
            return levels, each
        room = nodes // (LEVELS_SHARE * POWER_COUNT)
        levels = max(1, min(levels, room // each))
        each = min(each, room // levels)
        return (levels, each) if each >= FEWEST_NODES else (0, 0)

    def _pick_candidates(self, wanted: int, stream: np.uint64) -> None:
        """Of a larger pool keep the greedy set, and those that do best if the others play their greedy sets."""
        memory, settings = self.memory, self.settings
        begin_levels(memory)
        for power in np.flatnonzero(memory["regrets"]["counts"][0] == wanted).tolist():
            pool = memory["pool"][0, : fill_pool(memory, power, settings.pool, settings.temperature, stream)]
            expect_level(memory, 0, power)
            worth = [self._worth(power, orders) for orders in pool[1:]]
            best = 1 + np.argsort(-np.array(worth), kind="stable")
            memory["sets"][0, power, 1:wanted] = pool[best[: wanted - 1]]
            self._tally[NODES] += len(pool)

    def _worth(self, power: int, orders: np.ndarray) -> float:
        """A power's value of a set against what is expected of the others."""
        cartesian, size = self.memory["cartesian"], self.memory["sizes"][0, power]
        cartesian["own"] = orders
        return float(weigh(cartesian[0], power, size))

    def open(self) -> Any:
        """Begin an iteration: the positions whose values it needs."""
        open_iteration(self.memory["regrets"][0], self._stream)
        return self._play_pending()

    def _play_pending(self) -> Any:
        """The positions that the rows lead to whose values are asked for."""
        play_pending(self.memory)
        return self.memory["leaves"][0, : self._tally[PENDING]]

    def close(self, values: np.ndarray) -> None:
        """End the iteration with those values."""
        close_leaves(self.memory, np.ascontiguousarray(values, np.float64))

    def strategies(self, used: str = "iterations") -> Strategies:
        """What is known so far."""
        memory, regrets = self.memory[0], self.memory["regrets"][0]
        mean = average(regrets)
        memory.averages[:, : mean.shape[1]] = mean
        sizes, counts = memory.sizes, regrets.counts
        sets = [memory.sets[p, : counts[p], : sizes[p]].copy() for p in range(POWER_COUNT)]
        weights = [mean[p, : counts[p]].copy() for p in range(POWER_COUNT)]
        iterations, nodes = self._done()
        # Each power's mean is over other profiles, so that their sum is 1 up to the luck of the draws alone.
        values = mean_values(regrets)
        return Strategies(sets, weights, values / values.sum(), iterations, nodes, used)

    def polish(self, power: int, orders: np.ndarray, node_limit: int, stream: int) -> tuple[np.ndarray, int]:
        """A set of a power made better against what the search expects of the others, and the nodes that took."""
        if orders.size == 0 or node_limit < self.settings.polish:
            return orders, 0
        replies = max(FEWEST_REPLIES, min(self.settings.polish, node_limit // REPLY_NODES))
        return polish(self.memory, power, orders, replies, node_limit, stream)


def _new_memory(settings: OrderSearchSettings) -> Any:
    memory = np.zeros(1, JOINT_WORK)
    memory["levels"] = settings.levels
    set_up_regrets(memory["regrets"][0], POWER_COUNT, settings.candidates, settings.slot_bits)
    set_up_search(memory["cartesian"][0], settings)
    return memory


# ------------------------------------------------------------------ kernels


@kernel
def score_root(memory):
    """List and score what could be ordered; `memory` is, as below, a JOINT_WORK in an array."""
    search = memory[0].cartesian
    list_options(search.root, search.work)
    score_options(search.root, search.work)


@kernel
def prepare(memory, wanted, temperature, stream):
    """Make every power's candidates."""
    joint = memory[0]
    reset(joint.regrets)
    work, units = joint.cartesian.work, joint.cartesian.work.units
    for power in range(POWER_COUNT):
        joint.sizes[power] = 0
        for unit in range(units.count):
            joint.sizes[power] += units.power[unit] == power
        word = mix_word(stream, np.uint64(power))
        joint.regrets.counts[power] = fill_candidates(work, power, wanted, temperature, word, joint.sets[power])


@kernel
def fill_pool(memory, power, wanted, temperature, stream):
    """Make a pool that a power's candidates are chosen from; return how many there are."""
    joint = memory[0]
    word = mix_word(stream, np.uint64(power))
    return fill_candidates(joint.cartesian.work, power, wanted, temperature, word, joint.pool[:])


@kernel
def prefer_greedy(memory):
    """Before anything is known, each power plays its first candidate half of the time."""
    regrets = memory[0].regrets
    set_even_priors(regrets)
    for power in range(POWER_COUNT):
        for action in range(regrets.counts[power]):
            regrets.priors[power, action] *= 1.0 - GREEDY_PRIOR
        regrets.priors[power, 0] += GREEDY_PRIOR


@kernel
def is_used_up(joint, nodes):
    """Whether to end now; one iteration is always done, so that there is an answer."""
    tally = joint.regrets.tally
    return tally[ITERATIONS] > 0 and (
        joint.cartesian.stop[0] or tally[NODES] >= nodes or tally[ITERATIONS] >= nodes // REMEMBERED
    )


@kernel
def iterate(memory, stream, iterations, nodes):
    """Do so many iterations, fewer if the nodes are used up or somebody says stop."""
    joint = memory[0]
    regrets, ahead = joint.regrets, joint.cartesian.ahead
    for _ in range(iterations):
        if is_used_up(joint, nodes):
            return
        open_iteration(regrets, stream)
        for i in range(regrets.tally[PENDING]):
            row = regrets.pending[i]
            write_profile(joint, row)
            joint.leaves[0] = joint.cartesian.root
            look_ahead(joint.leaves[0], ahead)
            value_of(joint.leaves[0], ahead)
            for power in range(POWER_COUNT):
                correction = joint.corrections[power, action_in(regrets, row, power)]
                regrets.rows[row, power] = ahead.values[power] + correction
        close_iteration(regrets)


@kernel
def play_pending(memory):
    """Fill `leaves` with the positions that the pending rows lead to."""
    joint = memory[0]
    for i in range(joint.regrets.tally[PENDING]):
        write_profile(joint, joint.regrets.pending[i])
        joint.leaves[i] = joint.cartesian.root
        look_ahead(joint.leaves[i], joint.cartesian.ahead)


@kernel
def write_profile(joint, row):
    """Make the orders of a row's profile those to look ahead with."""
    ahead = joint.cartesian.ahead
    clear_orders(ahead)
    for power in range(POWER_COUNT):
        add_orders(ahead, joint.sets[power, action_in(joint.regrets, row, power)], joint.sizes[power])


@kernel
def close_leaves(memory, values):
    """End an iteration with the leaves' values."""
    regrets = memory[0].regrets
    for i in range(regrets.tally[PENDING]):
        for power in range(POWER_COUNT):
            regrets.rows[regrets.pending[i], power] = values[i, power]
    close_iteration(regrets)
