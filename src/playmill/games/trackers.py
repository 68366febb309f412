"""Trackers: what is counted in the finished games of a game, and the reward terms that follow from it. One table for everybody.

Reward shaping adds to a game's outcome what the players did on the way. A tracker plays finished games again, by their seeds
and actions, and counts; terms are made of the counts and of weights, which are settings. Self-play has them in its targets
(`Told.shaping` in `heads.py`), reports in their tables. Counts never depend on weights, so they can be had again from a shard.
A game's pack brings its tracker; a game without one has no shaping, and pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.errors import ContractError
from playmill.core.table import NameTable
from playmill.games.game import Game

Array = np.ndarray[Any, Any]
Weights = Mapping[str, float]


@dataclass(frozen=True)
class RewardWeight:
    """A number that terms are made with: a setting of self-play, of this name."""

    name: str
    default: float
    about: str  # a sentence, for the settings
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class RewardTerm:
    """One reward of a player. Opposed: what one gets is taken off the others'; else it is a player's own."""

    name: str
    of: Callable[[Array, Weights], Array]  # float64 of the shape of the counts
    is_opposed: bool = True


@dataclass(frozen=True)
class Tracker:
    """What is counted in a game, and what it is worth.

    `count(game, seeds, offsets, actions, counts)` fills zeroed `counts` [games, players], records of the type `counters`:
    game i is the episode of seeds[i], in which actions[offsets[i]:offsets[i + 1]] were played.
    """

    counters: np.dtype[Any]  # float64 fields
    weights: tuple[RewardWeight, ...]
    terms: tuple[RewardTerm, ...]
    count: Callable[[Game, Array, Array, Array, Array], None]

    def defaults(self) -> dict[str, float]:
        """The weights, unless somebody wants others."""
        return {weight.name: weight.default for weight in self.weights}


TRACKERS: NameTable[Tracker] = NameTable("tracker", {})  # by the name of the game


def enter_tracker(game: str, tracker: Tracker) -> None:
    """Add a game's tracker; weights of one name are one setting, so those of two trackers have different names."""
    others = {weight.name for known in TRACKERS.values() if known is not tracker for weight in known.weights}
    for weight in tracker.weights:
        if weight.name in others:
            raise ContractError(f"the reward weight '{weight.name}' is there already, of another game; choose another name")
    TRACKERS.enter(game, tracker)


def known_weights() -> Iterator[RewardWeight]:
    """Those of all trackers, each once."""
    yield from {weight.name: weight for tracker in TRACKERS.values() for weight in tracker.weights}.values()


def count_games(game: Game, tracker: Tracker, seeds: Array, offsets: Array, actions: Array) -> Array:
    """The counts of these finished games, records [games, players]."""
    counts = np.zeros((seeds.size, game.players), np.dtype((np.record, tracker.counters)))
    tracker.count(game, seeds, offsets, actions, counts)
    return counts


def term_values(tracker: Tracker, counts: Array, weights: Weights) -> Array:
    """What each term gives each player, float64 [games, players, terms]."""
    return np.stack([term.of(counts, weights) for term in tracker.terms], axis=-1)


def shaping_parts(tracker: Tracker, counts: Array, weights: Weights) -> Array:
    """What each term adds to a player's outcome, float64 [games, players, terms]: its own, less the others' mean if opposed."""
    own = term_values(tracker, counts, weights)
    others = (own.sum(axis=1, keepdims=True) - own) / max(1, own.shape[1] - 1)
    parts: Array = own - others * np.array([term.is_opposed for term in tracker.terms])
    return parts
