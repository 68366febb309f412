"""The network as an ONNX graph: input `features` [n, WIDTH], outputs `logits` [n, LOGITS] and `values` [n, 7], any n.

Written node by node with the writer of `nets/graph.py`; it reads as `model.py` does, and a test holds it to the torch module.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from onnx import TensorProto, helper

from playmill.games.diplomacy.geography import LOCATION_COUNT, POWER_COUNT
from playmill.nets.graph import FEATURES, IR_VERSION, OPSET, VALUES, WEIGHTS_KEY, GraphWriter
from playmill.nets.graph import LOGITS as SCORES
from playmill.packs.diplomacy.neural.checkpoint import GAME, DiplomacyCheckpoint
from playmill.packs.diplomacy.neural.features import GLOBALS, MAP_PART, OUT_POWER_AT, OWNER_AT, PLANES, POWER_AT, WIDTH
from playmill.packs.diplomacy.neural.logit_ids import KINDS, LOGITS, PAIRS, TABLES
from playmill.packs.diplomacy.neural.model import GONE, SCALE, borders

LOCATIONS = LOCATION_COUNT


class MapWriter(GraphWriter):
    """Collects the nodes; the stream is [81, n, channels] as in `model.py`."""

    def numbers(self, name: str, *values: int) -> str:
        return self.constant(name, np.array(values, np.int64))

    def linear(self, x: str, name: str) -> str:
        """A layer over the last axis, of as many axes as there are."""
        weight = self.constant(f"{name}.weight", self.weights[f"{name}.weight"].t().contiguous().numpy())
        answer = self.node("MatMul", [x, weight], f"{name}.product")
        if f"{name}.bias" not in self.weights:
            return answer
        return self.node("Add", [answer, self.constant(f"{name}.bias", self.weights[f"{name}.bias"].numpy())], name)

    def cut(self, x: str, name: str, begin: int, end: int, axis: int) -> str:
        bounds = [self.numbers(f"{name}.{end_name}", at) for end_name, at in (("from", begin), ("to", end), ("axis", axis))]
        return self.node("Slice", [x, *bounds], name)

    def shaped(self, x: str, name: str, *shape: int) -> str:
        return self.node("Reshape", [x, self.numbers(f"{name}.shape", *shape)], name)

    def turned(self, x: str, name: str, *axes: int) -> str:
        return self.node("Transpose", [x], name, perm=list(axes))

    def mean(self, x: str, name: str, axis: int) -> str:
        return self.node("ReduceMean", [x, self.numbers(f"{name}.axis", axis)], name, keepdims=0)

    def total(self, x: str, name: str, axis: int) -> str:
        return self.node("ReduceSum", [x, self.numbers(f"{name}.axis", axis)], name, keepdims=0)

    def scaled(self, x: str, name: str, factor: float) -> str:
        return self.node("Mul", [x, self.constant(f"{name}.factor", np.float32(factor).reshape(1))], name)


def make_model(checkpoint: DiplomacyCheckpoint) -> Any:
    """The ONNX model of a checkpoint; its metadata names the weights that it came from."""
    writer = MapWriter(checkpoint.weights)
    planes = _write_planes(writer)
    stream = _write_stream(writer, planes, checkpoint.spec.channels, checkpoint.spec.blocks)
    _write_scores(writer, stream, checkpoint.spec.rank)
    _write_values(writer, stream, planes, checkpoint.spec.channels)
    shapes = ((FEATURES, WIDTH), (SCORES, LOGITS), (VALUES, POWER_COUNT))
    faces = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", width]) for name, width in shapes]
    graph = helper.make_graph(writer.nodes, GAME, faces[:1], faces[1:], writer.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    helper.set_model_props(model, {WEIGHTS_KEY: checkpoint.meta.weights_sha256})
    return model


def _write_planes(writer: MapWriter) -> str:
    """[n, 81, PLANES]."""
    return writer.shaped(writer.cut(FEATURES, "map_part", 0, MAP_PART, 1), "map", -1, LOCATIONS, PLANES)


def _write_stream(writer: MapWriter, planes: str, wide: int, blocks: int) -> str:
    board = writer.linear(writer.cut(FEATURES, "board_part", MAP_PART, MAP_PART + GLOBALS, 1), "globals")
    x = writer.linear(writer.turned(planes, "map_turned", 1, 0, 2), "planes")
    x = writer.node("Add", [writer.node("Add", [x, board], "stem.board"), _place(writer)], "stem")
    around = [writer.constant(f"around{kind}", table) for kind, table in enumerate(borders())]
    for number in range(blocks):
        x = _write_block(writer, x, around, f"blocks.{number}", wide)
    return writer.node("Relu", [x], "stream")


def _place(writer: MapWriter) -> str:
    return writer.constant("place", writer.weights["place"].numpy())


def _write_block(writer: MapWriter, x: str, around: list[str], name: str, wide: int) -> str:
    y = writer.node("Relu", [x], f"{name}.relu")
    near = writer.linear(y, f"{name}.near")
    own, army, fleet = (writer.cut(near, f"{name}.cut{i}", i * wide, (i + 1) * wide, 2) for i in range(3))
    halves = [
        writer.node("MatMul", [table, writer.shaped(half, f"{half}.flat", LOCATIONS, -1)], f"{half}.seen")
        for table, half in zip(around, (army, fleet), strict=True)
    ]
    seen = writer.node("Add", halves, f"{name}.seen")
    shared = writer.linear(writer.mean(y, f"{name}.mean", 0), f"{name}.board")
    inner = writer.node("Add", [own, writer.shaped(seen, f"{name}.seen_rows", LOCATIONS, -1, wide)], f"{name}.inner")
    inner = writer.node("Relu", [writer.node("Add", [inner, shared], f"{name}.sum")], f"{name}.inner_relu")
    return writer.node("Add", [x, writer.linear(inner, f"{name}.second")], f"{name}.out")


def _write_scores(writer: MapWriter, stream: str, rank: int) -> None:
    sides = writer.shaped(writer.linear(stream, "pairs"), "sides", LOCATIONS, -1, 2 * len(TABLES), rank)
    first = writer.cut(sides, "first", 0, len(TABLES), 2)
    second = writer.cut(sides, "second", len(TABLES), 2 * len(TABLES), 2)
    left = writer.scaled(writer.turned(first, "left", 1, 2, 0, 3), "left_scaled", 1 / math.sqrt(rank))
    tables = writer.node("MatMul", [left, writer.turned(second, "right", 1, 2, 3, 0)], "tables")
    tables = writer.shaped(tables, "tables_flat", -1, len(TABLES) * PAIRS)
    kinds = writer.turned(writer.linear(stream, "kinds"), "kinds_turned", 1, 0, 2)
    kinds = writer.shaped(kinds, "kinds_flat", -1, LOCATIONS * KINDS)
    nothing = writer.scaled(writer.cut(kinds, "one_column", 0, 1, 1), "nothing", 0.0)
    writer.node("Concat", [tables, kinds, nothing], SCORES, axis=1)


def _write_values(writer: MapWriter, stream: str, planes: str, wide: int) -> None:
    rows = writer.turned(stream, "rows", 1, 0, 2)
    units = [writer.cut(planes, f"units{at}", at, at + POWER_COUNT, 2) for at in (POWER_AT, OUT_POWER_AT)]
    units_by = writer.turned(writer.node("Add", units, "units"), "units_turned", 0, 2, 1)
    owned_by = writer.turned(writer.cut(planes, "owned", OWNER_AT, OWNER_AT + POWER_COUNT, 2), "owned_turned", 0, 2, 1)
    sums = [
        writer.scaled(writer.node("MatMul", [by, rows], f"{by}.product"), f"{by}.scaled", 1 / SCALE)
        for by in (units_by, owned_by)
    ]
    # The board's mean, once for each power: added to zeros of the right shape.
    zeros = writer.scaled(sums[0], "zeros", 0.0)
    mean = writer.shaped(writer.mean(stream, "board_mean", 0), "board_mean_rows", -1, 1, wide)
    board = writer.node("Add", [zeros, mean], "board_rows")
    seen = writer.node("Concat", [*sums, board], "seen", axis=2)
    hidden = writer.node("Relu", [writer.linear(seen, "share_hidden")], "share_relu")
    raw = writer.shaped(writer.linear(hidden, "share"), "raw", -1, POWER_COUNT)
    count = writer.node("Add", [writer.total(units_by, "unit_count", 2), writer.total(owned_by, "owned_count", 2)], "count")
    gone = writer.node("Equal", [count, writer.constant("none", np.zeros(1, np.float32))], "gone")
    masked = writer.node("Where", [gone, writer.constant("gone_value", np.full(1, GONE, np.float32)), raw], "masked")
    writer.node("Softmax", [masked], VALUES, axis=1)
