"""Self-play of Diplomacy with a network: games side by side with shared passes, against one game at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.extras import MissingExtra, require_extra

if TYPE_CHECKING:
    from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator

LANES = 16
ITERATIONS = 8
CANDIDATES = 8
MODES = ("off", "candidates", "leaves")  # what the network values
LAST_YEAR = 1901


class SideBySide:
    """Games of a year, `lanes` at a time; a call plays LANES of them for each unit of its size."""

    def __init__(self, evaluator: DiplomacyEvaluator, values: Any, lanes: int) -> None:
        from playmill.packs.diplomacy.neural.guidance import GuidanceSettings
        from playmill.packs.diplomacy.neural.players import make_guided_team
        from playmill.packs.diplomacy.search.settings import OrderSearchSettings
        from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings, SearchBudget

        search = OrderSearchSettings(candidates=CANDIDATES).with_polish(0)
        self._team = make_guided_team(evaluator, search, GuidanceSettings(values=values, noise=0.25), lanes)
        budget = SearchBudget(kind="iterations", amount=ITERATIONS)
        self._settings = DiplomacyGameSettings(max_year=LAST_YEAR, temperature=0.2, budget=budget)
        self._next = 0

    def __call__(self, size: int) -> int:
        """Play; return how many games that were."""
        from playmill.packs.diplomacy.selfplay.generate import GamesTask, play_games

        numbers = range(self._next, self._next + size * LANES)
        self._next = numbers.stop
        return play_games(GamesTask(tuple(numbers), self._settings, lambda: self._team))


@benchmark("diplomacy.neural.selfplay", "games/s")
def on_cpu(setup: Setup) -> Measured:
    """Games of a year whose leaves a 64x4 network values, 16 side by side on one core; one at a time is a fact."""
    return _measure(setup, "cpu")


@benchmark("diplomacy.neural.selfplay.cuda", "games/s")
def on_gpu(setup: Setup) -> Measured:
    """The same with the network on a GPU."""
    return _measure(setup, "cuda")


def _measure(setup: Setup, device: str) -> Measured:
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
    sides = {(mode, lanes): Paced(SideBySide(evaluator, mode, lanes)) for mode in MODES for lanes in (1, LANES)}
    rates = best_rates(sides, setup.seconds)
    facts: dict[str, Any] = {"lanes": LANES, "iterations": ITERATIONS, "backend": evaluator.backend, "cores": 1}
    for mode in MODES:
        before, after = rates[mode, 1], rates[mode, LANES]
        facts[f"values_{mode}"] = {"one_at_a_time": before, "side_by_side": after, "ratio": after / before}
    return Measured(rates["leaves", LANES], facts)
