"""How fast the Yatzy oracle is solved, read from its file, and played."""

from __future__ import annotations

from playmill.bench.machine import core_count
from playmill.bench.measure import least_seconds
from playmill.bench.registry import Measured, Setup, benchmark

# The more games, the more of them share a board, so the rate belongs to this number.
GAMES = 100_000


@benchmark("oracle.solve", "s")
def solve(setup: Setup) -> Measured:
    """Solving Yatzy from nothing on all cores, kernels compiled."""
    from playmill.games.yatzy.oracle import Oracle

    cores = core_count()
    return Measured(least_seconds(lambda: Oracle.solve(cores), setup.seconds), {"workers": cores})


@benchmark("oracle.load", "s")
def load(setup: Setup) -> Measured:
    """Reading the solved table from its file."""
    from playmill.games.yatzy.oracle import Oracle

    oracle = Oracle.load()  # makes the file if there is none
    return Measured(least_seconds(Oracle.load, setup.seconds), {"table_bytes": oracle.table.nbytes})


@benchmark("oracle.sim", "games/s")
def simulate(setup: Setup) -> Measured:
    """Solitaire games of best play, 100,000 at a time, on one core."""
    from playmill.games.yatzy.oracle import Oracle

    oracle = Oracle.load()
    one = least_seconds(lambda: oracle.simulate(GAMES, 0, 1), setup.seconds)
    cores = core_count()
    every = least_seconds(lambda: oracle.simulate(GAMES, 0, cores), setup.seconds)
    return Measured(GAMES / one, {"games": GAMES, "all_cores_games_per_s": GAMES / every, "workers": cores})
