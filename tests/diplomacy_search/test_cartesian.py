"""Cartesian search finds what can be had against the expected answers."""

import numpy as np
import pytest

from diplomacy_search.games_at_hand import movement
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.geography import POWER_COUNT, POWERS
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.cartesian import CartesianSearch, weigh
from playmill.packs.diplomacy.search.settings import OrderSearchSettings


def found(state, power, nodes, stream=1, **settings):
    return CartesianSearch(OrderSearchSettings(**settings)).run(state, power, Budget(nodes=nodes), stream)


def test_more_nodes_are_never_worse():
    search = CartesianSearch(OrderSearchSettings())
    for states in movement("heuristic", 1)[::3]:
        for power in range(POWER_COUNT):
            few, many = (search.run(states[0], power, Budget(nodes=nodes), 1) for nodes in (10, 400))
            assert many.values[power] >= few.values[power]


def test_an_undefended_centre_is_taken():
    # Nobody else is near: France walks into Spain and Portugal in the fall.
    board = Board.start().orders("A mar - gas ; F bre - mao").adjudicate().next
    orders = found(board.state, POWERS.index("france"), 500).orders
    text = write_orders(orders.tolist(), board.plain)
    assert "A gas - spa" in text
    assert "F mao - por" in text


def test_what_it_answers_is_the_best_it_has_seen():
    board, power = Board.start().orders("A mar - gas ; F bre - mao").adjudicate().next, POWERS.index("france")
    search = CartesianSearch(OrderSearchSettings())
    for nodes in (20, 60, 100, 300):
        answer = search.run(board.state, power, Budget(nodes=nodes), 1)
        search.memory[0].own[: answer.orders.size] = answer.orders
        assert weigh(search.memory[0], power, answer.orders.size) == answer.values[power]


def test_it_ends_by_itself_when_all_widths_are_tried():
    answer = found(Board.start().state, POWERS.index("turkey"), 10**6, width=3)
    assert answer.used == "width"
    assert 0 < answer.nodes < 3**3 * 3


def test_several_replies_cost_several_nodes():
    state = Board.start().state
    assert found(state, 0, 10**6, width=2, replies=3).nodes == 3 * found(state, 0, 10**6, width=2).nodes


@pytest.mark.parametrize("power", range(POWER_COUNT))
def test_same_stream_same_orders(power):
    state = movement("heuristic", 1)[5][0]
    first, again = (found(state, power, 200, replies=2) for _ in range(2))
    assert np.array_equal(first.orders, again.orders)
    assert np.array_equal(first.values, again.values)
