"""Stored trees. Run this file to store them anew after a change that was meant: `python tests/search/golden_trees.py`."""

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from playmill.core.seeds import mix
from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings
from playmill.sim import PlayoutOptions, Simulator, uniform_random

PATH = Path(__file__).parent.parent / "golden" / "trees.json"
CASES = [
    {"game": name, "seed": seed, "plies": plies, "budget": budget, "inflight": inflight, "noise": noise}
    for name, plies, budget in (("tictactoe", 1, 80), ("connect_four", 9, 120), ("yatzy", 7, 100), ("yatzy", 60, 60))
    for seed, inflight, noise in ((1, 1, False), (2, 4, True))
]
CASES += [{**case, "selection": "gumbel"} for case in CASES]


def search(case):
    """What a search finds: every node's visits, and the root's policy and value to the last bit."""
    game = get_game(case["game"])
    state = Simulator(uniform_random, PlayoutOptions(max_events=case["plies"])).playout(game.new(case["seed"])).final
    settings = PuctSettings(budget=case["budget"], inflight=case["inflight"], selection=case.get("selection", "puct"))
    searcher = PuctSearch(game, settings, TableEvaluator(NetShape.of_game(game), 5), 1)
    stream = np.array([mix(case["seed"], 99)], np.uint64)
    decisions = finish(searcher.search(np.array([0]), np.array([state.record], game.state), stream, case["noise"]))
    nodes = searcher.trees.nodes[0][: searcher.trees.cursors[0]["nodes"]]
    return {
        **case,
        "state": state.line,
        "node_visits": nodes["visits"].tolist(),
        "node_keys": [f"{key:016x}" for key in nodes["key"].tolist()],
        "root_visits": decisions.visits[0, : decisions.count[0]].tolist(),
        "root_value": decisions.value[0, state.to_move].tobytes().hex(),
    }


if __name__ == "__main__":
    PATH.write_text("[\n" + ",\n".join(json.dumps(search(case)) for case in CASES) + "\n]\n")
