"""Where training runs, and what makes it repeat there bit for bit."""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from playmill.core.errors import UsageError
from playmill.nets.model import Net

DEVICES = ("auto", "cpu", "cuda")
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # the names of glibc's two parameters, in malloc.h
LARGE_BLOCK = 32 << 20  # a larger one is the system's own; as high as glibc itself goes
USUALLY_KEPT, MOST_KEPT = 64 << 20, 1 << 30


def pick_device(name: str) -> torch.device:
    """The device called so; "auto" is the GPU where there is one."""
    if name not in DEVICES:
        raise UsageError(f"device: expected one of {', '.join(DEVICES)}, got '{name}'")
    if name == "cuda" and not torch.cuda.is_available():
        raise UsageError("device: expected a GPU for 'cuda', got none; use cpu")
    is_gpu = name == "cuda" or (name == "auto" and torch.cuda.is_available())
    return torch.device("cuda" if is_gpu else "cpu")


@contextmanager
def steady(device: torch.device) -> Iterator[None]:
    """Inside the block the same steps give the same bits: PyTorch's own threads are off, sums have one order."""
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    fill_before = torch.utils.deterministic.fill_uninitialized_memory  # type: ignore[attr-defined]
    if device.type == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS sums in one order only with this
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    keep_memory(MOST_KEPT)
    # Filling new memory finds bugs in operations; it costs time in each of them.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])
        torch.utils.deterministic.fill_uninitialized_memory = fill_before  # type: ignore[attr-defined]
        keep_memory(USUALLY_KEPT)


def keep_memory(most: int) -> None:
    """Have the C library keep freed memory, at most so many bytes at its end, and give back what is beyond.

    A step frees what the next one takes again. Left to itself glibc gives it back to the system each time, and some two
    hundred pages a step are made anew: up to a twentieth of a small network's training. Other C libraries are left alone.
    """
    if platform.libc_ver()[0] == "glibc":
        c_library = ctypes.CDLL(None)
        c_library.mallopt(MMAP_THRESHOLD, LARGE_BLOCK)
        c_library.mallopt(TRIM_THRESHOLD, most)
        c_library.malloc_trim(most)


def trains_in_halves() -> bool:
    """Whether the GPU here runs trunks in bfloat16."""
    return bool(torch.cuda.is_bf16_supported())


def forward(net: Net, features: Tensor, policy_rows: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The logits [m, L] of `policy_rows`, or of all rows, and the values [n, H] of all, in float32.

    On a GPU the trunk runs in bfloat16 where it can, the heads never do.
    """
    is_narrow = features.is_cuda and trains_in_halves()
    with torch.autocast(features.device.type, torch.bfloat16, enabled=is_narrow, cache_enabled=False):
        stream = net.stream(features)
    stream = stream.float()
    decided = stream if policy_rows is None else stream.index_select(0, policy_rows)
    return net.logits_of(decided), net.values_of(stream, features)
