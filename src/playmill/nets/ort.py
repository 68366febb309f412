"""ONNX Runtime on the CPU, one thread: full precision, or int8 where it was exported."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]

from playmill.core.evaluation import POLICY, EvalBuffer, Shaped
from playmill.core.evaluation import VALUES as ALL_VALUES
from playmill.nets.graph import FEATURES, LOGITS, VALUES, has_alone, part_of, without_policy
from playmill.nets.net_evaluator import Array, NetEvaluator, NetShape

MAX_PASSES = 512
QUIET = 3  # errors only


@dataclass
class OrtBuffer(EvalBuffer):
    """Ordinary arrays, with what their evaluator has bound to them."""

    owner: OrtEvaluator
    passes: dict[tuple[str, int], Pass] = field(default_factory=dict)  # by what is asked for, and of how many rows


class OrtEvaluator(NetEvaluator):
    """Answers by a serialised ONNX model, at most `chunk` rows a pass; `backend` says which kind of model it is."""

    def __init__(self, shape: NetShape, model: bytes, backend: str, chunk: int = NetEvaluator.chunk) -> None:
        super().__init__(shape)
        self.backend, self.chunk = backend, chunk
        self._model = model
        self._sessions: dict[str, BoundSession | None] = {}  # by what is asked for, made when somebody asks
        self._session(POLICY)

    def clone(self) -> OrtEvaluator:
        """A session of its own over the same model; some 2 ms."""
        return OrtEvaluator(self.shape, self._model, self.backend, self.chunk)

    def __reduce__(self) -> tuple[type[OrtEvaluator], tuple[NetShape, bytes, str, int]]:
        return OrtEvaluator, (self.shape, self._model, self.backend, self.chunk)

    def open_buffer(self, shape: Shaped, rows: int) -> EvalBuffer:
        plain = EvalBuffer.plain(shape, rows, self.columns)
        return OrtBuffer(plain.features, plain.asked, plain.logits, plain.values, plain.head, self)

    def submit(self, buffer: EvalBuffer, rows: int, what: str = POLICY) -> bool:
        """Have rows answered; those of its own buffers with what was bound to so many of them before.

        A search's batch is answered in 0.2 ms: looking at arrays anew took a tenth of that, and all of it under Python's lock.
        """
        if not isinstance(buffer, OrtBuffer) or buffer.owner is not self or not 0 < rows <= self.chunk:
            return super().submit(buffer, rows, what)
        known = buffer.passes.get((what, rows))
        if known is None:
            session = self._session(what)
            if session is None:
                return super().submit(buffer, rows, what)
            known = buffer.passes[what, rows] = session.bind(self._arrays(buffer, rows, what))
        known.run()
        return True

    def _arrays(self, buffer: EvalBuffer, rows: int, what: str) -> tuple[Array, ...]:
        """What a pass reads and fills."""
        if what == POLICY:
            return buffer.features[:rows], buffer.logits[:rows], buffer.values[:rows]
        return buffer.features[:rows], (buffer.values if what == ALL_VALUES else buffer.head)[:rows]

    def _session(self, what: str) -> BoundSession | None:
        """The network as far as it is asked for; None where it has no such part by itself."""
        if what not in self._sessions:
            self._sessions[what] = self._open(what)
        return self._sessions[what]

    def _open(self, what: str) -> BoundSession | None:
        if what == POLICY:
            return BoundSession(self._model, (LOGITS, VALUES))
        if what == ALL_VALUES:
            return BoundSession(without_policy(self._model), (VALUES,))
        return BoundSession(part_of(self._model, what), (what,)) if has_alone(self._model, what) else None

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        self._run(POLICY, features, logits, values)

    def _fill_values(self, features: Array, values: Array) -> None:
        self._run(ALL_VALUES, features, values)

    def _fill_head(self, head: str, features: Array, values: Array) -> None:
        if not self._run(head, features, values):
            super()._fill_head(head, features, values)

    def _run(self, what: str, *arrays: Array) -> bool:
        """Answer rows in anybody's memory, if the network has this part by itself."""
        session = self._session(what)
        if session is not None:
            session.find(arrays).run()
        return session is not None


@dataclass(frozen=True)
class Pass:
    """Addresses bound to a session; used only while arrays of that shape lie there."""

    session: Any
    binding: Any

    def run(self) -> None:
        self.session.run_with_iobinding(self.binding)


class BoundSession:
    """A session that reads and writes the caller's memory.

    Binding costs 15 us, more than a plain call saves, so what was bound is kept by address and length: whoever brings arrays of
    his own comes back with the same few.
    """

    def __init__(self, model: bytes, outputs: tuple[str, ...]) -> None:
        self._session = open_session(model)
        self._names = (FEATURES, *outputs)
        self._passes: dict[tuple[int, ...], Pass] = {}

    def find(self, arrays: tuple[Array, ...]) -> Pass:
        """The pass that reads the first array and fills the others."""
        key = (len(arrays[0]), *[array.ctypes.data for array in arrays])
        known = self._passes.get(key)
        if known is None:
            if len(self._passes) == MAX_PASSES:
                self._passes.clear()
            known = self._passes[key] = self.bind(arrays)
        return known

    def bind(self, arrays: tuple[Array, ...]) -> Pass:
        """The same, which is not kept here."""
        binding = self._session.io_binding()
        for number, (name, array) in enumerate(zip(self._names, arrays, strict=True)):
            bind = binding.bind_output if number else binding.bind_input
            bind(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        return Pass(self._session, binding)


def open_session(model: bytes) -> Any:
    """A single-threaded session: two threads inside one call collapse when a neighbour takes a core."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = QUIET
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
