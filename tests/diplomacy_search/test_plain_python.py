"""Compiled or not, everything comes out the same."""

import pytest

from both_ways import printed_both_ways

SCRIPT = """
import json
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.search.matrix_games import solve
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.games.diplomacy.board import Board
import numpy as np

board = Board.start()
opening = "F lon - nth ; A lvp - yor ; F kie - den ; A con - bul ; A bud - ser ; A war - gal ; A mar - spa ; F nap - ion"
later = board.orders(opening).adjudicate().next
found = {"pennies": [row.tolist() for row in solve(np.array([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]], float), 200)[0]]}
small = OrderSearchSettings(candidates=3, pool=4, seasons=2, width=2, replies=2, level_nodes=6, polish=2, polish_nodes=8)
for kind, budget in (
    ("random", Budget()), ("heuristic", Budget()), ("cartesian", Budget(nodes=6)), ("rm_plus", Budget(iterations=2))
):
    decision = make_player(kind, settings=small).decide(later.state, None, 5, budget)
    orders = {power: orders.tolist() for power, orders in decision.orders.items()}
    found[kind] = [orders, decision.values.round(12).tolist(), decision.nodes]
print(json.dumps(found))
"""


@pytest.mark.jit
def test_plain_python_finds_the_same():
    compiled, plain = printed_both_ways(SCRIPT)
    assert compiled == plain
