"""Compiled or not, everything comes out the same."""

import json
import os
import subprocess
import sys

import pytest

SCRIPT = """
import json
from playmill.diplomacy.budgets import Budget
from playmill.diplomacy.matrix_games import solve
from playmill.diplomacy.players import make_player
from playmill.diplomacy.settings import SearchSettings
from playmill.games.diplomacy.board import Board
import numpy as np

board = Board.start()
opening = "F lon - nth ; A lvp - yor ; F kie - den ; A con - bul ; A bud - ser ; A war - gal ; A mar - spa ; F nap - ion"
later = board.orders(opening).adjudicate().next
found = {"pennies": [row.tolist() for row in solve(np.array([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]], float), 200)[0]]}
small = SearchSettings(candidates=3, pool=4, seasons=2, width=2, replies=2, level_nodes=6, polish=2, polish_nodes=8)
for kind, budget in (
    ("random", Budget()), ("heuristic", Budget()), ("cartesian", Budget(nodes=6)), ("rm_plus", Budget(iterations=2))
):
    decision = make_player(kind, settings=small).decide(later.state, None, 5, budget)
    orders = {power: orders.tolist() for power, orders in decision.orders.items()}
    found[kind] = [orders, decision.values.round(12).tolist(), decision.nodes]
print(json.dumps(found))
"""


def run(**environment):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.jit
def test_plain_python_finds_the_same():
    assert run() == run(NUMBA_DISABLE_JIT="1")
