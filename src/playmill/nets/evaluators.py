"""Evaluators of checkpoints: which backends there are, and how one is opened.

| backend | precision | where |
|---|---|---|
| `ort_int8` | int8 products, the rest fp32 | CPU; needs the file that `int8.export_int8` wrote beside the checkpoint |
| `ort` | fp32 | CPU |
| `torch` | fp32 | CPU, CUDA |
| `torch_bf16` | bf16 products, the rest fp32 | CPU, CUDA |

`auto` takes the fastest that is there: on the CPU the first of `ort_int8`, `ort`, `torch`; on CUDA `torch_bf16`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from playmill.core import extras
from playmill.core.errors import UsageError, unknown_name
from playmill.games.game import Game
from playmill.nets.meta import CheckpointError
from playmill.nets.net_evaluator import NetEvaluator, NetShape

if TYPE_CHECKING:
    from playmill.nets.checkpoint import Checkpoint

BACKENDS = ("ort_int8", "ort", "torch", "torch_bf16")
CUDA_BACKENDS = ("torch", "torch_bf16")
DEVICES = ("cpu", "cuda")
GPU_ROWS = 1024  # of a pass, where nobody says how many are asked for at a time


class OpenEvaluator(Protocol):
    """Opens a network for whoever plays: `open_evaluator` in this process, others elsewhere."""

    def __call__(self, source: Checkpoint, backend: str, device: str, /, *, game: Game | None, rows: int) -> NetEvaluator: ...


def open_evaluator(
    source: Path | str | Checkpoint,
    backend: str = "auto",
    device: str = "cpu",
    *,
    game: Game | None = None,
    rows: int = GPU_ROWS,
) -> NetEvaluator:
    """An evaluator of a checkpoint; with `game`, one made for anything else is refused.

    `rows` is how many positions are asked about at a time: the size of a GPU's pass follows from it.
    """
    from playmill.nets.checkpoint import load_checkpoint

    if device == "cuda" and backend not in ("auto", *CUDA_BACKENDS):
        raise UsageError(f"backend {backend}: device cuda has {' and '.join(CUDA_BACKENDS)}; leave it out or use device cpu")
    check_device(device)
    checkpoint = load_checkpoint(Path(source), game) if isinstance(source, Path | str) else source
    if device == "cuda":
        return _open_cuda(checkpoint, "torch_bf16" if backend == "auto" else backend, rows, game)
    return _open_fastest(checkpoint) if backend == "auto" else _open_cpu(checkpoint, backend)


def check_device(device: str) -> None:
    """Refuse a device that is none, or not here."""
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if device == "cuda":
        from playmill.nets.torch_cuda import require_cuda

        require_cuda()


def _open_fastest(checkpoint: Checkpoint) -> NetEvaluator:
    """The fastest CPU backend that can be had: an int8 file that is missing or of other weights is passed over."""
    if not _has_onnx_runtime():
        return _open_torch(checkpoint, "torch")
    try:
        return _open_int8(checkpoint)
    except CheckpointError:
        return _open_ort(checkpoint)


def _open_cpu(checkpoint: Checkpoint, backend: str) -> NetEvaluator:
    if backend not in BACKENDS:
        raise unknown_name("backend", backend, ("auto", *BACKENDS))
    if backend.startswith("torch"):
        return _open_torch(checkpoint, backend)
    extras.require_extra("nets", f"backend {backend}")
    return _open_int8(checkpoint) if backend == "ort_int8" else _open_ort(checkpoint)


def _has_onnx_runtime() -> bool:
    return all(map(extras.is_installed, ("onnx", "onnxruntime")))


def _shape(checkpoint: Checkpoint) -> NetShape:
    meta = checkpoint.meta
    return NetShape(math.prod(meta.features), meta.logits, meta.heads, players=meta.players)


def _open_torch(checkpoint: Checkpoint, backend: str) -> NetEvaluator:
    from playmill.nets.torch_cpu import TorchEvaluator, narrowed

    net = checkpoint.net()
    return TorchEvaluator(_shape(checkpoint), narrowed(net) if backend == "torch_bf16" else net, backend)


def _open_cuda(checkpoint: Checkpoint, backend: str, rows: int, game: Game | None) -> NetEvaluator:
    """bf16 is compiled; fp32 is there to be exact, and is not."""
    from playmill.nets.gpu_answers import travel_type
    from playmill.nets.torch_cpu import narrowed
    from playmill.nets.torch_cuda import CudaEvaluator, GpuNet, pass_rows

    is_narrow = backend == "torch_bf16"
    net = narrowed(checkpoint.net(), on_gpu=True) if is_narrow else checkpoint.net()
    written = "float32" if game is None else game.feature_type
    shape = replace(_shape(checkpoint), feature_type=travel_type(written, net.feature_dtype))
    return CudaEvaluator(shape, GpuNet(net, shape, backend, pass_rows(rows), compiles=is_narrow))


def _open_ort(checkpoint: Checkpoint) -> NetEvaluator:
    from playmill.nets.graph import make_model
    from playmill.nets.ort import OrtEvaluator

    return OrtEvaluator(_shape(checkpoint), make_model(checkpoint).SerializeToString(), "ort")


def _open_int8(checkpoint: Checkpoint) -> NetEvaluator:
    from playmill.nets.int8 import read_int8
    from playmill.nets.ort import OrtEvaluator

    return OrtEvaluator(_shape(checkpoint), read_int8(checkpoint), "ort_int8")
