"""RM+ over the candidate sets of all seven powers: one search gives everybody's strategy.

A profile is one candidate a power. Its value comes from a look-ahead of the same depth for all; the iteration's profiles are
listed first and valued then, so that something else than the heuristic evaluation can value them in one batch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix, mix_word
from playmill.diplomacy.budgets import NO_LIMIT, REMEMBERED, Budget, Clock
from playmill.diplomacy.candidates import fill_candidates
from playmill.diplomacy.cartesian import Product, new_product
from playmill.diplomacy.levels import add_levels
from playmill.diplomacy.lookahead import Ahead, look_ahead, new_ahead, value_of
from playmill.diplomacy.options import list_options
from playmill.diplomacy.order_scores import score_options
from playmill.diplomacy.plan import Plan, new_plan
from playmill.diplomacy.polish import polish
from playmill.diplomacy.regret import (
    ITERATIONS,
    NODES,
    PENDING,
    Regrets,
    action_in,
    average,
    close_iteration,
    mean_values,
    new_regrets,
    open_iteration,
    reset,
    set_even_priors,
)
from playmill.diplomacy.settings import SearchSettings
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.state import STATE, UNIT_LIMIT

CANDIDATES, DRAWS = 0, 1  # streams of a search
LEVELS_SHARE = 2  # of the nodes, one part in so many may go into candidates that answer others
FEWEST_NODES = 12  # that are worth looking for an answer with
REPLY_NODES = 500  # polishing against so many answers more is worth it from so many nodes more on
FEWEST_REPLIES = 2  # one of each sort
GREEDY_PRIOR = 0.5

# Changes `plan.scores`, [unit, option], in which it finds the heuristic scores; they are in units of a neutral centre.
Scorer = Callable[[Any, Plan], None]
# Values of positions, float [positions, 7], each row summing to 1.
ValueFunction = Callable[[Any], np.ndarray]


class Joint(NamedTuple):
    """The memory of a search."""

    regrets: Regrets
    root: Any  # [1] STATE
    plan: Plan
    ahead: Ahead
    sets: np.ndarray  # [power, candidate, unit] int32
    pool: np.ndarray  # [candidate, unit] int32: sets that are looked at before some are kept
    worth: np.ndarray  # [candidate] of the pool
    sizes: np.ndarray  # [power] units
    product: Product  # for candidates that answer others; it shares the root, the plan and the look-ahead
    answers: np.ndarray  # [level, power, unit] int32
    polished: Product  # for the set that is played
    mean: np.ndarray  # [power, candidate] the average strategies, once the search has ended
    leaves: Any  # [row] STATE: where the profiles of an iteration lead
    values: np.ndarray  # [power]
    stop: np.ndarray  # [1] not 0: end at once


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

    def __init__(self, settings: SearchSettings, score: Scorer | None = None, value: ValueFunction | None = None) -> None:
        self.settings = settings
        self._score, self._value = score, value
        self.memory = _new_joint(settings)
        self._stream = np.uint64(0)

    def run(self, state: Any, budget: Budget, stream: int) -> Strategies:
        """Search a position within a budget; `stream` is where its random words come from."""
        clock = Clock(budget, self.memory.stop)
        self.begin(state, stream, budget.likely_nodes)
        used = ""
        while not used:
            self._step(clock)
            used = clock.ended_by(*self._done())
        return self.strategies(used)

    def _done(self) -> tuple[int, int]:
        tally = self.memory.regrets.tally
        return int(tally[ITERATIONS]), int(tally[NODES])

    def _step(self, clock: Clock) -> None:
        if self._value is None:
            nodes = NO_LIMIT if clock.budget.nodes is None else clock.budget.nodes
            iterate(self.memory, self._stream, clock.slice_of(self._done()[0]), nodes)
        else:
            self.close(self._value(self.open()))

    # ------------------------------------------------------------------ one iteration at a time, for batches over games

    def begin(self, state: Any, stream: int, nodes: int | None = None) -> None:
        """Make the candidates of a position; `nodes` is what the whole search may take, as far as that is known."""
        memory = self.memory
        memory.root[0] = state
        list_options(memory.root[0], memory.plan)
        score_options(memory.root[0], memory.plan)  # also finds what attacks and answers go by
        if self._score is not None:
            self._score(memory.root[0], memory.plan)
        settings = self.settings
        word = np.uint64(mix(stream, CANDIDATES))
        levels, answer_nodes = self._levels_for(nodes)
        prepare(memory, settings.candidates - levels, settings.pool, settings.temperature, word)
        add_answers(memory, levels, answer_nodes)
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

    def open(self) -> Any:
        """Begin an iteration: the positions whose values it needs."""
        count = open_leaves(self.memory, self._stream)
        return self.memory.leaves[:count]

    def close(self, values: np.ndarray) -> None:
        """End the iteration with those values."""
        close_leaves(self.memory, np.ascontiguousarray(values, np.float64))

    def strategies(self, used: str = "iterations") -> Strategies:
        """What is known so far."""
        memory, regrets = self.memory, self.memory.regrets
        memory.mean[:] = mean = average(regrets)
        sets = [memory.sets[p, : regrets.counts[p], : memory.sizes[p]].copy() for p in range(POWER_COUNT)]
        weights = [mean[p, : regrets.counts[p]].copy() for p in range(POWER_COUNT)]
        iterations, nodes = self._done()
        # Each power's mean is over other profiles, so that their sum is 1 up to the luck of the draws alone.
        values = mean_values(regrets)
        return Strategies(sets, weights, values / values.sum(), iterations, nodes, used)

    def polish(self, power: int, orders: np.ndarray, node_limit: int, stream: int) -> tuple[np.ndarray, int]:
        """A set of a power made better against what the search expects of the others, and the nodes that took."""
        memory = self.memory
        if orders.size == 0 or node_limit < self.settings.polish:
            return orders, 0
        foreseen = memory.answers[min(1, len(memory.answers) - 1)]
        replies = max(FEWEST_REPLIES, min(self.settings.polish, node_limit // REPLY_NODES))
        product = memory.polished._replace(replies=memory.polished.replies[:replies])
        nodes = polish(product, memory.sets, memory.sizes, memory.mean, foreseen, power, orders, node_limit, np.uint64(stream))
        return memory.polished.own[: orders.size].copy(), int(nodes)


def _new_joint(settings: SearchSettings) -> Joint:
    width = settings.candidates
    regrets = new_regrets(POWER_COUNT, width, settings.slot_bits)
    root, plan = np.zeros(1, STATE), new_plan(settings.order_weights)
    ahead = new_ahead(settings.seasons, settings.rules, settings.weights, settings.order_weights)
    stop = np.zeros(1, np.int64)
    return Joint(
        regrets=regrets,
        root=root,
        plan=plan,
        ahead=ahead,
        sets=np.zeros((POWER_COUNT, width, UNIT_LIMIT), np.int32),
        pool=np.zeros((max(width, settings.pool), UNIT_LIMIT), np.int32),
        worth=np.zeros(max(width, settings.pool)),
        sizes=np.zeros(POWER_COUNT, np.int64),
        product=new_product(root, plan, ahead, 1, stop),
        answers=np.zeros((settings.levels + 1, POWER_COUNT, UNIT_LIMIT), np.int32),
        polished=new_product(root, plan, ahead, max(settings.polish, FEWEST_REPLIES), stop),
        mean=np.zeros((POWER_COUNT, width)),
        leaves=np.zeros(len(regrets.rows), STATE),
        values=np.zeros(POWER_COUNT),
        stop=stop,
    )


# ------------------------------------------------------------------ kernels


@kernel
def prepare(joint, wanted, pool, temperature, stream):
    """Make every power's candidates: all that are wanted, or the best of a larger pool against the others' greedy sets."""
    reset(joint.regrets)
    units = joint.plan.units[0]
    for power in range(POWER_COUNT):
        joint.sizes[power] = 0
        for unit in range(units.count):
            joint.sizes[power] += units.power[unit] == power
        word = mix_word(stream, np.uint64(power))
        joint.regrets.counts[power] = fill_candidates(joint.plan, power, wanted, temperature, word, joint.sets[power])
    if pool > wanted:
        for power in range(POWER_COUNT):
            if joint.regrets.counts[power] == wanted:
                pick_candidates(joint, power, wanted, pool, temperature, mix_word(stream, np.uint64(power)))


@kernel
def add_answers(joint, levels, node_limit):
    """Add the candidates that answer others, and say what is likely before anything is known."""
    counts = joint.regrets.counts
    joint.regrets.tally[NODES] += add_levels(joint.product, joint.sets, counts, joint.sizes, joint.answers, levels, node_limit)
    prefer_greedy(joint.regrets)


@kernel
def prefer_greedy(regrets):
    """Before anything is known, each power plays its first candidate half of the time."""
    set_even_priors(regrets)
    for power in range(POWER_COUNT):
        for action in range(regrets.counts[power]):
            regrets.priors[power, action] *= 1.0 - GREEDY_PRIOR
        regrets.priors[power, 0] += GREEDY_PRIOR


@kernel
def pick_candidates(joint, power, wanted, pool, temperature, word):
    """Keep the greedy set, and of the pool those that do best if the others play their greedy sets."""
    count = fill_candidates(joint.plan, power, pool, temperature, word, joint.pool)
    for i in range(count):
        joint.worth[i] = worth_against_greedy(joint, power, joint.pool[i])
    joint.regrets.tally[NODES] += count
    joint.worth[0] = np.inf
    for k in range(wanted):
        best = np.argmax(joint.worth[:count])
        joint.sets[power, k] = joint.pool[best]
        joint.worth[best] = -np.inf


@kernel
def worth_against_greedy(joint, power, own):
    """A power's value if it plays `own` and all others their first candidate."""
    n = 0
    for other in range(POWER_COUNT):
        row = own if other == power else joint.sets[other, 0]
        for i in range(joint.sizes[other]):
            joint.ahead.orders[n] = row[i]
            n += 1
    joint.leaves[0] = joint.root[0]
    look_ahead(joint.leaves[0], n, joint.ahead)
    value_of(joint.leaves[0], joint.ahead, joint.values)
    return joint.values[power]


@kernel
def is_used_up(joint, nodes):
    """Whether to end now; one iteration is always done, so that there is an answer."""
    tally = joint.regrets.tally
    return tally[ITERATIONS] > 0 and (joint.stop[0] or tally[NODES] >= nodes or tally[ITERATIONS] >= nodes // REMEMBERED)


@kernel
def iterate(joint, stream, iterations, nodes):
    """Do so many iterations, fewer if the nodes are used up or somebody says stop."""
    for _ in range(iterations):
        if is_used_up(joint, nodes):
            return
        open_iteration(joint.regrets, stream)
        for i in range(joint.regrets.tally[PENDING]):
            row = joint.regrets.pending[i]
            play_row(joint, row, 0)
            value_of(joint.leaves[0], joint.ahead, joint.regrets.rows[row])
        close_iteration(joint.regrets)


@kernel
def open_leaves(joint, stream):
    """Begin an iteration and fill `leaves` with what it needs; return how many."""
    open_iteration(joint.regrets, stream)
    count = joint.regrets.tally[PENDING]
    for i in range(count):
        play_row(joint, joint.regrets.pending[i], i)
    return count


@kernel
def close_leaves(joint, values):
    """End an iteration with the leaves' values."""
    for i in range(joint.regrets.tally[PENDING]):
        joint.regrets.rows[joint.regrets.pending[i]] = values[i]
    close_iteration(joint.regrets)


@kernel
def play_row(joint, row, leaf):
    """Carry out the profile of a row; `leaves[leaf]` becomes the position that it leads to."""
    n = 0
    for power in range(POWER_COUNT):
        orders = joint.sets[power, action_in(joint.regrets, row, power)]
        for i in range(joint.sizes[power]):
            joint.ahead.orders[n] = orders[i]
            n += 1
    joint.leaves[leaf] = joint.root[0]
    look_ahead(joint.leaves[leaf], n, joint.ahead)
