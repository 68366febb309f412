"""What a shard's tables mean and where they came from: `shard_000000.meta.json`, field by field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from playmill.core.documents import fit, parse_object, read_bytes
from playmill.core.errors import PlaymillError
from playmill.games.game import Game
from playmill.games.heads import target_columns

FORMAT = "playmill.replay"
VERSION = 2
WITH_FEATURES = 1  # the former version: rows held features instead of states


class ShardPlayer(BaseModel):
    """One who decided rows of a shard."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("", description="What it is called.")
    model: str = Field("", description="SHA-256 of its weights, empty if it has none.")
    search: dict[str, Any] = Field(default_factory=dict, description="Its search's settings.")
    backend: str = Field("", description="What ran its network.")
    pass_rows: int | None = Field(None, description="Rows of a GPU's pass, on which its last bits depend; null elsewhere.")


class ShardOrigin(BaseModel):
    """What whoever makes a shard knows about it; the writer counts the rest."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str = Field(FORMAT, description="Names the kind of file.")
    version: int = Field(VERSION, description="Rises when older readers would misread the file.")
    game: str = Field(description="Name of the game.")
    ruleset: str = Field(description="Which rules were played.")
    action_space: str = Field(description="What an action's number means.")
    actions: int = Field(ge=1, description="How many actions there are; decides their type in the tables.")
    state: str = Field(description="The fields of a state's record: their names, types and lengths.")
    record_bytes: int = Field(ge=1, description="Bytes of such a record.")
    target_names: tuple[str, ...] = Field(description="Column names of `targets`, as the heads of networks are taught them.")
    iteration: int = Field(0, ge=0, description="The iteration of the run that played these games.")
    seed: int = Field(0, ge=0, description="The run's seed.")
    players: tuple[ShardPlayer, ...] = Field((ShardPlayer(),), description="Who decided; the column `player` counts in it.")

    @classmethod
    def of(cls, game: Game, **fields: Any) -> ShardOrigin:
        """The origin of games played by the rules of `game`."""
        return cls(**{**identity(game), "target_names": tuple(target_columns(game)), **fields})


class ShardMeta(ShardOrigin):
    """The whole meta file."""

    samples: int = Field(ge=0, description="Rows of the sample table.")
    games: int = Field(ge=0, description="Rows of the game table.")
    first_game: int = Field(description="Number of the first game in the run, -1 if there is none.")
    size_bytes: int = Field(ge=0, description="Length of the safetensors file.")
    sha256: str = Field(description="Of the safetensors file.")

    def text(self) -> str:
        """The file's content; equal metas, equal bytes."""
        return json.dumps(self.model_dump(mode="json"), indent=1, allow_nan=False) + "\n"


def identity(game: Game) -> dict[str, Any]:
    """The names that must agree before a file made with one game is read with another."""
    return {
        "game": game.name,
        "ruleset": game.ruleset,
        "action_space": game.action_space,
        "actions": game.actions,
        "state": record_layout(game.state),
        "record_bytes": game.state.itemsize,
    }


def record_layout(dtype: np.dtype[Any]) -> str:
    """A record's fields as text, such as "discs <i8 2, mover |u1"; other fields, another text."""
    assert dtype.fields is not None  # the contract sees to it
    return ", ".join(" ".join([name, *_field_words(dtype.fields[name][0])]) for name in dtype.names or ())


def _field_words(dtype: np.dtype[Any]) -> list[str]:
    kind = f"({record_layout(dtype.base)})" if dtype.base.fields else dtype.base.str
    return [kind, *(str(side) for side in dtype.shape)]


def meta_path(path: Path) -> Path:
    """The meta file beside a shard's data file."""
    return path.with_suffix(".meta.json")


def read_meta(path: Path, game: Game | None = None) -> ShardMeta:
    """The meta of the shard whose data file is `path`; refused if it is unreadable or, given a `game`, another game's."""
    file = meta_path(path)
    meta = _parse(file, parse_object(read_bytes(file, "a shard without its meta is no shard"), str(file), PlaymillError))
    if game is not None:
        for name, expected in identity(game).items():
            expect(file, name, expected, getattr(meta, name))
    return meta


def _parse(file: Path, content: dict[str, Any]) -> ShardMeta:
    """The checked meta. Format and version come first: in another format the other fields mean nothing."""
    expect(file, "format", FORMAT, content.get("format"))
    version = content.get("version")
    if isinstance(version, int) and version > VERSION:
        raise PlaymillError(f"{file}: version: expected at most {VERSION}, got {version}; a newer playmill wrote it")
    if version == WITH_FEATURES:
        raise PlaymillError(
            f"{file}: version: expected {VERSION}, got {version}, whose rows are features instead of states; "
            "play the games again in a new folder"
        )
    expect(file, "version", VERSION, version)
    return fit(ShardMeta, str(file), content, PlaymillError)


def expect(file: Path, name: str, expected: Any, got: Any) -> None:
    """Refuse a file that says something else than expected."""
    if expected != got:
        raise PlaymillError(f"{file}: {name}: expected {expected!r}, got {got!r}")
