"""PyTorch on a GPU: one network there, asked by the evaluators of all threads, in passes over a fixed number of rows.

Which kernel the GPU libraries choose, and so the order of their sums, depends on the number of rows. Here every pass has the
same number and short batches are padded: an answer is the same to the last bit whoever else is in the batch. (Another number of
rows may give other bits; so whoever stores results stores that number, too.) A pass is compiled, which joins the small steps
between the large products, and recorded as a CUDA graph: one launch instead of dozens.

Batches of all threads go through one stream, in the order in which they are submitted; the GPU is busy as long as one waits.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import warnings
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import torch
from torch import Tensor

from playmill.core.errors import UsageError, one_line, require_positive
from playmill.core.evaluation import POLICY, VALUES, EvalBuffer, Shaped
from playmill.core.files import cache_folder
from playmill.core.status_line import is_announcing
from playmill.nets.gpu_answers import BITS, Answers, pack_rows, packed_dtype, packed_width, packs
from playmill.nets.model import Net
from playmill.nets.net_evaluator import BufferedEvaluator, NetShape

WARM_UPS = 3  # passes before recording: the libraries choose kernels and take memory in the first ones
COHORTS = 2  # of a thread: one walks its trees while the other's rows are out
LEAST_ROWS, MOST_ROWS = 64, 16384  # of a pass; a large board net runs at full speed from 2,048 on, a small one later
PAD_BITS = 4  # a pass is a multiple of the sixteenth part of the next power of two: 2,560 rows are not padded to 4,096

_one_recording = threading.Lock()  # at a time


def pass_rows(rows: int) -> int:
    """The size of a pass for batches of up to `rows` positions: a round number, an eighth more at most, within bounds."""
    step = max(1 << max((rows - 1).bit_length() - PAD_BITS, 0), LEAST_ROWS)
    return min(-(-rows // step) * step, MOST_ROWS)


class CudaEvaluator(BufferedEvaluator):
    """Answers by a network on the GPU that it shares with its clones."""

    in_turn = COHORTS

    def __init__(self, shape: NetShape, gpu: GpuNet) -> None:
        super().__init__(shape)
        self._gpu, self.backend, self.chunk, self.pass_rows = gpu, gpu.backend, gpu.rows, gpu.rows

    def clone(self) -> CudaEvaluator:
        return CudaEvaluator(self.shape, self._gpu)

    def __reduce__(self) -> NoReturn:
        raise UsageError("device cuda: a network on this GPU can't be sent to workers of a cluster; add --infer managed")

    def open_buffer(self, shape: Shaped, rows: int) -> EvalBuffer:
        return CudaBuffer.make(self.shape, rows, shape.max_legal if shape.max_legal < self.logits else 0)

    def submit(self, buffer: EvalBuffer, rows: int, what: str = POLICY) -> bool:
        assert isinstance(buffer, CudaBuffer)
        self._gpu.submit(buffer, rows, what)
        return False

    def collect(self, buffer: EvalBuffer) -> None:
        assert isinstance(buffer, CudaBuffer)
        buffer.answered.synchronize()

    def _own_buffer(self) -> CudaBuffer:
        return CudaBuffer.make(self.shape, self.chunk, 0)


@dataclass
class CudaBuffer(EvalBuffer):
    """A buffer in memory from which a GPU fetches, and into which it writes, without anybody waiting."""

    packed: Tensor  # the features as they travel: as they are written, or of bits eight a byte, or half as wide
    pinned: dict[str, Tensor]  # the other arrays as tensors
    answered: torch.cuda.Event

    @classmethod
    def make(cls, shape: NetShape, rows: int, actions: int) -> CudaBuffer:
        """`actions`: how many logits are asked for with each row; 0: all come back."""
        widths = {"logits": actions or shape.logits, "values": shape.columns, "head": 1}
        pinned = {name: torch.zeros(rows, width, pin_memory=True) for name, width in widths.items()}
        pinned["asked"] = torch.zeros(rows, actions, 2, dtype=torch.int32, pin_memory=actions > 0)
        dtype, width = packed_dtype(shape.feature_type), packed_width(shape.features, shape.feature_type)
        packed = torch.zeros(rows, width, dtype=dtype, pin_memory=True)
        written = np.uint8 if shape.feature_type == BITS else np.float32
        features = np.zeros((rows, shape.features), written) if packs(shape.feature_type) else packed.numpy()
        arrays = {name: tensor.numpy() for name, tensor in pinned.items()}
        return cls(features=features, **arrays, packed=packed, pinned=pinned, answered=torch.cuda.Event(blocking=True))


class GpuNet:
    """A network on the GPU and its recorded passes, for evaluators in any number of threads."""

    def __init__(self, net: Net, shape: NetShape, backend: str, rows: int, compiles: bool) -> None:
        self.shape, self.backend, self.rows, self.compiles = shape, backend, require_positive("rows", rows), compiles
        self._net = net.to("cuda").to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._stream = torch.cuda.Stream()
        self._passes: dict[tuple[str, int], GpuPass] = {}
        self._one_at_a_time = threading.Lock()

    def submit(self, buffer: CudaBuffer, rows: int, what: str) -> None:
        """Send the buffer's first rows through the network; `buffer.answered` tells when the answers are back."""
        if packs(self.shape.feature_type):
            pack_rows(buffer.features[:rows], buffer.packed, self.shape.feature_type)
        with self._one_at_a_time, torch.inference_mode(), torch.cuda.stream(self._stream):
            question = self._pass(what, buffer.asked.shape[1] if what == POLICY else 0)
            for begin in range(0, rows, self.rows):
                question.run(buffer, slice(begin, min(begin + self.rows, rows)))
            buffer.answered.record(self._stream)

    def _pass(self, what: str, actions: int) -> GpuPass:
        """The recorded pass for a question, recorded when it is first asked."""
        if (what, actions) not in self._passes:
            shape = self.shape
            answers = Answers(self._net, shape.features, shape.feature_type, shape.heads, what, actions > 0)
            self._passes[what, actions] = GpuPass(answers, shape, self.rows, actions, self._stream, self.compiles)
        return self._passes[what, actions]


class GpuPass:
    """One question over a fixed number of rows, recorded. Its stream's order keeps batches apart."""

    def __init__(
        self, answers: Answers, shape: NetShape, rows: int, actions: int, stream: torch.cuda.Stream, compiles: bool
    ) -> None:
        self._what = answers.what
        width, dtype = packed_width(shape.features, shape.feature_type), packed_dtype(shape.feature_type)
        self._rows = torch.zeros(rows, width, dtype=dtype, device="cuda")
        self._asked = torch.zeros(rows, actions, 2, dtype=torch.int32, device="cuda")
        with _one_recording, exact_fp32():
            self._graph, self._outputs = self._record(settled(answers, self._rows, self._asked, compiles), stream)

    def _record(self, answers: object, stream: torch.cuda.Stream) -> tuple[torch.cuda.CUDAGraph, tuple[Tensor, ...]]:
        """Record one call. Other threads may use the GPU meanwhile, so only this thread's calls are watched."""
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
            outputs = answers(self._rows, self._asked)  # type: ignore[operator]
        return graph, outputs

    def run(self, buffer: CudaBuffer, part: slice) -> None:
        """Answer a part of the buffer; the rows of the pass behind it keep what was there, and nobody looks."""
        count = part.stop - part.start
        self._rows[:count].copy_(buffer.packed[part], non_blocking=True)
        if self._asked.shape[1]:
            self._asked[:count].copy_(buffer.pinned["asked"][part], non_blocking=True)
        self._graph.replay()
        names = {POLICY: ("logits", "values"), VALUES: ("values",)}.get(self._what, ("head",))
        for name, output in zip(names, self._outputs, strict=True):
            buffer.pinned[name][part].copy_(output[:count], non_blocking=True)


def settled(answers: Answers, rows: Tensor, asked: Tensor, compiles: bool) -> object:
    """The function compiled where that works here, else as it is; either way warmed up."""
    if compiles:
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(cache_folder("inductor")))
        announce_compiling()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # the compiler would rather have less exact fp32
                return warmed(torch.compile(answers, dynamic=False, fullgraph=True), rows, asked)
        except Exception as error:  # the compiler has many of its own, for what it lacks on a machine
            warn_uncompiled(one_line(error))
    return warmed(answers, rows, asked)


def warmed(function: object, rows: Tensor, asked: Tensor) -> object:
    """The function, called a few times: CUDA libraries choose their kernels in the first calls."""
    for _ in range(WARM_UPS):
        function(rows, asked)  # type: ignore[operator]
    torch.cuda.current_stream().synchronize()
    return function


@functools.cache
def announce_compiling() -> None:
    """Tell once a process that a network is compiled: later ones of the same shape take it from the cache."""
    if is_announcing():
        print("compiling networks for the GPU; compiled ones are found again", file=sys.stderr, flush=True)


@functools.cache
def warn_uncompiled(reason: str) -> None:
    print(
        f"playmill: warning: networks can't be compiled for the GPU here and run about a fifth slower ({reason})",
        file=sys.stderr,
    )


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
