"""The player that searches with a network, behind the same call as the others:

    player = make_guided_player("best.pt")
    decision = player.decide(state, powers=[0, 3], stream=7, budget=Budget(iterations=200))

`decide_many` asks players of several games at once, with shared passes of the network.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from playmill.diplomacy.budgets import Budget
from playmill.diplomacy.heuristics import is_movement
from playmill.diplomacy.neural.evaluator import DiplomacyEvaluator, open_evaluator
from playmill.diplomacy.neural.guidance import GuidanceSettings, GuidedSearch, search_many
from playmill.diplomacy.players import ALL_POWERS, Decision, RmPlusPlayer
from playmill.diplomacy.rm_plus import Strategies
from playmill.diplomacy.settings import SearchSettings
from playmill.games.diplomacy.geography import POWER_COUNT
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
        self.stop = self.search.stop

    def take(self, found: Strategies, powers: Sequence[int], stream: int, budget: Budget, seconds: float) -> Decision:
        """The decision that a search's result comes to.

        A search expects something for each power on its own, by its own strategy; brought to a sum of 1, that is a share again.
        """
        values = np.maximum(found.values, 0.0)
        return replace(super().take(found, powers, stream, budget, seconds), values=values / values.sum())


def make_guided_player(
    network: Path | str | DiplomacyEvaluator,
    settings: SearchSettings | None = None,
    guidance: GuidanceSettings | None = None,
    default: Budget = DEFAULT_BUDGET,
) -> GuidedPlayer:
    """A player with a network: a checkpoint's file, or an evaluator that no other thread uses."""
    evaluator = network if isinstance(network, DiplomacyEvaluator) else open_evaluator(network)
    return GuidedPlayer(settings or SearchSettings(), evaluator, guidance or GuidanceSettings(), default)


def make_guided_twin(evaluator: DiplomacyEvaluator, settings: SearchSettings, guidance: GuidanceSettings) -> GuidedPlayer:
    """A player with a clone of the evaluator, so that another thread may use it."""
    return make_guided_player(evaluator.clone(), settings, guidance)


def decide_many(
    players: Sequence[GuidedPlayer], states: Sequence[Any], streams: Sequence[int], budget: Budget | None = None
) -> list[Decision]:
    """What each player decides for all powers in its game: as if asked one by one, with shared passes of the network."""
    whole, began = players[0].budget_of(budget), time.perf_counter()
    moving = [i for i, state in enumerate(states) if is_movement(state)]
    found: dict[int, Strategies] = {}
    if moving:
        rows = np.zeros(len(moving), STATE)
        for row, i in enumerate(moving):
            rows[row] = states[i]
        searches = [players[i].search for i in moving]
        results = search_many(searches, rows, [streams[i] for i in moving], players[0].main_part(whole, POWER_COUNT))
        found = dict(zip(moving, results, strict=True))
    seconds = time.perf_counter() - began
    return [
        player.take(found[i], ALL_POWERS, streams[i], whole, seconds)
        if i in found
        else player.decide(states[i], None, streams[i])
        for i, player in enumerate(players)
    ]
