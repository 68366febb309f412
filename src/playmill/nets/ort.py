"""ONNX Runtime on the CPU, one thread: full precision, or int8 where it was exported."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]

from playmill.nets.graph import FEATURES, LOGITS, VALUES, has_alone, part_of, without_policy
from playmill.nets.net_evaluator import Array, NetEvaluator, NetShape

MAX_BINDINGS = 512
QUIET = 3  # errors only


class OrtEvaluator(NetEvaluator):
    """Answers by a serialised ONNX model, at most `chunk` rows a pass; `backend` says which kind of model it is."""

    def __init__(self, shape: NetShape, model: bytes, backend: str, chunk: int = NetEvaluator.chunk) -> None:
        super().__init__(shape)
        self.backend, self.chunk = backend, chunk
        self._model = model
        self._both = BoundSession(model, (LOGITS, VALUES))
        self._values: BoundSession | None = None  # made when somebody asks, like those of single heads
        self._alone: dict[str, BoundSession | None] = {}

    def clone(self) -> OrtEvaluator:
        """A session of its own over the same model; some 2 ms."""
        return OrtEvaluator(self.shape, self._model, self.backend, self.chunk)

    def __reduce__(self) -> tuple[type[OrtEvaluator], tuple[NetShape, bytes, str, int]]:
        return OrtEvaluator, (self.shape, self._model, self.backend, self.chunk)

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        self._both.run(features, logits, values)

    def _fill_values(self, features: Array, values: Array) -> None:
        if self._values is None:
            self._values = BoundSession(without_policy(self._model), (VALUES,))
        self._values.run(features, values)

    def _fill_head(self, head: str, features: Array, values: Array) -> None:
        if head not in self._alone:
            has_own = has_alone(self._model, head)
            self._alone[head] = BoundSession(part_of(self._model, head), (head,)) if has_own else None
        session = self._alone[head]
        if session is None:
            super()._fill_head(head, features, values)
        else:
            session.run(features, values)


class BoundSession:
    """A session that reads and writes the caller's memory.

    Binding costs 15 us, more than a plain call saves, so bindings are kept by address and length: a search comes back with
    the same few buffers. A binding is only an address; it is used only while arrays of that shape lie there.
    """

    def __init__(self, model: bytes, outputs: tuple[str, ...]) -> None:
        self._session = open_session(model)
        self._names = (FEATURES, *outputs)
        self._bindings: dict[tuple[int, ...], Any] = {}

    def run(self, *arrays: Array) -> None:
        """Read the first array and fill the others."""
        key = (len(arrays[0]), *[array.ctypes.data for array in arrays])
        binding = self._bindings.get(key)
        if binding is None:
            binding = self._bind(key, arrays)
        self._session.run_with_iobinding(binding)

    def _bind(self, key: tuple[int, ...], arrays: tuple[Array, ...]) -> Any:
        if len(self._bindings) == MAX_BINDINGS:
            self._bindings.clear()
        binding = self._session.io_binding()
        for number, (name, array) in enumerate(zip(self._names, arrays, strict=True)):
            bind = binding.bind_output if number else binding.bind_input
            bind(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        self._bindings[key] = binding
        return binding


def open_session(model: bytes) -> Any:
    """A single-threaded session: two threads inside one call collapse when a neighbour takes a core."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = QUIET
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
