"""The network kind `seats` as an ONNX graph."""

from __future__ import annotations

import numpy as np

from playmill.games.heads import TOGO_OPP, segments
from playmill.games.yatzy.hands import DICE, FACES
from playmill.nets.checkpoint import Checkpoint
from playmill.nets.graph import GraphWriter, write_trunk
from playmill.nets.spec import NetSpec
from playmill.packs.yatzy.seats import BOARD, BOARDS, FACE_COUNTS, REROLLS, TOGO
from playmill.packs.yatzy.seats_settings import seats_of


def write_seats(writer: GraphWriter, checkpoint: Checkpoint) -> None:
    """The ONNX graph of a `SeatsNet`; each tower's answer is a tensor of its own, so that it can be had alone."""
    raw = write_trunk(writer, checkpoint)
    towers = [_write_seat(writer, head, begin, checkpoint.spec) for head, begin in zip(TOGO, BOARDS, strict=True)]
    trunk = [head for head in checkpoint.meta.heads if head not in TOGO]
    writer.squash(raw, segments(trunk, checkpoint.meta.players), towers)


def _write_seat(writer: GraphWriter, head: str, begin: int, spec: NetSpec) -> str:
    """The tower of one seat; what it gives has the head's own name."""
    x = writer.layer(writer.columns(f"{head}.board", begin, begin + BOARD), "seat_stem", f".{head}")
    if "seat_hand.weight" in writer.weights:
        x = writer.node("Add", [x, _write_hand(writer, head)], f"{head}.with_hand")
    for number in range(seats_of(spec).tower_blocks):
        x = writer.block(x, f"seat_blocks.{number}", f".{head}")
    return writer.node("Identity", [writer.rectified(x, "seat_togo", f".{head}")], head)


def _write_hand(writer: GraphWriter, head: str) -> str:
    """What the dice and rerolls add to a seat: those of the mover, or what stands before a first roll."""
    weight = writer.weights["seat_hand.weight"]
    if head == TOGO_OPP:
        return writer.constant(f"{head}.hand", weight[:, -1].contiguous().numpy())
    matrix = writer.constant("seat_hand.weight", weight.t().contiguous().numpy())
    rerolls = writer.columns(f"{head}.rerolls", *REROLLS)
    told = writer.node("Concat", [_write_steps(writer, f"{head}.steps"), rerolls], f"{head}.told", axis=1)
    return writer.node("MatMul", [told, matrix], f"{head}.hand")


def _write_steps(writer: GraphWriter, name: str) -> str:
    """`steps` as a graph, in the same order."""
    spread = np.kron(np.eye(FACES, dtype=np.float32), np.full((1, DICE), DICE, np.float32))
    below = writer.constant(f"{name}.below", -np.tile(np.arange(DICE, dtype=np.float32), FACES))
    matrix = writer.constant(f"{name}.spread", spread)
    over = writer.node("Gemm", [writer.columns(f"{name}.faces", *FACE_COUNTS), matrix, below], f"{name}.over")
    bounds = [writer.constant(f"{name}.{side}", np.array(at, np.float32)) for side, at in (("least", 0), ("most", 1))]
    return writer.node("Clip", [over, *bounds], name)
