"""Checkpoints: one `.pt` file with weights, spec, meta and what training needs to go on, and a sidecar for people.

The `.pt` is the truth. `NAME.meta.json` repeats its meta; it is taken away before the `.pt` is replaced and written again
after it, so that after a kill at any moment it is missing at worst, never wrong. The same weights, meta and training state
give the same bytes, and a checksum over all of them is in the file: training never goes on from an optimizer that was changed.
Files are read with `weights_only=True`: a file from a stranger can't run code.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn

from playmill.core.documents import fit
from playmill.core.errors import UsageError, one_line, suggestion
from playmill.core.files import atomic_write, atomic_writer
from playmill.core.settings import Settings
from playmill.games.game import Game
from playmill.games.heads import check_heads
from playmill.nets.kinds import NET_KINDS
from playmill.nets.meta import (
    CHECKPOINT_VERSION,
    FLAT_SPECS,
    OLDEST_VERSION,
    CheckpointError,
    MissingCheckpoint,
    NetMeta,
    NetOrigin,
    game_fields,
    refuse_other_game,
)
from playmill.nets.model import Net, bare_net
from playmill.nets.pretrained import model_path, pretrained
from playmill.nets.spec import NetSpec, heads, make_spec

Weights = Mapping[str, Tensor]
SpecT = TypeVar("SpecT", bound=Settings)
MetaT = TypeVar("MetaT", bound=NetOrigin)
ModuleT = TypeVar("ModuleT", bound=nn.Module)


@dataclass(frozen=True)
class SavedNet(Generic[SpecT, MetaT]):
    """A network of any kind at one moment of its training. `extras` is the trainer's own; tensors and plain values only."""

    spec: SpecT
    meta: MetaT
    weights: Weights
    optimizer: dict[str, Any] | None = None
    extras: dict[str, Any] = field(default_factory=dict)
    path: Path | None = None  # where it was read from

    def net(self) -> nn.Module:
        """The network with these weights, ready to answer."""
        raise NotImplementedError


class Checkpoint(SavedNet[NetSpec, NetMeta]):
    """A network for a game of the contract."""

    def net(self) -> Net:
        """The network with these weights, ready to answer."""
        return with_weights(bare_net(self.meta.features, self.meta.logits, self.spec, self.meta.players), self.weights)


AnyNet = SavedNet[Any, Any]
NetT = TypeVar("NetT", bound=AnyNet)


def make_checkpoint(
    game: Game,
    spec: NetSpec,
    net: Net,
    *,
    config_hash: str | None = None,
    commit: str | None = None,
    parent: str | None = None,
    train_step: int = 0,
    iteration: int = 0,
    optimizer: dict[str, Any] | None = None,
    extras: dict[str, Any] | None = None,
) -> Checkpoint:
    """A checkpoint of `net` as it is now; its weights are copied, so training can go on."""
    weights = copy_weights(net)
    meta = NetMeta(
        **game_fields(game),
        heads=heads(spec),
        config_hash=config_hash,
        commit=commit,
        parent=parent,
        train_step=train_step,
        iteration=iteration,
        weights_sha256=hash_weights(weights),
    )
    return Checkpoint(spec, meta, weights, optimizer, extras or {})


def copy_weights(net: nn.Module) -> Weights:
    """The weights as they are now; training can go on."""
    return {name: tensor.detach().to("cpu", copy=True).contiguous() for name, tensor in net.state_dict().items()}


def with_weights(net: ModuleT, weights: Weights) -> ModuleT:
    """The network with these weights put in, ready to answer."""
    net.load_state_dict(dict(weights))
    return net.eval()


def hash_weights(weights: Weights) -> str:
    """SHA-256 over every tensor's name, dtype, shape and bytes, in order of their names."""
    total = hashlib.sha256()
    for name in sorted(weights):
        tensor = weights[name]
        total.update(f"{name} {tensor.dtype} {list(tensor.shape)}\0".encode())
        total.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return total.hexdigest()


def hash_content(content: Any) -> str:
    """SHA-256 over a nest of mappings, lists, tensors and plain values: their types, order and every bit."""
    total = hashlib.sha256()
    _feed(total, content)
    return total.hexdigest()


def _feed(total: hashlib._Hash, value: Any) -> None:
    if isinstance(value, Mapping):
        total.update(f"mapping {len(value)}\0".encode())
        for key, item in value.items():
            _feed(total, key)
            _feed(total, item)
    elif isinstance(value, list | tuple):
        total.update(f"{type(value).__name__} {len(value)}\0".encode())
        for item in value:
            _feed(total, item)
    elif isinstance(value, Tensor):
        total.update(f"tensor {value.dtype} {list(value.shape)}\0".encode())
        total.update(value.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    else:
        total.update(f"{type(value).__name__} {value!r}\0".encode())


def sidecar_path(path: Path) -> Path:
    """`best.pt` -> `best.meta.json`."""
    return path.with_suffix(".meta.json")


# ------------------------------------------------------------------ writing


def save_checkpoint(path: Path, checkpoint: AnyNet) -> None:
    """Write the file and its sidecar; a reader, or a kill, meets the old checkpoint or the new one."""
    check_suffix(path)
    payload = _canonical(
        {
            "checkpoint_version": CHECKPOINT_VERSION,
            "spec": checkpoint.spec.model_dump(),
            "meta": checkpoint.meta.model_dump(),
            "model": checkpoint.weights,
            "optimizer": checkpoint.optimizer,
            "extras": checkpoint.extras,
        }
    )
    payload["sha256"] = hash_content(payload)
    sidecar_path(path).unlink(missing_ok=True)
    with atomic_writer(path) as file:
        torch.save(payload, file)
    write_sidecar(path, checkpoint)


def write_sidecar(path: Path, checkpoint: AnyNet) -> None:
    """Write what a checkpoint is beside it: its version and its meta."""
    atomic_write(sidecar_path(path), json.dumps(sidecar(checkpoint), indent=2) + "\n")


def sidecar(checkpoint: AnyNet) -> dict[str, Any]:
    """What `NAME.meta.json` holds."""
    return {"checkpoint_version": CHECKPOINT_VERSION, **checkpoint.meta.model_dump(mode="json")}


def _canonical(value: Any) -> Any:
    """An equal value that always pickles to the same bytes: pickle writes an object that it meets again as a reference."""
    if isinstance(value, Mapping):
        return {_canonical(key): _canonical(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        items = [_canonical(item) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, Tensor):
        return value.detach().to("cpu", copy=True).contiguous()
    if type(value) is str:
        return sys.intern(value)
    if value is None or type(value) in (bool, int, float):
        return value
    raise UsageError(f"checkpoint: expected tensors and plain values, got {type(value).__name__} {value!r}")


def check_suffix(path: Path) -> None:
    """Refuse a name that no checkpoint has."""
    if path.suffix != ".pt":
        raise UsageError(f"{path}: a checkpoint's name ends in .pt")


# ------------------------------------------------------------------ reading


def load_checkpoint(path: Path, game: Game | None = None) -> Checkpoint:
    """The checkpoint in the file; refused by name if it is damaged, newer than this code, or not made for `game`.

    In place of a path, the name of a pretrained player will do.
    """
    path = model_path(path)
    payload = read_payload(path)
    meta = _parse_meta(path, payload)
    if game is not None:
        refuse_other_game(path, meta, game)
    _refuse_unknown_kind(path, meta, payload)

    def make() -> Checkpoint:
        spec = make_spec(_current_spec(payload))
        _refuse_other_heads(path, meta, spec, game)
        return Checkpoint(spec, meta, payload["model"], payload["optimizer"], payload["extras"], path)

    return checked_net(path, make)


def checked_net(path: Path, make: Callable[[], NetT]) -> NetT:
    """What `make` makes of a file's content, if its weights are those of its meta and fit the network that it describes."""
    try:
        checkpoint = make()
        found = hash_weights(checkpoint.weights)
        checkpoint.net()
    except (UsageError, KeyError, AttributeError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{path}: its weights don't fit what it says of itself ({one_line(error)})") from None
    if found != checkpoint.meta.weights_sha256:
        raise CheckpointError(f"{path}: damaged: expected weights with sha256 {checkpoint.meta.weights_sha256}, got {found}")
    return checkpoint


def _current_spec(payload: dict[str, Any]) -> dict[str, Any]:
    """The spec in today's form: an older file's settings of the network's kind go into the kind's section."""
    stored = payload["spec"]
    if payload["checkpoint_version"] > FLAT_SPECS:
        return dict(stored)
    spec = {name: value for name, value in stored.items() if name in NetSpec.model_fields}
    own = NET_KINDS.find(stored["kind"]).settings
    section = {} if own is None else {name: stored[name] for name in type(own).model_fields if name in stored}
    return {**spec, stored["kind"]: section} if section else spec


def _refuse_unknown_kind(path: Path, meta: NetMeta, payload: dict[str, Any]) -> None:
    """Raise if nobody here can build such a network: its game's pack brings the kind."""
    kind = payload["spec"].get("kind") if isinstance(payload.get("spec"), Mapping) else None
    if isinstance(kind, str) and kind not in NET_KINDS:
        way_out = f"it comes with the pack of {meta.game}: install that, or in Python call find_game of playmill.packs.registry"
        raise CheckpointError(f"{path}: unknown network kind '{kind}'{suggestion(kind, NET_KINDS)}; {way_out}")


def _refuse_other_heads(path: Path, meta: NetMeta, spec: NetSpec, game: Game | None) -> None:
    """Raise if the network answers something else than this playmill takes its answers for."""
    if meta.heads != heads(spec):
        raise CheckpointError(
            f"{path}: heads: expected {list(heads(spec))} of a network with value: {spec.value}, got {list(meta.heads)};"
            " it was made by another playmill: train a new one"
        )
    if game is not None:
        try:
            check_heads(game, meta.heads)
        except UsageError as error:
            raise CheckpointError(f"{path}: {error}") from None


def read_payload(path: Path) -> dict[str, Any]:
    """What the file holds, once it is known to be a checkpoint of a version that this code reads."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise MissingCheckpoint(f"{path}: no such checkpoint{_hint(path)}") from None
    except OSError as error:
        raise MissingCheckpoint(f"{path}: can't be read ({error.strerror or error})") from None
    try:
        with file:
            payload = torch.load(file, map_location="cpu", weights_only=True)
        version, promised = payload["checkpoint_version"], payload.pop("sha256", None)
        found = hash_content(payload)
    except UnpicklingError:
        raise CheckpointError(f"{path}: not a checkpoint, or a torn one (expected tensors and plain values)") from None
    except Exception as error:  # torch, pickle and zip each have their own for a file that is not what it should be
        raise CheckpointError(f"{path}: not a checkpoint, or a torn one ({one_line(error)})") from None
    if version not in range(OLDEST_VERSION, CHECKPOINT_VERSION + 1):
        raise CheckpointError(f"{path}: checkpoint_version: expected {CHECKPOINT_VERSION}, got {version!r}; update playmill")
    if promised != found and (promised is not None or version > OLDEST_VERSION):
        raise CheckpointError(f"{path}: damaged: expected content with sha256 {promised}, got {found}")
    return dict(payload)


def _hint(path: Path) -> str:
    """What a word without an ending may have meant."""
    return "" if path.suffix or len(path.parts) > 1 else suggestion(str(path), pretrained())


def _parse_meta(path: Path, payload: dict[str, Any]) -> NetMeta:
    return fit(NetMeta, f"{path}: meta", payload.get("meta"), CheckpointError)
