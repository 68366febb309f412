"""What a profile of orders leads to: moves adjudicated, retreats and builds by judgement, then the value for all seven.

With more seasons than one, all powers play greedily in the later ones. Every profile of a search looks equally far.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from playmill.core.jit import kernel
from playmill.core.records import record_of
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.phases import advance_moves
from playmill.games.diplomacy.state import UNIT_LIMIT
from playmill.games.diplomacy.verdicts import RESULT
from playmill.games.diplomacy.work import WORK
from playmill.packs.diplomacy.search.candidates import greedy_set
from playmill.packs.diplomacy.search.evaluation import EVALUATION, evaluate, set_weights
from playmill.packs.diplomacy.search.heuristics import is_movement, settle_season
from playmill.packs.diplomacy.search.options import list_options
from playmill.packs.diplomacy.search.order_scores import score_options
from playmill.packs.diplomacy.search.order_work import ORDER_WORK
from playmill.packs.diplomacy.search.settings import OrderSearchSettings

# The memory of a look-ahead and its settings.
LOOKAHEAD_WORK = record_of(
    ("work", ORDER_WORK),  # for positions that lie ahead
    ("units", WORK),  # for adjudication
    ("results", RESULT, UNIT_LIMIT),
    ("orders", "i4", UNIT_LIMIT),  # a profile's
    ("count", "i8"),  # of those
    ("evaluation", EVALUATION),
    ("values", "f8", POWER_COUNT),  # of where it has led
    ("seasons", "i8"),  # movement phases to look ahead
    ("rules", "i8"),
)


def set_up_lookahead(ahead: Any, settings: OrderSearchSettings) -> None:
    """Make a LOOKAHEAD_WORK record go by settings."""
    ahead.seasons, ahead.rules = settings.seasons, settings.rules
    ahead.work.weights = astuple(settings.order_weights)
    set_weights(ahead.evaluation, settings.weights)


@kernel
def clear_orders(ahead):
    """Begin a profile."""
    ahead.count = 0


@kernel
def add_orders(ahead, orders, size):
    """Add the first `size` orders of a set to the profile."""
    for i in range(size):
        ahead.orders[ahead.count + i] = orders[i]
    ahead.count += size


@kernel
def look_ahead(state, ahead):
    """Carry out the profile in `state`, and go on to the end of the look-ahead."""
    orders, results = ahead.orders[:], ahead.results[:]
    for season in range(ahead.seasons):
        if season > 0:
            if not is_movement(state):
                return  # somebody has won
            ahead.count = greedy_profile(state, ahead.work, orders)
        advance_moves(state, orders, ahead.count, ahead.rules, ahead.units, results)
        settle_season(state, ahead)


@kernel
def greedy_profile(state, work, orders):
    """Fill the greedy orders of all powers; return how many."""
    list_options(state, work)
    score_options(state, work)
    n = 0
    for power in range(POWER_COUNT):
        n += greedy_set(work, power, orders[n:])
    return n


@kernel
def value_of(state, ahead):
    """Fill `ahead.values` with what a position is worth to each power."""
    evaluate(state, ahead.evaluation, ahead.values[:])
