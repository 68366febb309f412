"""Checkpoints of the network: the files of `nets/checkpoint.py`, with what this game has to say about them.

What a file was made for is in its meta, and a file made for something else is refused by the name of what differs: the
features, the meaning of the answers, the map (by a hash of its borders, centres and homes), the targets of the values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from playmill.core.documents import fit
from playmill.core.errors import UsageError, one_line
from playmill.diplomacy.neural.features import FEATURE_SCHEMA, WIDTH
from playmill.diplomacy.neural.model import DiplomacyNet, bare_net
from playmill.diplomacy.neural.slots import ACTION_SPACE, SLOTS
from playmill.diplomacy.neural.spec import DiplomacySpec, make_spec
from playmill.games.diplomacy.geography import CAN_GO, HOME, IS_CENTRE, LOCATIONS, POWERS
from playmill.nets.checkpoint import Checkpoint, hash_weights, read_payload, save_checkpoint
from playmill.nets.meta import CheckpointError

GAME = "diplomacy"
VALUE_TARGET = "outcome-shares-1"  # squares of the final centres over their sum; a winner has all of it


def hash_map() -> str:
    """A hash of what the network knows of the map: locations, borders, centres, homes, powers."""
    total = hashlib.sha256(" ".join((*LOCATIONS, *POWERS)).encode())
    for table in (CAN_GO, IS_CENTRE, HOME):
        total.update(table.tobytes())
    return total.hexdigest()[:16]


class DiplomacyMeta(BaseModel):
    """Where a network belongs and where it comes from; the sidecar `NAME.meta.json` holds exactly this."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str = Field(GAME, description="Always diplomacy.")
    action_space: str = Field(ACTION_SPACE, description="What its scores mean.")
    feature_schema: int = Field(FEATURE_SCHEMA, description="What its features mean.")
    map_hash: str = Field(default_factory=hash_map, description="Hash of the map that it knows.")
    value_target: str = Field(VALUE_TARGET, description="What its seven values are shares of.")
    features: int = Field(WIDTH, description="Numbers of an encoded position.")
    slots: int = Field(SLOTS, description="Numbers of an answer, without the values.")
    config_hash: str | None = Field(None, description="Hash of the settings of the run that made it.")
    commit: str | None = Field(None, description="Commit of the code that made it.")
    parent: str | None = Field(None, description="weights_sha256 of the network it was trained from; none for a new one.")
    train_step: int = Field(0, ge=0, description="Optimizer steps since the weights were new.")
    iteration: int = Field(0, ge=0, description="Iteration of the run that made it.")
    weights_sha256: str = Field(description="Hash of all weights with their names and shapes.")


_MUST_FIT = ("game", "action_space", "feature_schema", "map_hash", "value_target", "features", "slots")


@dataclass(frozen=True)
class DiplomacyCheckpoint:
    """A network at one moment of its training; the fields of `nets.checkpoint.Checkpoint`."""

    spec: DiplomacySpec
    meta: DiplomacyMeta
    weights: Mapping[str, Tensor]
    optimizer: dict[str, Any] | None = None
    extras: dict[str, Any] = field(default_factory=dict)
    path: Path | None = None

    def net(self) -> DiplomacyNet:
        """The network with these weights, ready to answer."""
        net = bare_net(self.spec)
        net.load_state_dict(dict(self.weights))
        return net.eval()


def make_checkpoint(
    spec: DiplomacySpec,
    net: DiplomacyNet,
    *,
    optimizer: dict[str, Any] | None = None,
    extras: dict[str, Any] | None = None,
    **origin: Any,
) -> DiplomacyCheckpoint:
    """A checkpoint of `net` as it is now, its weights copied; `origin` are fields of the meta."""
    weights = {name: tensor.detach().to("cpu", copy=True).contiguous() for name, tensor in net.state_dict().items()}
    meta = DiplomacyMeta(weights_sha256=hash_weights(weights), **origin)
    return DiplomacyCheckpoint(spec, meta, weights, optimizer, extras or {})


def save(path: Path, checkpoint: DiplomacyCheckpoint) -> None:
    """Write the file and its sidecar; a reader, or a kill, meets the old checkpoint or the new one."""
    save_checkpoint(path, cast(Checkpoint, checkpoint))  # it reads nothing but the fields, which are the same


def load(path: Path) -> DiplomacyCheckpoint:
    """The checkpoint in the file; refused by name if it is damaged, of another version, or not made for this code's game."""
    payload = read_payload(path)
    meta = _parse_meta(path, payload.get("meta"))
    try:
        spec = make_spec(payload["spec"])
        checkpoint = DiplomacyCheckpoint(spec, meta, payload["model"], payload["optimizer"], payload["extras"], path)
        found = hash_weights(checkpoint.weights)
        checkpoint.net()
    except (UsageError, KeyError, AttributeError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{path}: its weights don't fit what it says of itself ({one_line(error)})") from None
    if found != meta.weights_sha256:
        raise CheckpointError(f"{path}: damaged: expected weights with sha256 {meta.weights_sha256}, got {found}")
    return checkpoint


def _parse_meta(path: Path, found: Any) -> DiplomacyMeta:
    """The meta, if it is that of a network for this very game."""
    wanted = DiplomacyMeta(weights_sha256="")
    for name in _MUST_FIT:
        got = found.get(name) if isinstance(found, dict) else None
        if got != getattr(wanted, name):
            raise CheckpointError(f"{path}: {name}: expected {getattr(wanted, name)!r} for {GAME}, got {got!r}")
    return fit(DiplomacyMeta, f"{path}: meta", found, CheckpointError)
