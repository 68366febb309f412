"""Memory of a large search."""

import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
from pathlib import Path
import numpy as np
from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings

game = get_game("yatzy")
searcher = PuctSearch(game, PuctSettings(budget=400), TableEvaluator(NetShape.of_game(game), 5), 1000)
records = np.array([game.new(seed).record for seed in range(1000)], game.state)
decisions = finish(searcher.search(np.arange(1000), records, np.arange(1000, dtype=np.uint64), True))
assert (decisions.visits.sum(axis=1) == 400).all()
# Not ru_maxrss: there a child begins with what its parent had.
print(int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024)
"""


@pytest.mark.jit
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system doesn't tell its peak so")
def test_a_thousand_games_of_four_hundred_simulations_fit_into_640_mib():
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 640  # some 430 in all; trees with an edge for every choice took 2.6 times as much
