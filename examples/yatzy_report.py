"""How far is random play from perfect play in Yatzy? Simulates both, side by side, and prints a short report.

python examples/yatzy_report.py [--games 200000] [--seed 7] [--svg report.svg]
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from playmill import Oracle, Simulator, get_game, uniform_random
from playmill.cli.histogram import draw_histogram


def main() -> None:
    options = parse()
    console = Console(record=options.svg is not None, width=96)
    workers = os.cpu_count() or 1

    yatzy, oracle, simulator = get_game("yatzy"), Oracle.load(workers), Simulator(uniform_random)
    # Once before the clocks start: kernels are compiled on their first call.
    simulator.playout_many(yatzy, 1)
    oracle.simulate(1, 0, 1)

    began = time.perf_counter()
    batch = simulator.playout_many(yatzy, options.games, workers, options.seed)
    random_scores = batch.finals["total"].ravel()
    random_s = time.perf_counter() - began

    began = time.perf_counter()
    perfect = oracle.simulate(options.games, options.seed, workers)
    perfect_s = time.perf_counter() - began

    console.print(table(oracle.expected_score(), random_scores, random_s, perfect, perfect_s))
    both = np.bincount(np.concatenate([random_scores, perfect.scores]))
    markers = {"random": float(random_scores.mean()), "perfect": perfect.mean}
    console.print(draw_histogram(both.tolist(), width=84, title="\nfinal scores, random and perfect play", markers=markers))
    console.print(
        f"\nAsked on a fresh board with 1 3 3 5 6 and two rerolls, the oracle says: {advice(oracle)}", highlight=False
    )
    if options.svg is not None:
        console.save_svg(str(options.svg), title="python examples/yatzy_report.py")


def table(expected: float, scores: np.ndarray, random_s: float, perfect, perfect_s: float) -> Table:
    """Mean, spread and bonus rate of both kinds of play."""
    rows = Table(title=f"Yatzy: random against perfect play (solved: {expected:.4f} points a game)", title_justify="left")
    for heading in ("play", "games", "mean", "sd", "lowest", "highest", "games/s"):
        rows.add_column(heading, justify="left" if heading == "play" else "right")
    spread = f"{scores.mean():.2f}", f"{scores.std():.2f}", str(scores.min()), str(scores.max())
    rows.add_row("uniform random, two players", f"{scores.size // 2:,}", *spread, f"{scores.size / 2 / random_s:,.0f}")
    spread = f"{perfect.mean:.2f}", f"{perfect.sd:.2f}", str(perfect.min), str(perfect.max)
    rows.add_row("oracle, solitaire", f"{perfect.games:,}", *spread, f"{perfect.games / perfect_s:,.0f}")
    return rows


def advice(oracle: Oracle) -> str:
    best, second = oracle.ranked(avail=0x7FFF, upper=0, dice=(1, 3, 3, 5, 6), rerolls=2)[:2]
    return f"{best.text}; {second.text} would give away {second.regret:.2f} points."


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--svg", type=Path, help="also draw the report into this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
