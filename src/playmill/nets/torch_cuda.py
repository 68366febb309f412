"""PyTorch on a GPU: a recorded pass over a fixed number of rows, with the copies to and fro in it.

Which kernel the GPU libraries choose, and so the order of their sums, depends on the number of rows. Here every pass has
the same number, short batches are padded, and the pass is recorded once as a CUDA graph: the same kernels always, and one
launch instead of dozens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

import torch
from torch import Tensor

from playmill.core.errors import UsageError, require_positive
from playmill.nets.face import Array, Evaluator, NetShape
from playmill.nets.model import Net

WARM_UPS = 3  # passes before recording: the libraries choose kernels and take memory in the first ones

Answering = Callable[[Tensor], tuple[Tensor, ...]]
_one_recording = threading.Lock()  # at a time


class CudaEvaluator(Evaluator):
    """Answers by a network on the GPU, `rows` at a time; ask for about that many rows to fill it."""

    def __init__(self, shape: NetShape, net: Net, backend: str, rows: int) -> None:
        super().__init__(shape)
        self.backend = backend
        self.chunk = require_positive("rows", rows)
        self._net = net.to("cuda")
        self._both = Recording(self._net, self.chunk, shape.features)
        self._values: Recording | None = None  # recorded when somebody asks

    def clone(self) -> CudaEvaluator:
        """Shares the weights; has buffers, a stream and recordings of its own."""
        return CudaEvaluator(self.shape, self._net, self.backend, self.chunk)

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        self._both.run(features, logits, values)

    def _fill_values(self, features: Array, values: Array) -> None:
        if self._values is None:
            self._values = Recording(lambda rows: (self._net.answer_values(rows),), self.chunk, self.shape.features)
        self._values.run(features, values)


class Recording:
    """One function of [rows, F] on the GPU, recorded with its copies from and to pinned memory."""

    def __init__(self, function: Answering, rows: int, features: int) -> None:
        self._stream = torch.cuda.Stream()
        self._graph = torch.cuda.CUDAGraph()
        self._input = torch.zeros(rows, features, pin_memory=True)
        with _one_recording, torch.inference_mode(), torch.cuda.stream(self._stream), exact_fp32():
            self._outputs = [torch.zeros(answer.shape, pin_memory=True) for answer in self._warm_up(function)]
            self._record(function)
        self._faces = [tensor.numpy() for tensor in (self._input, *self._outputs)]

    def _warm_up(self, function: Answering) -> tuple[Tensor, ...]:
        """What the function answers once it has settled."""
        for _ in range(WARM_UPS):
            answers = function(self._input.to("cuda", non_blocking=True))
        self._stream.synchronize()
        return answers

    def _record(self, function: Answering) -> None:
        """Record copy, function, copy. Other threads may use the GPU meanwhile, so only this thread's calls are watched."""
        with torch.cuda.graph(self._graph, stream=self._stream, capture_error_mode="thread_local"):
            answers = function(self._input.to("cuda", non_blocking=True))
            for place, answer in zip(self._outputs, answers, strict=True):
                place.copy_(answer, non_blocking=True)

    def run(self, features: Array, *results: Array) -> None:
        """Fill `results` for `features`, at most `rows` of them; rows behind them keep what was there and are ignored."""
        count = len(features)
        self._faces[0][:count] = features
        with torch.cuda.stream(self._stream):
            self._graph.replay()
        self._stream.synchronize()
        for result, face in zip(results, self._faces[1:], strict=True):
            result[:] = face[:count]


def exact_fp32() -> AbstractContextManager[None]:
    """While this holds, convolutions keep all bits of fp32 and always choose the same kernel."""
    flags: AbstractContextManager[None] = torch.backends.cudnn.flags(
        enabled=True, benchmark=False, deterministic=True, allow_tf32=False
    )
    return flags


def require_cuda() -> None:
    """Raise where there is no GPU that torch can use."""
    if not torch.cuda.is_available():
        raise UsageError(f"device cuda: torch {torch.__version__} sees no GPU here; use device cpu or a CUDA build of torch")
