"""Checkpoints of the network: the files of `nets/checkpoint.py`, with what this game has to say about them.

What a file was made for is in its meta, and a file made for something else is refused by the name of what differs: the
features, the meaning of the answers, the map (by a hash of its borders, centres and homes), the targets of the values.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from pydantic import Field

from playmill.core.documents import fit
from playmill.games.diplomacy.geography import CAN_GO, HOME, IS_CENTRE, LOCATIONS, POWERS
from playmill.nets.checkpoint import SavedNet, checked_net, copy_weights, hash_weights, read_payload, with_weights
from playmill.nets.meta import CheckpointError, NetOrigin
from playmill.packs.diplomacy.neural.features import FEATURE_SCHEMA, WIDTH
from playmill.packs.diplomacy.neural.logit_ids import ACTION_SPACE, LOGITS
from playmill.packs.diplomacy.neural.model import DiplomacyNet, bare_net
from playmill.packs.diplomacy.neural.spec import DiplomacySpec, make_spec

GAME = "diplomacy"
VALUE_TARGET = "outcome-shares-1"  # squares of the final centres over their sum; a winner has all of it


def hash_map() -> str:
    """A hash of what the network knows of the map: locations, borders, centres, homes, powers."""
    total = hashlib.sha256(" ".join((*LOCATIONS, *POWERS)).encode())
    for table in (CAN_GO, IS_CENTRE, HOME):
        total.update(table.tobytes())
    return total.hexdigest()[:16]


class DiplomacyMeta(NetOrigin):
    """Where a network belongs and where it comes from; the sidecar `NAME.meta.json` holds this and its version."""

    game: str = Field(GAME, description="Always diplomacy.")
    action_space: str = Field(ACTION_SPACE, description="What its scores mean.")
    feature_schema: int = Field(FEATURE_SCHEMA, description="What its features mean.")
    map_hash: str = Field(default_factory=hash_map, description="Hash of the map that it knows.")
    value_target: str = Field(VALUE_TARGET, description="What its seven values are shares of.")
    features: int = Field(WIDTH, description="Numbers of an encoded position.")
    logits: int = Field(LOGITS, description="Policy outputs.")


_MUST_FIT = ("game", "action_space", "feature_schema", "map_hash", "value_target", "features", "logits")
_LOGITS_ARE_SLOTS = 3  # up to this version the meta calls them so


class DiplomacyCheckpoint(SavedNet[DiplomacySpec, DiplomacyMeta]):
    """A network at one moment of its training."""

    def net(self) -> DiplomacyNet:
        """The network with these weights, ready to answer."""
        return with_weights(bare_net(self.spec), self.weights)


def make_checkpoint(
    spec: DiplomacySpec,
    net: DiplomacyNet,
    *,
    optimizer: dict[str, Any] | None = None,
    extras: dict[str, Any] | None = None,
    **origin: Any,
) -> DiplomacyCheckpoint:
    """A checkpoint of `net` as it is now, its weights copied; `origin` are fields of the meta."""
    weights = copy_weights(net)
    meta = DiplomacyMeta(weights_sha256=hash_weights(weights), **origin)
    return DiplomacyCheckpoint(spec, meta, weights, optimizer, extras or {})


def load(path: Path) -> DiplomacyCheckpoint:
    """The checkpoint in the file; refused by name if it is damaged, of another version, or not made for this code's game."""
    payload = read_payload(path)
    meta = _parse_meta(path, _current_meta(payload))

    def make() -> DiplomacyCheckpoint:
        spec = make_spec(payload["spec"])
        return DiplomacyCheckpoint(spec, meta, payload["model"], payload["optimizer"], payload["extras"], path)

    return checked_net(path, make)


def _current_meta(payload: dict[str, Any]) -> Any:
    """The meta with the names of today."""
    meta = payload.get("meta")
    if isinstance(meta, dict) and payload["checkpoint_version"] <= _LOGITS_ARE_SLOTS and "slots" in meta:
        return {("logits" if name == "slots" else name): value for name, value in meta.items()}
    return meta


def _parse_meta(path: Path, found: Any) -> DiplomacyMeta:
    """The meta, if it is that of a network for this very game."""
    wanted = DiplomacyMeta(weights_sha256="")
    for name in _MUST_FIT:
        got = found.get(name) if isinstance(found, dict) else None
        if got != getattr(wanted, name):
            raise CheckpointError(f"{path}: {name}: expected {getattr(wanted, name)!r} for {GAME}, got {got!r}")
    return fit(DiplomacyMeta, f"{path}: meta", found, CheckpointError)
