"""Self-play and gates of Diplomacy with a network: games side by side with shared passes, against one game at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.extras import MissingExtra, require_extra

if TYPE_CHECKING:
    from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator
    from playmill.packs.diplomacy.neural.players import GuidedTeam

LANES = 16
ITERATIONS = 8
CANDIDATES = 8
MODES = ("off", "candidates", "leaves")  # what the network values
LAST_YEAR = 1901


class SideBySide:
    """Games of a year, `lanes` at a time; a call plays LANES of them for each unit of its size."""

    def __init__(self, evaluator: DiplomacyEvaluator, values: Any, lanes: int) -> None:
        from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings, SearchBudget

        self._team = _team(evaluator, values, lanes, noise=0.25)
        budget = SearchBudget(kind="iterations", amount=ITERATIONS)
        self._settings = DiplomacyGameSettings(max_year=LAST_YEAR, temperature=0.2, budget=budget)
        self._next = 0

    def __call__(self, size: int) -> int:
        """Play; return how many games that were."""
        from playmill.packs.diplomacy.selfplay.generate import GamesTask, play_games

        numbers = range(self._next, self._next + size * LANES)
        self._next = numbers.stop
        return play_games(GamesTask(tuple(numbers), self._settings, lambda: self._team))


class GateSideBySide:
    """Games of a gate between two networks, a year each, `lanes` at a time; a call plays LANES for each unit of its size."""

    def __init__(self, evaluator: DiplomacyEvaluator, values: Any, lanes: int) -> None:
        from playmill.packs.diplomacy.players.ladder import LadderSettings
        from playmill.packs.diplomacy.search.budgets import Budget

        self._teams = [_team(evaluator, values, lanes) for _ in range(2)]
        self._settings = LadderSettings(max_year=LAST_YEAR, budget=Budget(iterations=ITERATIONS), lanes=lanes)
        self._next = 0

    def __call__(self, size: int) -> int:
        """Play; return how many games that were."""
        from playmill.packs.diplomacy.players.ladder import RungTask, play_rung_games

        numbers = range(self._next, self._next + size * LANES)
        self._next = numbers.stop
        one, six = ((lambda team=team: team) for team in self._teams)
        return play_rung_games(RungTask(tuple(numbers), one, six, self._settings))


def _team(evaluator: DiplomacyEvaluator, values: Any, lanes: int, noise: float = 0.0) -> GuidedTeam:
    from playmill.packs.diplomacy.neural.guidance import GuidanceSettings
    from playmill.packs.diplomacy.neural.players import make_guided_team
    from playmill.packs.diplomacy.search.settings import OrderSearchSettings

    search = OrderSearchSettings(candidates=CANDIDATES).with_polish(0)
    return make_guided_team(evaluator, search, GuidanceSettings(values=values, noise=noise), lanes)


@benchmark("diplomacy.neural.selfplay", "games/s")
def on_cpu(setup: Setup) -> Measured:
    """Games of a year whose leaves a 64x4 network values, 16 side by side on one core; one at a time is a fact."""
    return _measure(setup, "cpu", SideBySide)


@benchmark("diplomacy.neural.selfplay.cuda", "games/s")
def on_gpu(setup: Setup) -> Measured:
    """The same with the network on a GPU."""
    return _measure(setup, "cuda", SideBySide)


@benchmark("diplomacy.neural.gate", "games/s")
def gate_on_cpu(setup: Setup) -> Measured:
    """Games of a gate between two such networks, likewise."""
    return _measure(setup, "cpu", GateSideBySide)


@benchmark("diplomacy.neural.gate.cuda", "games/s")
def gate_on_gpu(setup: Setup) -> Measured:
    """The same with the networks on a GPU."""
    return _measure(setup, "cuda", GateSideBySide)


def _measure(setup: Setup, device: str, side: type[SideBySide] | type[GateSideBySide]) -> Measured:
    require_extra("nets", "diplomacy.neural", ["torch"])
    import torch

    from playmill.packs.diplomacy.neural.checkpoint import make_checkpoint
    from playmill.packs.diplomacy.neural.evaluator import open_evaluator
    from playmill.packs.diplomacy.neural.model import build_net
    from playmill.packs.diplomacy.neural.spec import DiplomacySpec

    if device == "cuda" and not torch.cuda.is_available():
        raise MissingExtra("it needs a GPU that torch can use")
    spec = DiplomacySpec()
    evaluator = open_evaluator(make_checkpoint(spec, build_net(spec, 1)), device=device)
    sides = {(mode, lanes): Paced(side(evaluator, mode, lanes)) for mode in MODES for lanes in (1, LANES)}
    rates = best_rates(sides, setup.seconds)
    facts: dict[str, Any] = {"lanes": LANES, "iterations": ITERATIONS, "backend": evaluator.backend, "cores": 1}
    for mode in MODES:
        before, after = rates[mode, 1], rates[mode, LANES]
        facts[f"values_{mode}"] = {"one_at_a_time": before, "side_by_side": after, "ratio": after / before}
    return Measured(rates["leaves", LANES], facts)
