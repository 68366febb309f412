"""Static int8 export: the products inside the blocks and the policy in int8, nearly everything else in full precision.

Scales are fixed here, from real positions. (Dynamic quantisation takes them from each batch, so neighbours would change an
answer.) Weights have a scale per output channel and seven bits: with eight, processors without VNNI add two products in 16
bits and cut off what does not fit, so the same file would answer differently there. Rounded activations come out of a
Relu, so they use all of 0..255; planes of features lie in 0..1 anyway.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import helper
from onnxruntime.quantization import (  # type: ignore[import-untyped]
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.quant_utils import add_pre_process_metadata  # type: ignore[import-untyped]

from playmill.core.files import atomic_write, temporary_folder
from playmill.nets.checkpoint import Checkpoint, load_checkpoint
from playmill.nets.graph import FEATURES, WEIGHTS_KEY, has_many_planes, make_model
from playmill.nets.meta import CheckpointError
from playmill.nets.model import NARROW
from playmill.nets.net_evaluator import Array, check_rows

MIN_POSITIONS = 256


def int8_path(path: Path) -> Path:
    """`best.pt` -> `best.int8.onnx`."""
    return path.with_suffix(".int8.onnx")


def export_int8(path: Path, calibration: Array) -> Path:
    """Write the int8 model of a checkpoint beside it and return where; `calibration` is float32 [positions, F]."""
    checkpoint = load_checkpoint(path)
    atomic_write(int8_path(path), quantise(checkpoint, calibration))
    return int8_path(path)


def read_int8(checkpoint: Checkpoint) -> bytes:
    """The exported model of this very checkpoint; one that is missing, damaged or of other weights is refused."""
    if checkpoint.path is None:
        raise CheckpointError(
            "ort_int8: the checkpoint has not been saved, so no int8 model lies beside it; save and export it"
        )
    path, wanted = int8_path(checkpoint.path), checkpoint.meta.weights_sha256
    try:
        data = path.read_bytes()
        found = _weights_of(data)
    except FileNotFoundError:
        raise CheckpointError(f"{path}: no such int8 model; export one with playmill.nets.int8.export_int8") from None
    except DecodeError:
        raise CheckpointError(f"{path}: not an int8 model, or a torn one; export it again") from None
    if found != wanted:
        raise CheckpointError(f"{path}: made from other weights: expected sha256 {wanted}, got {found}; export it again")
    return data


def _weights_of(data: bytes) -> str | None:
    props = {prop.key: prop.value for prop in onnx.load_from_string(data).metadata_props}
    return props.get(WEIGHTS_KEY)


def quantise(checkpoint: Checkpoint, calibration: Array) -> bytes:
    """The serialised int8 model; its scales cover every activation that the calibration positions cause."""
    check_rows("calibration", calibration, max(len(calibration), MIN_POSITIONS), math.prod(checkpoint.meta.features))
    model = make_model(checkpoint)
    add_pre_process_metadata(model)  # there is nothing to preprocess, and the quantiser would warn about it
    with temporary_folder("playmill-int8-") as folder:
        out = folder / "int8.onnx"
        quantize_static(
            model,
            out,
            _Positions(calibration),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "Gemm", "Relu"],
            nodes_to_quantize=_narrow_nodes(model, checkpoint),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            extra_options={"OpTypesToExcludeOutputQuantization": ["Gemm"]},
        )
        rounded = onnx.load(out)
    helper.set_model_props(rounded, {WEIGHTS_KEY: checkpoint.meta.weights_sha256})
    data: bytes = rounded.SerializeToString(deterministic=True)
    return data


def _narrow_nodes(model: Any, checkpoint: Checkpoint) -> list[str]:
    """The layers that may be rounded, and the Relu in front of each.

    So may a stem over many planes, which in fp32 takes longer than all the rest of a small net. Planes that are the logits
    themselves may not: one scale for all would be as coarse as those of illegal actions, which nobody teaches, are large.
    """
    narrow = (*NARROW, "stem") if has_many_planes(checkpoint.meta.features) else NARROW
    whole = ("policy_planes",) if checkpoint.spec.policy == "planes" else ()
    names = [node.name for node in model.graph.node if node.op_type != "Add"]
    return [name for name in names if name.startswith(narrow) and not name.startswith(whole)]


class _Positions(CalibrationDataReader):  # type: ignore[misc]
    """Hands the quantiser all positions at once."""

    def __init__(self, features: Array) -> None:
        self._batches: Iterator[dict[str, Any]] = iter([{FEATURES: features}])

    def get_next(self) -> dict[str, Any] | None:
        return next(self._batches, None)
