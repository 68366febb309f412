"""Compiled or not, a search finds the same."""

import pytest

from both_ways import printed_both_ways

SCRIPT = """
import json
import numpy as np
from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import UniformEvaluator
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings

game, found = get_game("yatzy"), []
for settings in (
    PuctSettings(budget=30),
    PuctSettings(budget=30, afterstates=True, luck=0.5),
    PuctSettings(budget=20, selection="gumbel"),
):
    search = PuctSearch(game, settings, UniformEvaluator(NetShape.of_game(game)), 2)
    records = np.array([game.new(seed).record for seed in range(2)], game.state)
    for _ in range(2):
        decisions = finish(search.search(np.arange(2), records, np.array([3, 4], np.uint64), True))
        found.append([decisions.visits.tolist(), decisions.value.round(6).tolist()])
        search.moved(np.arange(2), decisions.actions[:, 0], records)
print(json.dumps(found))
"""


@pytest.mark.jit
def test_plain_python_finds_the_same():
    compiled, plain = printed_both_ways(SCRIPT)
    assert compiled == plain
