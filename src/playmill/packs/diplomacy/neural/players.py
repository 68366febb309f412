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

from playmill.games.diplomacy.state import STATE
from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator, open_evaluator
from playmill.packs.diplomacy.neural.guidance import GuidanceSettings, GuidedSearch, search_many
from playmill.packs.diplomacy.players.player import ALL_POWERS, Decision, RmPlusPlayer
from playmill.packs.diplomacy.players.team import Team
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.heuristics import is_movement
from playmill.packs.diplomacy.search.rm_plus import Strategies
from playmill.packs.diplomacy.search.settings import OrderSearchSettings

DEFAULT_BUDGET = Budget(iterations=300)  # what an RM+ player of full strength has


class GuidedPlayer(RmPlusPlayer):
    """RM+ over candidates that a network proposes. Retreats and builds are by judgement, as for all players."""

    kind = "neural"

    def __init__(
        self,
        settings: OrderSearchSettings,
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
    settings: OrderSearchSettings | None = None,
    guidance: GuidanceSettings | None = None,
    default: Budget = DEFAULT_BUDGET,
) -> GuidedPlayer:
    """A player with a network: a checkpoint's file, or an evaluator that no other thread uses."""
    evaluator = network if isinstance(network, DiplomacyEvaluator) else open_evaluator(network)
    return GuidedPlayer(settings or OrderSearchSettings(), evaluator, guidance or GuidanceSettings(), default)


class GuidedTeam(Team):
    """A player for each of several games, with shared passes of one network."""

    def __init__(self, players: Sequence[GuidedPlayer]) -> None:
        self.players, self.lanes = players, len(players)

    def decide_round(
        self,
        states: Sequence[Any],
        streams: Sequence[int],
        budget: Budget | None,
        powers: Sequence[Sequence[int]] | None = None,
    ) -> list[Decision]:
        return decide_many(self.players[: len(states)], states, streams, budget, powers)

    @property
    def stops(self) -> list[Any]:
        return [player.stop for player in self.players]


def make_guided_team(
    evaluator: DiplomacyEvaluator, settings: OrderSearchSettings, guidance: GuidanceSettings, lanes: int
) -> GuidedTeam:
    """A team for another thread: its players share a clone of the evaluator."""
    own = evaluator.clone()
    return GuidedTeam([make_guided_player(own, settings, guidance) for _ in range(lanes)])


def decide_many(
    players: Sequence[GuidedPlayer],
    states: Sequence[Any],
    streams: Sequence[int],
    budget: Budget | None = None,
    powers: Sequence[Sequence[int]] | None = None,
) -> list[Decision]:
    """What each player decides in its game: as if asked one by one, with shared passes of the network.

    It decides for all powers, or for those that `powers` has for each game.
    """
    whole, began = players[0].budget_of(budget), time.perf_counter()
    wanted = powers or [ALL_POWERS] * len(states)
    moving = [i for i, state in enumerate(states) if is_movement(state)]
    found: dict[int, Strategies] = {}
    if moving:
        rows = np.zeros(len(moving), STATE)
        for row, i in enumerate(moving):
            rows[row] = states[i]
        searches = [players[i].search for i in moving]
        budgets = [players[i].main_part(whole, len(wanted[i])) for i in moving]
        results = search_many(searches, rows, [streams[i] for i in moving], budgets)
        found = dict(zip(moving, results, strict=True))
    seconds = time.perf_counter() - began
    return [
        player.take(found[i], wanted[i], streams[i], whole, seconds)
        if i in found
        else player.decide(states[i], wanted[i], streams[i])
        for i, player in enumerate(players)
    ]
