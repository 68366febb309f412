"""How fast Diplomacy is: a movement phase, the legal orders of a position, whole random games, beside the `diplomacy` package.

The phases come out of random games from 1901 to 1910 and are given to the package as a file, so both sides work on the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark

PHASES = 500
LAST_YEAR = 1910
LAST_YEAR_OF_GAMES = 1920
SEED = 5
VARIABLE = "PLAYMILL_BENCH_PHASES"  # where the peer finds the file


class RandomPhases:
    """Movement phases of random games: positions, and an order for every unit."""

    def __init__(self, count: int) -> None:
        import numpy as np

        from playmill.games.diplomacy.state import STATE, UNIT_LIMIT
        from playmill.games.diplomacy.verdicts import RESULT

        self.states = np.zeros(count, STATE)
        self.orders = np.zeros((count, UNIT_LIMIT), np.int32)
        self.counts = np.zeros(count, np.int64)
        self.results = np.zeros((count, UNIT_LIMIT), RESULT)
        self._fill(count)

    def _fill(self, count: int) -> None:
        import numpy as np

        from playmill.core.seeds import mix
        from playmill.games.diplomacy.playout import Table, play_phase, random_orders
        from playmill.games.diplomacy.state import start_states

        arrays, found, game, step = Table().arrays(), 0, start_states(1), 0
        while found < count:
            word = np.uint64(mix(SEED, step))
            if game[0].phase in (0, 2):
                self.states[found] = game[0]
                self.counts[found] = random_orders(game[0], word, 3, *arrays[:5])
                self.orders[found] = arrays[4]
                found += 1
            play_phase(game[0], word, 3, *arrays)
            step += 1
            if game[0].year > LAST_YEAR:
                game = start_states(1)

    def write(self, path: Any) -> None:
        """The phases in the package's layout."""
        from playmill.games.diplomacy.board import Board
        from playmill.games.diplomacy.geography import POWERS
        from playmill.games.diplomacy.package_json import write_package_order, write_state
        from playmill.games.diplomacy.plain import parts

        rows = []
        for i in range(len(self.states)):
            board = Board(self.states[i : i + 1].copy())
            orders: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
            for order in self.orders[i, : self.counts[i]].tolist():
                power = POWERS[board.plain.power[parts(order).province]].upper()
                orders[power].append(write_package_order(order, board))
            rows.append({"state": write_state(board), "orders": orders})
        path.write_text(json.dumps(rows))


@benchmark("diplomacy.adjudicate", "phases/s")
def adjudicate(setup: Setup) -> Measured:
    """Full movement phases adjudicated and reported, on one core, beside the diplomacy package."""
    from playmill.games.diplomacy.batch import advance_all
    from playmill.games.diplomacy.work import new_work

    phases = RandomPhases(PHASES)
    work = new_work()

    def run(times: int) -> int:
        for _ in range(times):
            advance_all(phases.states.copy(), phases.orders, phases.counts, 3, work[0], phases.results)
        return times * PHASES

    return _beside(run, setup, "diplomacy_adjudicate", phases)


@benchmark("diplomacy.orders", "positions/s")
def orders(setup: Setup) -> Measured:
    """Legal orders of all units of a position, on one core, beside the diplomacy package."""
    from playmill.games.diplomacy.batch import list_all
    from playmill.games.diplomacy.playout import Table

    phases = RandomPhases(PHASES)
    lists, legal, starts, places, _, _ = Table().arrays()

    def run(times: int) -> int:
        for _ in range(times):
            list_all(phases.states, 3, lists, legal, starts, places)
        return times * PHASES

    return _beside(run, setup, "diplomacy_orders", phases)


@benchmark("diplomacy.games", "games/s")
def games(setup: Setup) -> Measured:
    """Random games to 1920, legal orders and adjudication together, on one core, beside the diplomacy package."""
    from playmill.games.diplomacy.playout import play_games

    seeds = iter(range(1 << 62))

    def run(count: int) -> int:
        play_games(count, next(seeds), LAST_YEAR_OF_GAMES)
        return count

    return _beside(run, setup, "diplomacy_games", RandomPhases(1))


def _beside(run: Callable[[int], int], setup: Setup, peer: str, phases: RandomPhases) -> Measured:
    """Our rate, and the package's on the same phases with our multiple of it, measured in turns."""
    from playmill.core.files import cache_folder

    path = cache_folder("bench") / "diplomacy_phases.json"
    phases.write(path)
    os.environ[VARIABLE] = str(path)
    children = setup.peers.start([peer])
    rates = best_rates({"ours": Paced(run), **children}, setup.seconds)
    rate = rates["ours"]
    against = {name: {"rate": rates[name], "ratio": rate / rates[name], **child.about} for name, child in children.items()}
    facts = {"microseconds": 1e6 / rate, "mean_units": float(phases.counts.mean()), "cores": 1}
    return Measured(rate, facts, against)
