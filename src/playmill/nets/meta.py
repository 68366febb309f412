"""What a network file says about itself, and what it is refused for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from playmill.core.errors import PlaymillError
from playmill.games.game import Game

CHECKPOINT_VERSION = 4
FLAT_SPECS = 3  # up to this version a kind's own settings stood among those that all kinds have
OLDEST_VERSION = 1  # without a checksum of the whole content; up to 2 of games for two


class CheckpointError(PlaymillError):
    """A network file that can't be used: it is missing, damaged, or made for something else."""


class MissingCheckpoint(CheckpointError):
    """A network file that isn't there, or can't be opened: whoever named it made the mistake."""

    exit_code = 2


class NetOrigin(BaseModel):
    """Where a network comes from; part of every checkpoint's meta."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    config_hash: str | None = Field(None, description="Hash of the settings of the run that made it.")
    commit: str | None = Field(None, description="Commit of the code that made it.")
    parent: str | None = Field(None, description="weights_sha256 of the network it was trained from; none for a new one.")
    train_step: int = Field(0, ge=0, description="Optimizer steps since the weights were new.")
    iteration: int = Field(0, ge=0, description="Iteration of the run that made it.")
    weights_sha256: str = Field(description="Hash of all weights with their names and shapes.")


class NetMeta(NetOrigin):
    """Where a network belongs and where it comes from; the sidecar `NAME.meta.json` holds this and its version."""

    game: str = Field(description="The game's name.")
    ruleset: str = Field(description="The rules that it was trained under.")
    action_space: str = Field(description="What its logits mean.")
    feature_schema: int = Field(description="What its features mean.")
    features: tuple[int, ...] = Field(description="Shape of one encoded state.")
    logits: int = Field(description="Policy outputs.")
    players: int = Field(2, ge=1, description="Players of the game: some heads answer for each.")
    heads: tuple[str, ...] = Field(description="Value outputs, in column order.")


def game_fields(game: Game) -> dict[str, Any]:
    """The part of the meta that the game decides."""
    return {
        "game": game.name,
        "ruleset": game.ruleset,
        "action_space": game.action_space,
        "feature_schema": game.feature_schema,
        "features": game.features,
        "logits": game.logits,
        "players": game.players,
    }


def refuse_other_game(path: Path, meta: NetMeta, game: Game) -> None:
    """Raise if the network was made for another game, or for another version of this one."""
    for name, wanted in game_fields(game).items():
        found = getattr(meta, name)
        if found != wanted:
            raise CheckpointError(f"{path}: {name}: expected {wanted!r} for {game.name}, got {found!r}")
