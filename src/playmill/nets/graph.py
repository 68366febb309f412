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

from playmill.games.heads import column_count, segments
from playmill.nets.checkpoint import Checkpoint, Weights
from playmill.nets.kinds import NET_KINDS

OPSET = 21
IR_VERSION = 10  # what ONNX Runtime 1.18 and later read
FEATURES, LOGITS, VALUES = "features", "logits", "values"
MANY_PLANES, PLANES_AT_A_TIME = 16, 4  # ONNX Runtime has fast convolutions over less than many planes, or over whole fours
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

    def layer(self, x: str, name: str, suffix: str = "", padded: int = 0) -> str:
        """The linear or convolutional layer called `name`; a layer that is used again has a suffix for each use.

        The last `padded` planes that a convolution sees are none of its own.
        """
        weight = self.weights[f"{name}.weight"]
        bias = self.constant(f"{name}.bias{suffix}", self.weights[f"{name}.bias"].numpy())
        if weight.dim() == 2:
            matrix = self.constant(f"{name}.weight{suffix}", weight.t().contiguous().numpy())
            return self.node("Gemm", [x, matrix, bias], name + suffix)
        edge = (weight.shape[2] - 1) // 2
        kernel = np.pad(weight.numpy(), ((0, 0), (0, padded), (0, 0), (0, 0))) if padded else weight.numpy()
        return self.node("Conv", [x, self.constant(f"{name}.weight", kernel), bias], name, pads=[edge] * 4)

    def rectified(self, x: str, name: str, suffix: str = "") -> str:
        """The layer of relu(x). The Relu is the layer's own, so that rounding what it gives rounds nothing else."""
        return self.layer(self.node("Relu", [x], f"{name}.relu{suffix}"), name, suffix)

    def block(self, x: str, name: str, suffix: str = "") -> str:
        inner = self.rectified(self.rectified(x, f"{name}.first", suffix), f"{name}.second", suffix)
        return self.node("Add", [x, inner], f"{name}.sum{suffix}")

    def columns(self, name: str, begin: int, end: int) -> str:
        """Some of the features."""
        bounds = [self.constant(f"{name}.{side}", _int64(at)) for side, at in (("from", begin), ("to", end))]
        return self.node("Slice", [FEATURES, *bounds, self.constant(f"{name}.axis", _int64(1))], name)

    def flat(self, x: str, output: str | None = None) -> str:
        return self.node("Flatten", [x], output or f"{x}.flat", axis=1)

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
    NET_KINDS.find(checkpoint.spec.kind).write(writer, checkpoint)
    shapes = ((FEATURES, math.prod(meta.features)), (LOGITS, meta.logits), (VALUES, column_count(meta.heads, meta.players)))
    faces = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", width]) for name, width in shapes]
    graph = helper.make_graph(writer.nodes, meta.game, faces[:1], faces[1:], writer.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    helper.set_model_props(model, {WEIGHTS_KEY: meta.weights_sha256})
    return model


def write_mlp(writer: GraphWriter, checkpoint: Checkpoint) -> None:
    """`model.ResidualMLP`."""
    raw = write_trunk(writer, checkpoint)
    writer.squash(raw, segments(checkpoint.meta.heads, checkpoint.meta.players), [])


def write_trunk(writer: GraphWriter, checkpoint: Checkpoint) -> str:
    """The MLP's stream and policy; returns the raw values."""
    stream = write_blocks(writer, checkpoint, writer.layer(FEATURES, "stem"))
    writer.rectified(stream, LOGITS)
    return writer.rectified(stream, "raw_values")


def write_blocks(writer: GraphWriter, checkpoint: Checkpoint, x: str) -> str:
    for number in range(checkpoint.spec.blocks):
        x = writer.block(x, f"blocks.{number}")
    return x


def write_conv(writer: GraphWriter, checkpoint: Checkpoint) -> None:
    """`model.BoardNet`."""
    meta = checkpoint.meta
    board = writer.node("Reshape", [FEATURES, writer.constant("planes", _int64(-1, *meta.features))], "board")
    stream = write_blocks(writer, checkpoint, write_stem(writer, board, meta.features))
    is_planes = checkpoint.spec.policy == "planes"
    policy = writer.flat(writer.rectified(stream, "policy_planes"), LOGITS if is_planes else None)
    hidden = writer.rectified(writer.flat(writer.rectified(stream, "value_planes")), "value_hidden")
    if not is_planes:
        writer.rectified(policy, LOGITS)
    writer.squash(writer.rectified(hidden, "raw_values"), segments(meta.heads, meta.players), [])


def write_stem(writer: GraphWriter, board: str, features: tuple[int, ...]) -> str:
    """The first layer of a board net. A number of planes that the runtime has no fast code for is made up with empty ones."""
    missing = -features[0] % PLANES_AT_A_TIME if has_many_planes(features) else 0
    if not missing:
        return writer.layer(board, "stem")
    pads = writer.constant("board.pads", _int64(0, 0, 0, 0, 0, missing, 0, 0))
    return writer.layer(writer.node("Pad", [board, pads], "board.padded"), "stem", padded=missing)


def has_many_planes(features: tuple[int, ...]) -> bool:
    """Whether a board net's first layer is a large part of its work."""
    return len(features) == 3 and features[0] >= MANY_PLANES


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
