"""How often does a network choose a worse move than an exact solver, by the number of discs on the board?

    python examples/connect_four_mistakes.py --model connect-four-best [--simulations 100] [--selection gumbel]

Positions come from random games. A mistake turns a won position into one that is not, or a drawn one into a lost one; how
soon a win comes does not count. The solver is BitBully (`pip install bitbully`). Without a model the bare search plays.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import bitbully
import numpy as np

from playmill import Simulator, get_game, uniform_random
from playmill.core.seeds import mix
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings
from playmill.sim import PlayoutOptions

GAME = get_game("connect_four")
DISCS = (8, 12, 16, 20, 24, 28, 32)


def main() -> None:
    options = parse()
    print("discs  positions  mistakes  random play")
    for discs in DISCS:
        results = positions(options.games, discs, options.seed)
        scores = [solve(result.actions) for result in results]
        chosen = choose(results, options)
        wrong = np.mean([is_mistake(found, move) for found, move in zip(scores, chosen, strict=True)])
        by_chance = np.mean([np.mean([is_mistake(found, move) for move in found]) for found in scores])
        print(f"{discs:5d}  {len(results):9d}  {wrong:8.1%}  {by_chance:11.1%}")


def positions(count: int, discs: int, seed: int) -> list:
    """Playouts of random games that are not over after so many discs, and whose choice matters."""
    found, number = [], 0
    simulator = Simulator(uniform_random, PlayoutOptions(max_events=discs, capture_trace=True))
    while len(found) < count:
        result = simulator.playout(GAME.new(mix(mix(seed, discs), number)))
        number += 1
        if not result.final.is_over and len({np.sign(score) for score in solve(result.actions).values()}) > 1:
            found.append(result)
    return found


def solve(moves: tuple[int, ...]) -> dict[int, int]:
    """The exact score of each legal move, above 0 for a win."""
    board = bitbully.Board()
    for column in moves:
        board.play(column)
    return SOLVER.score_all_moves(board)


def is_mistake(scores: dict[int, int], move: int) -> bool:
    return np.sign(scores[move]) < np.sign(max(scores.values()))


def choose(results: list, options: argparse.Namespace) -> list[int]:
    """The moves that the search chooses, all positions at once."""
    settings = PuctSettings(budget=options.simulations, selection=options.selection)
    searcher = PuctSearch(GAME, settings, evaluator(options.model), len(results))
    records = np.array([result.final.record for result in results], GAME.state)
    streams = np.arange(len(results), dtype=np.uint64)
    decisions = finish(searcher.search(np.arange(len(results)), records, streams, False))
    return [int(decisions.actions[i, decisions.policy[i].argmax()]) for i in range(len(results))]


def evaluator(model: Path | None):
    if model is None:
        from playmill.nets.net_evaluator import NetShape
        from playmill.nets.tables import UniformEvaluator

        return UniformEvaluator(NetShape.of_game(GAME))
    from playmill.nets.evaluators import open_evaluator
    from playmill.nets.pretrained import model_path

    return open_evaluator(model_path(model), game=GAME)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="a checkpoint, or a pretrained player's name")
    parser.add_argument("--games", type=int, default=200, help="positions for each number of discs")
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--selection", choices=("puct", "gumbel"), default="puct", help="how the search goes through its tree")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


SOLVER = bitbully.BitBully()

if __name__ == "__main__":
    main()
