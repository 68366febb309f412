"""Playouts: run a game forward under a policy, once or a million times, and say how long the games were.

from playmill.sim import Simulator, uniform_random
batch = Simulator(uniform_random).playout_many(state, 10_000, workers=2, seed=7)
"""

from playmill.sim.batch import PlayoutBatch
from playmill.sim.lengths import Lengths
from playmill.sim.observers import BranchingObserver, Observer
from playmill.sim.policies import all_legal, composite, first_legal, get_policy, policy_names, randomized, uniform_random
from playmill.sim.results import PlayoutOptions, PlayoutResult, TerminalReason
from playmill.sim.simulator import Simulator
from playmill.sim.transpositions import TranspositionSet

__all__ = [
    "BranchingObserver",
    "Lengths",
    "Observer",
    "PlayoutBatch",
    "PlayoutOptions",
    "PlayoutResult",
    "Simulator",
    "TerminalReason",
    "TranspositionSet",
    "all_legal",
    "composite",
    "first_legal",
    "get_policy",
    "policy_names",
    "randomized",
    "uniform_random",
]
