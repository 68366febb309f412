"""What runs the network: `ort` (ONNX Runtime, CPU) or `torch` (CPU, CUDA). Rows in, scores of orders and seven values out.

A row's answer does not depend on who else is in the batch, to the last bit (`tests/diplomacy_neural/test_evaluator.py` holds
both CPU backends to that).
"""

from __future__ import annotations

import torch

from playmill.core.errors import unknown_name
from playmill.core.extras import is_installed
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.heads import UTILITIES
from playmill.nets.checkpoint import AnyNet
from playmill.nets.net_evaluator import Array, NetEvaluator, NetShape
from playmill.packs.diplomacy.neural.checkpoint import DiplomacyCheckpoint
from playmill.packs.diplomacy.neural.features import WIDTH
from playmill.packs.diplomacy.neural.logit_ids import LOGITS
from playmill.packs.diplomacy.neural.model import DiplomacyNet
from playmill.train.device import pick_device

BACKENDS = ("ort", "torch")
CHUNK = 16  # rows of a pass on the CPU: what they carry stays in its cache; 128 at once are a third slower
GRANULE = 4  # torch pads to a multiple of it: three rows and fewer take another code path, whose sums differ in the last bit
GPU_CHUNK = 512
SHAPE = NetShape(WIDTH, LOGITS, (UTILITIES,), players=POWER_COUNT)


class DiplomacyTorchEvaluator(NetEvaluator):
    """Answers by the module itself."""

    backend = "torch"

    def __init__(self, net: DiplomacyNet, device: torch.device) -> None:
        super().__init__(SHAPE)
        self._net = net.eval().to(device)
        self._device = device
        self.chunk = GPU_CHUNK if device.type == "cuda" else CHUNK
        self.pass_rows = GPU_CHUNK if device.type == "cuda" else None

    def clone(self) -> DiplomacyTorchEvaluator:
        """Shares the weights, which nobody changes."""
        return DiplomacyTorchEvaluator(self._net, self._device)

    def __reduce__(self) -> tuple[type[DiplomacyTorchEvaluator], tuple[DiplomacyNet, torch.device]]:
        return DiplomacyTorchEvaluator, (self._net, self._device)

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        with torch.inference_mode():
            found = self._net(self._padded(features))
        logits[:], values[:] = (answer[: len(features)].cpu().numpy() for answer in found)

    def _fill_values(self, features: Array, values: Array) -> None:
        with torch.inference_mode():
            values[:] = self._net.answer_values(self._padded(features))[: len(features)].cpu().numpy()

    def _padded(self, features: Array) -> torch.Tensor:
        """The rows, followed by empty ones up to a multiple of GRANULE, or to the chunk on a GPU; one thread from here on."""
        torch.set_num_threads(1)
        size = self.chunk if self._device.type == "cuda" else -(-len(features) // GRANULE) * GRANULE
        rows = torch.zeros(size, features.shape[1])
        rows[: len(features)] = torch.from_numpy(features)
        return rows.to(self._device)


def open_backend(checkpoint: AnyNet, backend: str = "auto", device: str = "cpu", rows: int = GPU_CHUNK) -> NetEvaluator:
    """What answers for a checkpoint; `auto` is ONNX Runtime on the CPU where it is installed, else torch.

    How many rows are asked for at a time changes nothing here: a pass has a size of its own.
    """
    if backend not in ("auto", *BACKENDS):
        raise unknown_name("backend", backend, ("auto", *BACKENDS))
    assert isinstance(checkpoint, DiplomacyCheckpoint)
    place = pick_device(device)
    if place.type == "cuda" or backend == "torch" or (backend == "auto" and not _has_onnx_runtime()):
        return DiplomacyTorchEvaluator(checkpoint.net(), place)
    from playmill.nets.ort import OrtEvaluator
    from playmill.packs.diplomacy.neural.graph import make_model

    return OrtEvaluator(SHAPE, make_model(checkpoint).SerializeToString(), "ort", CHUNK)


def _has_onnx_runtime() -> bool:
    return all(map(is_installed, ("onnx", "onnxruntime")))
