"""Random games in OpenSpiel, as its own examples play them from Python; one core.

open_spiel_playouts.py GAME games|plies      what is counted
"""

# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import json
import random
import sys
import time
from importlib.metadata import version

import pyspiel

GAMES_PER_LOOK = {"games": 64, "plies": 1}  # reading the clock after each game would slow down short ones


def play_game(game: pyspiel.Game) -> int:
    """Play one game; return how many plies it had."""
    plies, state = 0, game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        plies += 1
    return plies


def play(game: pyspiel.Game, counted: str, seconds: float) -> dict[str, object]:
    """Play for `seconds` or a little longer; return what happened."""
    count, began = 0, time.perf_counter()
    while True:
        for _ in range(GAMES_PER_LOOK[counted]):
            plies = play_game(game)
            count += plies if counted == "plies" else 1
        elapsed = time.perf_counter() - began
        if elapsed >= seconds:
            return {"count": count, "seconds": elapsed}


def main(name: str, counted: str) -> None:
    game = pyspiel.load_game(name)
    about = {"game": name, "version": version("open_spiel")}
    for request in sys.stdin:
        seconds = float(request.removeprefix("run "))
        print(json.dumps({**play(game, counted, seconds), **about}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
