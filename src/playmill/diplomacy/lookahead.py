"""What a profile of orders leads to: moves adjudicated, retreats and builds by judgement, then the value for all seven.

With more seasons than one, all powers play greedily in the later ones. Every profile of a search looks equally far.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.core.jit import kernel
from playmill.diplomacy.candidates import greedy_set
from playmill.diplomacy.evaluation import EVALUATION_ROWS, claim_table, evaluate
from playmill.diplomacy.heuristics import is_movement, settle_season
from playmill.diplomacy.options import list_options
from playmill.diplomacy.order_scores import score_options
from playmill.diplomacy.plan import Plan, new_plan
from playmill.diplomacy.weights import EvaluationWeights, OrderWeights, as_record
from playmill.games.diplomacy.geography import CENTRE_COUNT, POWER_COUNT
from playmill.games.diplomacy.phases import advance_moves
from playmill.games.diplomacy.state import UNIT_LIMIT
from playmill.games.diplomacy.verdicts import RESULT
from playmill.games.diplomacy.work import new_work


class Ahead(NamedTuple):
    """The memory of a look-ahead and its settings."""

    plan: Plan  # for positions that lie ahead
    work: Any  # [1] WORK
    results: Any  # RESULT
    orders: np.ndarray  # the profile's orders, int32
    weights: Any  # [1] of EvaluationWeights
    claims: np.ndarray  # from `claim_table`
    scratch: np.ndarray
    settings: np.ndarray  # int64: SEASONS, RULES


SEASONS, RULES = 0, 1


def new_ahead(seasons: int, rules: int, weights: EvaluationWeights, order_weights: OrderWeights) -> Ahead:
    """Memory for looking `seasons` movement phases ahead."""
    return Ahead(
        plan=new_plan(order_weights),
        work=new_work(),
        results=np.zeros(UNIT_LIMIT, RESULT),
        orders=np.zeros(UNIT_LIMIT, np.int32),
        weights=as_record(weights),
        claims=claim_table(weights),
        scratch=np.zeros((EVALUATION_ROWS, CENTRE_COUNT)),
        settings=np.array([seasons, rules], np.int64),
    )


@kernel
def look_ahead(state, count, ahead):
    """Carry out the first `count` of `ahead.orders` in `state`, and go on to the end of the look-ahead."""
    rules = ahead.settings[RULES]
    advance_moves(state, ahead.orders, count, rules, ahead.work[0], ahead.results)
    settle_season(state, ahead.plan, rules, ahead.work[0], ahead.results, ahead.orders)
    for _ in range(ahead.settings[SEASONS] - 1):
        if not is_movement(state):
            return  # somebody has won
        count = greedy_profile(state, ahead.plan, ahead.orders)
        advance_moves(state, ahead.orders, count, rules, ahead.work[0], ahead.results)
        settle_season(state, ahead.plan, rules, ahead.work[0], ahead.results, ahead.orders)


@kernel
def greedy_profile(state, plan, orders):
    """Fill the greedy orders of all powers; return how many."""
    list_options(state, plan)
    score_options(state, plan)
    n = 0
    for power in range(POWER_COUNT):
        n += greedy_set(plan, power, orders[n:])
    return n


@kernel
def value_of(state, ahead, values):
    """Fill what a position is worth to each power."""
    evaluate(state, ahead.weights[0], ahead.claims, ahead.scratch, values)
