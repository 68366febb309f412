"""Random games of connect four in OpenSpiel, as its own examples play them from Python; one core."""

# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import json
import random
import sys
import time
from importlib.metadata import version

import pyspiel

GAMES_PER_LOOK = 64  # reading the clock after each game would slow it down


def play_game(game: pyspiel.Game) -> None:
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))


def play(game: pyspiel.Game, seconds: float) -> dict[str, object]:
    """Play for `seconds` or a little longer; return what happened."""
    games, began = 0, time.perf_counter()
    while True:
        for _ in range(GAMES_PER_LOOK):
            play_game(game)
        games += GAMES_PER_LOOK
        elapsed = time.perf_counter() - began
        if elapsed >= seconds:
            return {"count": games, "seconds": elapsed}


def main() -> None:
    game = pyspiel.load_game("connect_four")
    about = {"game": "connect_four", "version": version("open_spiel")}
    for request in sys.stdin:
        seconds = float(request.removeprefix("run "))
        print(json.dumps({**play(game, seconds), **about}), flush=True)


if __name__ == "__main__":
    main()
