"""A network as an ONNX graph: input `features` [n, F], outputs `logits` [n, L] and `values` [n, H], any n.

Written node by node, so that every node has the name of its layer (quantisation chooses by it) and no exporter's taste is in
between. `tests/nets` hold the graph to the torch module.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from playmill.games.heads import TOGO_OPP, TOGO_OWN, column_count, segments
from playmill.nets.checkpoint import Checkpoint, Weights
from playmill.nets.model import DICE, FACES, REROLLS, SEAT_FEATURES, SEATS

OPSET = 21
IR_VERSION = 10  # what ONNX Runtime 1.18 and later read
FEATURES, LOGITS, VALUES = "features", "logits", "values"
WEIGHTS_KEY = "weights_sha256"


class GraphWriter:
    """Collects nodes and weights. Every method returns the name of the tensor that it makes."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def node(self, op: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    def constant(self, name: str, array: Any) -> str:
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def layer(self, x: str, name: str, suffix: str = "") -> str:
        """The linear or convolutional layer called `name`; a layer that is used again has a suffix for each use."""
        weight = self.weights[f"{name}.weight"]
        bias = self.constant(f"{name}.bias{suffix}", self.weights[f"{name}.bias"].numpy())
        if weight.dim() == 2:
            matrix = self.constant(f"{name}.weight{suffix}", weight.t().contiguous().numpy())
            return self.node("Gemm", [x, matrix, bias], name + suffix)
        edge = (weight.shape[2] - 1) // 2
        return self.node("Conv", [x, self.constant(f"{name}.weight", weight.numpy()), bias], name, pads=[edge] * 4)

    def rectified(self, x: str, name: str, suffix: str = "") -> str:
        """The layer of relu(x). The Relu is the layer's own, so that rounding what it gives rounds nothing else."""
        return self.layer(self.node("Relu", [x], f"{name}.relu{suffix}"), name, suffix)

    def block(self, x: str, name: str, suffix: str = "") -> str:
        inner = self.rectified(self.rectified(x, f"{name}.first", suffix), f"{name}.second", suffix)
        return self.node("Add", [x, inner], f"{name}.sum{suffix}")

    def seat(self, head: str, begin: int, blocks: int) -> str:
        """The tower of one seat; what it gives has the head's own name, so that it can be had alone."""
        x = self.layer(self.columns(f"{head}.board", begin, begin + SEAT_FEATURES), "seat_stem", f".{head}")
        if "seat_hand.weight" in self.weights:
            x = self.node("Add", [x, self.hand(head)], f"{head}.with_hand")
        for number in range(blocks):
            x = self.block(x, f"seat_blocks.{number}", f".{head}")
        return self.node("Identity", [self.rectified(x, "seat_togo", f".{head}")], head)

    def hand(self, head: str) -> str:
        """What the dice and rerolls add to a seat: those of the mover, or what stands before a first roll."""
        weight = self.weights["seat_hand.weight"]
        if head == TOGO_OPP:
            return self.constant(f"{head}.hand", weight[:, -1].contiguous().numpy())
        matrix = self.constant("seat_hand.weight", weight.t().contiguous().numpy())
        rerolls = self.columns(f"{head}.rerolls", *REROLLS)
        told = self.node("Concat", [self.steps(f"{head}.steps"), rerolls], f"{head}.told", axis=1)
        return self.node("MatMul", [told, matrix], f"{head}.hand")

    def steps(self, name: str) -> str:
        """Whether there are at least 1, 2 .. 5 dice of each face, in the order of `model.steps`."""
        faces = FACES[1] - FACES[0]
        spread = np.kron(np.eye(faces, dtype=np.float32), np.full((1, DICE), DICE, np.float32))
        below = self.constant(f"{name}.below", -np.tile(np.arange(DICE, dtype=np.float32), faces))
        matrix = self.constant(f"{name}.spread", spread)
        over = self.node("Gemm", [self.columns(f"{name}.faces", *FACES), matrix, below], f"{name}.over")
        bounds = [self.constant(f"{name}.{side}", np.array(at, np.float32)) for side, at in (("least", 0), ("most", 1))]
        return self.node("Clip", [over, *bounds], name)

    def columns(self, name: str, begin: int, end: int) -> str:
        """Some of the features."""
        bounds = [self.constant(f"{name}.{side}", _int64(at)) for side, at in (("from", begin), ("to", end))]
        return self.node("Slice", [FEATURES, *bounds, self.constant(f"{name}.axis", _int64(1))], name)

    def flat(self, x: str) -> str:
        return self.node("Flatten", [x], f"{x}.flat", axis=1)

    def squash(self, x: str, kinds: list[tuple[str, int]], others: list[str]) -> str:
        """The values: so many columns squashed this way, so many that way, and then the others."""
        if len(kinds) == 1:
            done = [self.squashed(x, kinds[0][0], "squashed" if others else VALUES)]
        else:
            parts = [f"squash.{number}" for number in range(len(kinds))]
            sizes = self.constant("squash.sizes", _int64(*(width for _, width in kinds)))
            self.nodes.append(helper.make_node("Split", [x, sizes], parts, name="squash.split", axis=1))
            done = [self.squashed(part, kind, f"{part}.out") for part, (kind, _) in zip(parts, kinds, strict=True)]
        return self.node("Concat", [*done, *others], VALUES, axis=1) if len(done) + len(others) > 1 else done[0]

    def squashed(self, x: str, kind: str, output: str) -> str:
        if kind == "softmax":
            return self.node("Softmax", [x], output, axis=1)
        return self.node("Tanh" if kind == "tanh" else "Identity", [x], output)


def make_model(checkpoint: Checkpoint) -> Any:
    """The ONNX model of a checkpoint, in full precision; its metadata names the weights that it came from."""
    meta, writer = checkpoint.meta, GraphWriter(checkpoint.weights)
    _write_net(writer, checkpoint)
    shapes = ((FEATURES, math.prod(meta.features)), (LOGITS, meta.logits), (VALUES, column_count(meta.heads, meta.players)))
    faces = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", width]) for name, width in shapes]
    graph = helper.make_graph(writer.nodes, meta.game, faces[:1], faces[1:], writer.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    helper.set_model_props(model, {WEIGHTS_KEY: meta.weights_sha256})
    return model


def _write_net(writer: GraphWriter, checkpoint: Checkpoint) -> None:
    """Both kinds, as `model.py` has them."""
    meta, is_board = checkpoint.meta, checkpoint.spec.kind == "conv"
    x = FEATURES
    if is_board:
        x = writer.node("Reshape", [x, writer.constant("planes", _int64(-1, *meta.features))], "board")
    x = writer.layer(x, "stem")
    for number in range(checkpoint.spec.blocks):
        x = writer.block(x, f"blocks.{number}")
    policy, hidden = x, x
    if is_board:
        policy = writer.flat(writer.rectified(x, "policy_planes"))
        hidden = writer.rectified(writer.flat(writer.rectified(x, "value_planes")), "value_hidden")
    writer.rectified(policy, LOGITS)
    raw = writer.rectified(hidden, "raw_values")
    seats = []
    if checkpoint.spec.kind == "seats":
        towers = zip((TOGO_OWN, TOGO_OPP), SEATS, strict=True)
        seats = [writer.seat(head, begin, checkpoint.spec.tower_blocks) for head, begin in towers]
    trunk = [head for head in meta.heads if not seats or head not in (TOGO_OWN, TOGO_OPP)]
    writer.squash(raw, segments(trunk, meta.players), seats)


def without_policy(model: bytes) -> bytes:
    """The part of a serialised model that makes the values."""
    return part_of(model, VALUES)


def part_of(model: bytes, output: str) -> bytes:
    """The part of a serialised model that makes one tensor."""
    whole = onnx.load_from_string(model)
    if output not in [value.name for value in whole.graph.output]:
        whole.graph.value_info.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", 1]))
    data: bytes = onnx.utils.Extractor(whole).extract_model([FEATURES], [output]).SerializeToString()
    return data


def has_alone(model: bytes, head: str) -> bool:
    """Whether a head has a tensor of its own in a serialised model."""
    return any(head in node.output for node in onnx.load_from_string(model).graph.node)


def _int64(*numbers: int) -> Any:
    return np.array(numbers, np.int64)
