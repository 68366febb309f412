"""Reward shaping: the weights of games' trackers as settings, and what the terms add to the outcomes of a shard's games."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from pydantic import ConfigDict, Field, create_model, model_validator
from pydantic.fields import FieldInfo

from playmill.core.errors import UsageError, suggestion
from playmill.core.settings import Settings
from playmill.games.game import Game
from playmill.games.trackers import TRACKERS, Array, RewardWeight, count_games, known_weights, shaping_parts

MAX_SCALE = 10.0
MAX_LIMIT = 2.0  # from a loss to a win


class RewardSettings(Settings):
    """The weights of reward terms. Besides `scale` its keys are those that the games' trackers have."""

    model_config = ConfigDict(extra="allow")  # what is allowed are those keys

    scale: float = Field(
        1.0, ge=0, le=MAX_SCALE, description="Multiplies all that reward terms add; 0: the outcome alone is learned."
    )

    limit: float = Field(
        0.5,
        ge=0,
        le=MAX_LIMIT,
        description="The most that all reward terms together add to an outcome, or take off it: with 0.5 every win is worth"
        " more than any draw at -0.5, and no draw more than 0.",
    )

    @classmethod
    def all_fields(cls) -> dict[str, FieldInfo]:
        return {**cls.model_fields, **_model_of(tuple(known_weights())).model_fields}

    @model_validator(mode="before")
    @classmethod
    def _read_weights(cls, content: Any) -> Any:
        """Hold the weights that are given to their ranges."""
        if not isinstance(content, dict):
            return content
        given = {name: value for name, value in content.items() if name not in cls.model_fields}
        found = _model_of(tuple(known_weights())).model_validate(given)
        return {**content, **{name: getattr(found, name) for name in given}}

    @property
    def given(self) -> dict[str, float]:
        """The weights that somebody has set."""
        return dict(self.model_extra or {})

    def weights_for(self, game: Game) -> dict[str, float]:
        """The weights of all terms of the game, which has a tracker."""
        return {**TRACKERS.find(game.name).defaults(), **self.given}

    def bounded(self, added: Array) -> Array:
        """What the terms together add, by scale and limit."""
        return np.clip(self.scale * added, -self.limit, self.limit)


@functools.cache
def _model_of(weights: tuple[RewardWeight, ...]) -> type[Settings]:
    fields: dict[str, Any] = {
        weight.name: (float, Field(weight.default, ge=weight.low, le=weight.high, description=weight.about))
        for weight in weights
    }
    return create_model("RewardWeights", __base__=Settings, **fields)


def check_rewards(game: Game, settings: RewardSettings) -> None:
    """Refuse weights of terms that the game does not have."""
    tracker = TRACKERS.get(game.name)
    known = {} if tracker is None else tracker.defaults()
    for name in settings.given:
        if name not in known:
            raise UsageError(f"selfplay.rewards.{name}: {game.name} has no such reward{suggestion(name, known)}")


def hidden_rewards(game: Game) -> frozenset[str]:
    """The keys of `selfplay.rewards` that say nothing about the game; all of it where nothing is tracked."""
    tracker = TRACKERS.get(game.name)
    if tracker is None:
        return frozenset({"selfplay.rewards"})
    return frozenset(f"selfplay.rewards.{weight.name}" for weight in known_weights() if weight not in tracker.weights)


def shaping_of(game: Game, settings: RewardSettings, seeds: Array, offsets: Array, actions: Array) -> Array:
    """What reward terms add to the outcome of each player, float64 [games, players]; NaN where the game has no tracker."""
    tracker = TRACKERS.get(game.name)
    if tracker is None:
        return np.full((seeds.size, game.players), np.nan)
    counts = count_games(game, tracker, seeds, offsets, actions)
    return settings.bounded(shaping_parts(tracker, counts, settings.weights_for(game)).sum(axis=-1))
