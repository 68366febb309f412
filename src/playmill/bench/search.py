"""What a search costs by itself: simulations and turns a second under an evaluator that has no opinion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.bench.machine import core_count
from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.bench.threads import OnThreads

GAMES = 256
SIMULATIONS = 100
INFLIGHT = 1  # one leaf of a game at a time, as the peers search
TURN_HEADS = ("win", "togo_own", "togo_opp")


class Puct:
    """Searches of the same GAMES positions over and over, with root noise, each time by another stream."""

    def __init__(self, name: str, inflight: int = INFLIGHT) -> None:
        import numpy as np

        from playmill.bench.positions import positions
        from playmill.games.registry import get_game
        from playmill.nets.net_evaluator import NetShape
        from playmill.nets.tables import UniformEvaluator
        from playmill.search.lockstep import PuctSearch
        from playmill.search.settings import PuctSettings

        game = get_game(name)
        settings = PuctSettings(budget=SIMULATIONS, inflight=inflight)
        self._search = PuctSearch(game, settings, UniformEvaluator(NetShape.of_game(game)), GAMES)
        self._records = positions(game, GAMES)
        self._lanes = np.arange(GAMES)
        self._words = np.random.default_rng(0)

    def __call__(self, times: int) -> int:
        """Search all positions `times` times; return how many simulations that took."""
        from playmill.search.decisions import finish

        count = 0
        for _ in range(times):
            streams = self._words.integers(0, 2**64, GAMES, "u8")
            self._search.forget(self._lanes)
            count += int(finish(self._search.search(self._lanes, self._records, streams, True)).visits.sum())
        return count


class Turns:
    """Exact solutions of the turns that the positions are in."""

    def __init__(self) -> None:
        import numpy as np

        from playmill.bench.positions import positions
        from playmill.games.registry import get_game
        from playmill.nets.net_evaluator import NetShape
        from playmill.nets.tables import UniformEvaluator
        from playmill.packs.yatzy.exact_settings import ExactTurnSettings
        from playmill.packs.yatzy.exact_turn import ExactTurnSearch

        game = get_game("yatzy")
        evaluator = UniformEvaluator(NetShape.of_game(game, TURN_HEADS))
        self._search = ExactTurnSearch(game, ExactTurnSettings(), evaluator, GAMES)
        self._records = positions(game, GAMES)
        self._lanes = np.arange(GAMES)
        self.turns = self.evaluations = 0

    def __call__(self, times: int) -> int:
        """Solve all turns `times` times; return how many turns that were."""
        from playmill.search.decisions import finish

        for _ in range(times):
            self._search.forget(self._lanes)
            decisions = finish(self._search.search(self._lanes, self._records, self._lanes, False))
            self.turns += GAMES
            self.evaluations += decisions.stats["evaluations"]
        return times * GAMES


@benchmark("search.connect_four", "sims/s")
def connect_four(setup: Setup) -> Measured:
    """Simulations of PUCT on connect four, tree work alone, on one core; beside OpenSpiel's MCTS and mctx."""
    return _puct("connect_four", setup, {"open_spiel_mcts": "one", "mctx": "one", "mctx_all_cores": "all"})


@benchmark("search.yatzy", "sims/s")
def yatzy(setup: Setup) -> Measured:
    """Simulations of PUCT on Yatzy, tree work alone, on one core; beside mctx on backgammon, which has dice, too."""
    return _puct("yatzy", setup, {"mctx_backgammon": "one"})


@benchmark("search.exact_turn", "turns/s")
def exact_turn(setup: Setup) -> Measured:
    """Turns of Yatzy solved exactly, without a network's cost, on one core."""
    turns = Turns()
    rate = best_rates({"ours": Paced(turns)}, setup.seconds)["ours"]
    return Measured(rate, {"games": GAMES, "evaluations_per_turn": turns.evaluations / turns.turns, "cores": 1})


def _puct(name: str, setup: Setup, opponents: Mapping[str, str]) -> Measured:
    """Our rate on one core, and that of each peer with our multiple of it, all measured in turns.

    `opponents` says which of our sides a peer is compared with: "one" core, or "all".
    """
    one, every = OnThreads([Puct(name)]), OnThreads([Puct(name) for _ in range(core_count())])
    children = setup.peers.start(opponents)
    ours = {"one": Paced(one), "all": Paced(every), "inflight": Paced(Puct(name, inflight=4))}
    rates = best_rates({**ours, **children}, setup.seconds)
    facts = {
        "games": GAMES,
        "simulations": SIMULATIONS,
        "inflight": INFLIGHT,
        "cores": one.threads,
        "cores_used": one.cores_used,
        "inflight_4_sims_per_s": rates["inflight"],
        "all_cores_sims_per_s": rates["all"],
        "all_cores": every.threads,
        "all_cores_used": every.cores_used,
    }
    against: dict[str, dict[str, Any]] = {
        peer: {"rate": rates[peer], "ratio": rates[opponents[peer]] / rates[peer], "our_cores": opponents[peer], **child.about}
        for peer, child in children.items()
    }
    return Measured(rates["one"], facts, against)
