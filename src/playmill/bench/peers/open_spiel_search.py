"""OpenSpiel's MCTS in Python on connect four, with an evaluator that has no opinion: the tree work alone, on one core."""

# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import Evaluator, MCTSBot, SearchNode

SIMULATIONS = 100
C_PUCT = 1.5


class Flat(Evaluator):  # type: ignore[misc]
    """Every action alike, every position even."""

    def evaluate(self, state: Any) -> Any:
        return np.zeros(state.num_players())

    def prior(self, state: Any) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


def search(bot: MCTSBot, state: pyspiel.State, seconds: float) -> dict[str, object]:
    """Search one position again and again for `seconds` or a little longer; return what happened."""
    count, began = 0, time.perf_counter()
    while True:
        bot.mcts_search(state)
        count += SIMULATIONS
        elapsed = time.perf_counter() - began
        if elapsed >= seconds:
            return {"count": count, "seconds": elapsed}


def main() -> None:
    game = pyspiel.load_game("connect_four")
    bot = MCTSBot(game, C_PUCT, SIMULATIONS, Flat(), solve=False, child_selection_fn=SearchNode.puct_value)
    about = {"game": "connect_four", "simulations": SIMULATIONS, "cores": 1, "version": version("open_spiel")}
    for request in sys.stdin:
        seconds = float(request.removeprefix("run "))
        print(json.dumps({**search(bot, game.new_initial_state(), seconds), **about}), flush=True)


if __name__ == "__main__":
    main()
