"""Every legal order has a score, and different orders of a unit are told apart."""

import numpy as np
import pytest

from diplomacy_neural.playing import positions
from playmill.games.diplomacy.legal import MAX_GROUPS, MAX_ORDERS, legal_orders, new_lists
from playmill.games.diplomacy.work import RULES_3
from playmill.packs.diplomacy.neural.logit_ids import KINDS_AT, LOGITS, NOTHING, PARTS, fill_logit_ids, score_order


def legal(state):
    orders, starts, places = np.zeros(MAX_ORDERS, np.int32), np.zeros(MAX_GROUPS + 1, np.int64), np.zeros(MAX_GROUPS, np.int64)
    groups = legal_orders(state, RULES_3, new_lists()[0], orders, starts, places)
    return [(int(places[g]), orders[starts[g] : starts[g + 1]]) for g in range(groups)]


@pytest.mark.parametrize("row", range(0, 144, 11))
def test_orders_of_a_unit_have_different_logits_inside_the_answer(row):
    for province, orders in legal(positions()[row]):
        seen = set()
        for order in orders:
            logit_ids = np.zeros(PARTS, np.int64)
            fill_logit_ids(order, province, logit_ids)
            assert ((logit_ids >= 0) & (logit_ids < LOGITS)).all()
            assert KINDS_AT <= logit_ids[0] < NOTHING
            seen.add(tuple(logit_ids.tolist()))
        assert len(seen) == len(orders)


def test_a_score_is_the_sum_of_its_logits():
    answer = np.random.default_rng(0).normal(size=LOGITS)
    answer[NOTHING] = 0.0
    for province, orders in legal(positions()[20]):
        for order in orders:
            logit_ids = np.zeros(PARTS, np.int64)
            fill_logit_ids(order, province, logit_ids)
            assert score_order(answer, order, province) == pytest.approx(answer[logit_ids].sum())
