"""The player that searches with a network, behind the same call as the others:

    player = make_guided_player("best.pt")
    decision = player.decide(state, powers=[0, 3], stream=7, budget=Budget(iterations=200))

`decide_many` asks players of several games at once, with shared passes of the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.diplomacy.budgets import Budget
from playmill.diplomacy.heuristics import is_movement
from playmill.diplomacy.neural.evaluator import DiplomacyEvaluator, open_evaluator
from playmill.diplomacy.neural.guidance import GuidanceSettings, GuidedSearch, search_many
from playmill.diplomacy.players import ALL_POWERS, Decision, RmPlusPlayer
from playmill.diplomacy.rm_plus import Strategies
from playmill.diplomacy.settings import SearchSettings
from playmill.games.diplomacy.state import STATE

DEFAULT_BUDGET = Budget(iterations=300)  # what an RM+ player of full strength has


class GuidedPlayer(RmPlusPlayer):
    """RM+ over candidates that a network proposes. Retreats and builds are by judgement, as for all players."""

    kind = "neural"

    def __init__(
        self,
        settings: SearchSettings,
        evaluator: DiplomacyEvaluator,
        guidance: GuidanceSettings,
        default: Budget = DEFAULT_BUDGET,
    ) -> None:
        super().__init__(settings, default)
        self.search = GuidedSearch(settings, evaluator, guidance)
        self._search = self.search
        self.stop = self.search.memory.stop

    def budget_of(self, budget: Budget | None) -> Budget:
        """What a decision may cost: the player's own where nothing is said."""
        return self._default if budget is None or budget.is_open else budget

    def move(self, state: Any, powers: Sequence[int], stream: int, budget: Budget) -> Decision:
        return self.take(self.search.run(state, self.budget_of(budget), stream), powers, stream)

    def take(self, found: Strategies, powers: Sequence[int], stream: int) -> Decision:
        """The decision that a search's result comes to.

        A search expects something for each power on its own, by its own strategy; brought to a sum of 1, that is a share again.
        """
        orders = {power: self._pick(found, power, mix(stream, power)) for power in powers}
        values = np.maximum(found.values, 0.0)
        return Decision(orders, values / values.sum(), found.nodes, found.iterations, found.used, found)


def make_guided_player(
    network: Path | str | DiplomacyEvaluator,
    settings: SearchSettings | None = None,
    guidance: GuidanceSettings | None = None,
    default: Budget = DEFAULT_BUDGET,
) -> GuidedPlayer:
    """A player with a network: a checkpoint's file, or an evaluator that no other thread uses."""
    evaluator = network if isinstance(network, DiplomacyEvaluator) else open_evaluator(network)
    return GuidedPlayer(settings or SearchSettings(), evaluator, guidance or GuidanceSettings(), default)


def decide_many(
    players: Sequence[GuidedPlayer], states: Sequence[Any], streams: Sequence[int], budget: Budget | None = None
) -> list[Decision]:
    """What each player decides for all powers in its game: as if asked one by one, with shared passes of the network."""
    moving = [i for i, state in enumerate(states) if is_movement(state)]
    found: dict[int, Strategies] = {}
    if moving:
        rows = np.zeros(len(moving), STATE)
        for row, i in enumerate(moving):
            rows[row] = states[i]
        searches = [players[i].search for i in moving]
        results = search_many(searches, rows, [streams[i] for i in moving], players[0].budget_of(budget))
        found = dict(zip(moving, results, strict=True))
    return [
        player.take(found[i], ALL_POWERS, streams[i]) if i in found else player.decide(states[i], None, streams[i])
        for i, player in enumerate(players)
    ]
