"""How fast Diplomacy is searched: joint profiles adjudicated and evaluated a second."""

from __future__ import annotations

from typing import Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark

CANDIDATES = 16
ITERATIONS = 20  # of each position: few, so that almost every profile is a new one
SEED = 7
LAST_YEAR = 1908


def game_positions() -> Any:
    """The movement phases of a game between heuristic players."""
    import numpy as np

    from playmill.core.seeds import mix
    from playmill.games.diplomacy.state import start_states
    from playmill.games.diplomacy.work import RULES_3
    from playmill.packs.diplomacy.players.matches import DiplomacyMatch
    from playmill.packs.diplomacy.players.player import make_player
    from playmill.packs.diplomacy.search.heuristics import is_movement

    states, found = start_states(1), []
    match, seats = DiplomacyMatch(RULES_3), [make_player("heuristic")] * 7
    for phase in range(1000):
        if int(states[0].year) > LAST_YEAR:
            break
        if is_movement(states[0]):
            found.append(states.copy())
        match.play_phase(states[0], seats, mix(SEED, phase))
    return np.concatenate(found)


class Profiles:
    """RM+ searches of all positions of a game, over and over, each time by another stream."""

    def __init__(self, seasons: int = 1) -> None:
        from playmill.packs.diplomacy.search.budgets import Budget
        from playmill.packs.diplomacy.search.rm_plus import JointSearch
        from playmill.packs.diplomacy.search.settings import OrderSearchSettings

        self._search = JointSearch(OrderSearchSettings(candidates=CANDIDATES, seasons=seasons))
        self._budget = Budget(iterations=ITERATIONS)
        self._states = game_positions()
        self._stream = 0

    def __call__(self, times: int) -> int:
        """Search all positions `times` times; return how many profiles that took."""
        nodes = 0
        for _ in range(times):
            self._stream += 1
            for state in self._states:
                nodes += self._search.run(state, self._budget, self._stream).nodes
        return nodes


class Evaluations:
    """The evaluation alone, of all positions of a game."""

    def __init__(self) -> None:
        self._states = game_positions()

    def __call__(self, times: int) -> int:
        """Evaluate all positions `times` times; return how many that were."""
        from playmill.packs.diplomacy.search.evaluation import evaluate_states

        for _ in range(times):
            evaluate_states(self._states)
        return times * len(self._states)


class PlayerDecisions:
    """Decisions of one player, for all powers and in all positions of a game, over and over with the same budget."""

    def __init__(
        self, kind: str, iterations: int | None = None, nodes: int | None = None, candidates: int | None = None
    ) -> None:
        from playmill.packs.diplomacy.players.player import make_player
        from playmill.packs.diplomacy.search.budgets import Budget
        from playmill.packs.diplomacy.search.settings import OrderSearchSettings

        settings = OrderSearchSettings() if candidates is None else OrderSearchSettings(candidates=candidates)
        self._player = make_player(kind, settings=settings)
        self._budget = Budget(iterations, nodes)
        self._states = game_positions()

    def __call__(self, times: int) -> int:
        """Decide `times` times in each position; return how many nodes that took."""
        nodes = 0
        for stream in range(times):
            nodes += sum(self._player.decide(state, None, stream, self._budget).nodes for state in self._states)
        return nodes


@benchmark("diplomacy.rm_plus", "profiles/s")
def rm_plus(setup: Setup) -> Measured:
    """Joint profiles adjudicated and evaluated by RM+ with 16 candidates, whole searches, on one core."""
    rates = best_rates({"one": Paced(Profiles()), "two": Paced(Profiles(seasons=2))}, setup.seconds)
    facts = {"candidates": CANDIDATES, "iterations": ITERATIONS, "cores": 1, "two_seasons_profiles_per_s": rates["two"]}
    return Measured(rates["one"], facts)


@benchmark("diplomacy.evaluation", "positions/s")
def evaluation(setup: Setup) -> Measured:
    """Positions evaluated for all seven powers, on one core."""
    return Measured(best_rates({"ours": Paced(Evaluations())}, setup.seconds)["ours"], {"cores": 1})


@benchmark("diplomacy.search.rm_plus", "nodes/s")
def rm_plus_decisions(setup: Setup) -> Measured:
    """Nodes of whole decisions by the RM+ player, 300 iterations and polishing, on one core; smaller budgets are facts."""
    sides = {
        "long": PlayerDecisions("rm_plus", iterations=300),
        "iterations_20_nodes_per_s": PlayerDecisions("rm_plus", iterations=20),
        "candidates_4_nodes_300_nodes_per_s": PlayerDecisions("rm_plus", candidates=4, nodes=300),
    }
    return _nodes_per_s(sides, setup)


@benchmark("diplomacy.search.cartesian", "nodes/s")
def cartesian_decisions(setup: Setup) -> Measured:
    """Nodes of whole decisions by the Cartesian player, 1000 nodes a power, on one core; a budget of 50 is a fact."""
    sides = {"long": PlayerDecisions("cartesian", nodes=1000), "nodes_50_nodes_per_s": PlayerDecisions("cartesian", nodes=50)}
    return _nodes_per_s(sides, setup)


def _nodes_per_s(sides: dict[str, PlayerDecisions], setup: Setup) -> Measured:
    rates = best_rates({name: Paced(side) for name, side in sides.items()}, setup.seconds)
    rate = rates.pop("long")
    return Measured(rate, {"us_per_node": 1e6 / rate, "cores": 1, **rates})
