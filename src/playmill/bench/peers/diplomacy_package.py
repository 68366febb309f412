"""The `diplomacy` package: adjudication, legal orders, whole random games; one core.

    python diplomacy_package.py MODE     MODE: adjudicate, orders or games

The phases are those of the file that PLAYMILL_BENCH_PHASES names. Only the call that is measured is on the clock: setting up a
position is not.
"""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import itertools
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from diplomacy import Game

LAST_YEAR = 1920

Timed = Callable[[], float]


def adjudicate(phases: Iterator[Any]) -> Timed:
    """A function that adjudicates the next phase and returns how long that took."""
    game = Game()

    def call() -> float:
        phase = next(phases)
        game.set_state(phase["state"])
        game.clear_orders()
        for power, orders in phase["orders"].items():
            game.set_orders(power, orders)
        began = time.perf_counter()
        game.process()
        return time.perf_counter() - began

    return call


def orders(phases: Iterator[Any]) -> Timed:
    """A function that lists the next position's orders and returns how long that took."""
    game = Game()

    def call() -> float:
        game.set_state(next(phases)["state"])
        began = time.perf_counter()
        game.get_all_possible_orders()
        return time.perf_counter() - began

    return call


def games(_: Iterator[Any]) -> Timed:
    """A function that plays a random game as the package's own example does, and returns how long that took."""

    def call() -> float:
        began = time.perf_counter()
        game = Game()
        while not game.is_game_done and int(game.get_current_phase()[1:5]) <= LAST_YEAR:
            possible = game.get_all_possible_orders()
            for power in game.powers:
                places = game.get_orderable_locations(power)
                game.set_orders(power, [random.choice(possible[place]) for place in places if possible[place]])
            game.process()
        return time.perf_counter() - began

    return call


def run(call: Timed, seconds: float) -> dict[str, object]:
    """Work for `seconds` or a little longer; return how often, and how long it was on the clock."""
    count, total, end = 0, 0.0, time.perf_counter() + seconds
    while True:
        total += call()
        count += 1
        if time.perf_counter() >= end:
            return {"count": count, "seconds": total}


def main(mode: str) -> None:
    phases = itertools.cycle(json.loads(Path(os.environ["PLAYMILL_BENCH_PHASES"]).read_text()))
    call = {"adjudicate": adjudicate, "orders": orders, "games": games}[mode](phases)
    about = {"game": "diplomacy", "version": version("diplomacy")}
    for request in sys.stdin:
        seconds = float(request.removeprefix("run "))
        print(json.dumps({**run(call, seconds), **about}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
