"""Answers of a network, many positions at a time: `ort` (ONNX Runtime, CPU) or `torch` (CPU, CUDA).

Positions of any games, for all seven powers, go into one batch; a position's answer does not depend on who else is in it, to
the last bit (`tests/diplomacy_neural/test_evaluator.py` holds both CPU backends to that). An evaluator belongs to one thread;
`clone` makes another for another thread.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
import torch

from playmill.core.errors import unknown_name
from playmill.core.extras import is_installed
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT
from playmill.games.diplomacy.state import winner
from playmill.packs.diplomacy.neural.checkpoint import DiplomacyCheckpoint, load
from playmill.packs.diplomacy.neural.features import encode
from playmill.packs.diplomacy.neural.logit_ids import LOGITS
from playmill.packs.diplomacy.neural.model import DiplomacyNet
from playmill.train.device import pick_device

BACKENDS = ("ort", "torch")
CHUNK = 16  # rows of a pass on the CPU: what they carry stays in its cache; 128 at once are a third slower
GRANULE = 4  # torch pads to a multiple of it: three rows and fewer take another code path, whose sums differ in the last bit
GPU_CHUNK = 512


class DiplomacyEvaluator(ABC):
    """Encodes positions, and lets the backend answer them a chunk at a time."""

    backend: str
    chunk = CHUNK

    def answer(self, states: Any) -> tuple[np.ndarray, np.ndarray]:
        """Scores [n, LOGITS] and values [n, 7] of positions, float32."""
        scores, values = np.empty((len(states), LOGITS), np.float32), np.empty((len(states), POWER_COUNT), np.float32)
        for begin in range(0, len(states), self.chunk):
            rows = slice(begin, begin + self.chunk)
            self._fill(encode(states[rows]), scores[rows], values[rows])
        decide_finished(states, values)
        return scores, values

    def values(self, states: Any) -> np.ndarray:
        """The values alone: the same numbers as those of `answer`, for half the work."""
        values = np.empty((len(states), POWER_COUNT), np.float32)
        for begin in range(0, len(states), self.chunk):
            rows = slice(begin, begin + self.chunk)
            self._fill_values(encode(states[rows]), values[rows])
        decide_finished(states, values)
        return values

    @abstractmethod
    def clone(self) -> DiplomacyEvaluator:
        """An independent evaluator with the same answers, for another thread."""

    @abstractmethod
    def _fill(self, features: np.ndarray, scores: np.ndarray, values: np.ndarray) -> None:
        """Answer 1 to `chunk` rows."""

    @abstractmethod
    def _fill_values(self, features: np.ndarray, values: np.ndarray) -> None:
        """Answer the values of 1 to `chunk` rows."""


def decide_finished(states: Any, values: np.ndarray) -> None:
    """Give a game that is won to its winner: no guess is needed."""
    for row, state in enumerate(states):
        champion = winner(state)
        if champion != NOBODY:
            values[row] = 0.0
            values[row, champion] = 1.0


class DiplomacyTorchEvaluator(DiplomacyEvaluator):
    """Answers by the module itself."""

    backend = "torch"

    def __init__(self, net: DiplomacyNet, device: torch.device) -> None:
        self._net = net.eval().to(device)
        self._device = device
        self.chunk = GPU_CHUNK if device.type == "cuda" else CHUNK

    def clone(self) -> DiplomacyTorchEvaluator:
        """Shares the weights, which nobody changes."""
        return DiplomacyTorchEvaluator(self._net, self._device)

    def _fill(self, features: np.ndarray, scores: np.ndarray, values: np.ndarray) -> None:
        with torch.inference_mode():
            found = self._net(self._padded(features))
        scores[:], values[:] = (answer[: len(features)].cpu().numpy() for answer in found)

    def _fill_values(self, features: np.ndarray, values: np.ndarray) -> None:
        with torch.inference_mode():
            values[:] = self._net.answer_values(self._padded(features))[: len(features)].cpu().numpy()

    def _padded(self, features: np.ndarray) -> torch.Tensor:
        """The rows, followed by empty ones up to a multiple of GRANULE, or to the chunk on a GPU; one thread from here on."""
        torch.set_num_threads(1)
        size = self.chunk if self._device.type == "cuda" else -(-len(features) // GRANULE) * GRANULE
        rows = torch.zeros(size, features.shape[1])
        rows[: len(features)] = torch.from_numpy(features)
        return rows.to(self._device)


class DiplomacyOrtEvaluator(DiplomacyEvaluator):
    """Answers by a serialised ONNX model, in one thread."""

    backend = "ort"

    def __init__(self, model: bytes) -> None:
        from playmill.nets.graph import FEATURES, VALUES, part_of
        from playmill.nets.ort import open_session
        from playmill.packs.diplomacy.neural.graph import SCORES

        self._model = model
        self._names = FEATURES, SCORES, VALUES
        self._both, self._values = open_session(model), open_session(part_of(model, VALUES))

    def clone(self) -> DiplomacyOrtEvaluator:
        return DiplomacyOrtEvaluator(self._model)

    def __reduce__(self) -> tuple[type[DiplomacyOrtEvaluator], tuple[bytes]]:
        return DiplomacyOrtEvaluator, (self._model,)

    def _fill(self, features: np.ndarray, scores: np.ndarray, values: np.ndarray) -> None:
        inputs, *outputs = self._names
        scores[:], values[:] = self._both.run(outputs, {inputs: features})

    def _fill_values(self, features: np.ndarray, values: np.ndarray) -> None:
        inputs, _, output = self._names
        values[:] = self._values.run([output], {inputs: features})[0]


def open_evaluator(source: Path | str | DiplomacyCheckpoint, backend: str = "auto", device: str = "cpu") -> DiplomacyEvaluator:
    """An evaluator of a checkpoint; `auto` is ONNX Runtime on the CPU where it is installed, else torch."""
    if backend not in ("auto", *BACKENDS):
        raise unknown_name("backend", backend, ("auto", *BACKENDS))
    checkpoint = load(Path(source)) if isinstance(source, Path | str) else source
    place = pick_device(device)
    if place.type == "cuda" or backend == "torch" or (backend == "auto" and not _has_onnx_runtime()):
        return DiplomacyTorchEvaluator(checkpoint.net(), place)
    from playmill.packs.diplomacy.neural.graph import make_model

    return DiplomacyOrtEvaluator(make_model(checkpoint).SerializeToString())


def _has_onnx_runtime() -> bool:
    return all(map(is_installed, ("onnx", "onnxruntime")))
