"""The kinds of networks: one table that specs, models and graphs read. Packs enter theirs. Nothing here imports PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playmill.core.settings import Settings
from playmill.core.table import NameTable

if TYPE_CHECKING:
    from playmill.nets.checkpoint import Checkpoint
    from playmill.nets.graph import GraphWriter
    from playmill.nets.model import Net
    from playmill.nets.spec import NetSpec

Shape = tuple[int, ...]


@dataclass(frozen=True)
class NetKind:
    """One kind. Its functions are called once a network is wanted, so they import what they need themselves."""

    about: str  # a sentence for people
    build: Callable[[Shape, int, NetSpec, int], Net]  # by features, logits, spec and players; refuses what it can't be
    write: Callable[[GraphWriter, Checkpoint], None]  # the same network as an ONNX graph
    weights: Callable[[NetSpec], int]  # about how many it has, so that one that no memory holds is refused at once
    settings: Settings | None = None  # the defaults of its own section of the spec
    heads: tuple[str, ...] = ()  # that it answers besides those that its spec asks for
    games: tuple[str, ...] = ()  # that it is for; none: all
    rounds_features: bool = False  # whether only its first layer sees them, which a GPU trains in bfloat16


def _build_mlp(features: Shape, logits: int, spec: NetSpec, players: int) -> Net:
    from playmill.nets.model import ResidualMLP

    return ResidualMLP(math.prod(features), logits, spec, players)


def _write_mlp(writer: GraphWriter, checkpoint: Checkpoint) -> None:
    from playmill.nets.graph import write_mlp

    write_mlp(writer, checkpoint)


def mlp_weights(spec: NetSpec) -> int:
    """Those of the blocks; the layers around them are small beside."""
    return 2 * spec.blocks * spec.hidden**2


def _build_conv(features: Shape, logits: int, spec: NetSpec, players: int) -> Net:
    from playmill.nets.model import build_board_net

    return build_board_net(features, logits, spec, players)


def _write_conv(writer: GraphWriter, checkpoint: Checkpoint) -> None:
    from playmill.nets.graph import write_conv

    write_conv(writer, checkpoint)


NET_KINDS = NameTable(
    "network kind",
    {
        "mlp": NetKind("A residual MLP over flat features.", _build_mlp, _write_mlp, mlp_weights),
        "conv": NetKind(
            "A residual board net over planes.",
            _build_conv,
            _write_conv,
            lambda spec: 18 * spec.blocks * spec.channels**2,
            rounds_features=True,
        ),
    },
)
