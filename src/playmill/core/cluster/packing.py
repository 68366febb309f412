"""Tasks as bytes, with what many of them share left out: that lies in Ray's object store, and each worker fetches it once.

What is shared is found while pickling: bytes and read-only arrays from SHARED_BYTES on, such as a network's model or a solved
game's table. An array that may be written to belongs to its task, and travels with it.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import ray
from ray import cloudpickle

SHARED_BYTES = 1 << 16


@dataclass(frozen=True)
class PackedTask:
    """A function and its task; `parts` are references to what they share with others, by digest."""

    content: bytes
    parts: dict[str, Any]


class SharedParts:
    """The shared parts of one executor's tasks, each put into the object store once; they go with this object."""

    def __init__(self) -> None:
        self._by_id: dict[int, tuple[Any, str]] = {}  # holds what it knows: an id is good as long as its object lives
        self.refs: dict[str, Any] = {}

    def keep(self, part: Any) -> str:
        """Have it in the store; return its digest."""
        known = self._by_id.get(id(part))
        if known is not None:
            return known[1]
        digest = _digest(part)
        if digest not in self.refs:
            self.refs[digest] = ray.put(part)
            self._by_id[id(part)] = part, digest
        return digest


def pack(function: Callable[..., Any], task: Any, parts: SharedParts) -> PackedTask:
    """A task for a worker. Functions that can't be imported, such as a lambda, travel as code."""
    file = io.BytesIO()
    packer = _Packer(file, parts)
    packer.dump((function, task))
    return PackedTask(file.getvalue(), {digest: parts.refs[digest] for digest in packer.used})


def unpack(packed: PackedTask, kept: dict[str, Any]) -> tuple[Callable[..., Any], Any]:
    """Function and task, with the parts that this worker has `kept`, or fetches now."""
    for digest, ref in packed.parts.items():
        if digest not in kept:
            kept[digest] = ray.get(ref)
    function, task = _Unpacker(io.BytesIO(packed.content), kept).load()
    return function, task


class _Packer(cloudpickle.Pickler):
    def __init__(self, file: io.BytesIO, parts: SharedParts) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._parts = parts
        self.used: dict[str, None] = {}

    def persistent_id(self, value: Any) -> str | None:
        if not _is_shared(value):
            return None
        digest = self._parts.keep(value)
        self.used[digest] = None
        return digest


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, kept: dict[str, Any]) -> None:
        super().__init__(file)
        self._kept = kept

    def persistent_load(self, digest: Any) -> Any:
        return self._kept[digest]


def _is_shared(value: Any) -> bool:
    if type(value) is bytes:
        return len(value) >= SHARED_BYTES
    is_array = type(value) is np.ndarray and not value.dtype.hasobject
    return is_array and value.nbytes >= SHARED_BYTES and not value.flags.writeable


def _digest(part: Any) -> str:
    if isinstance(part, bytes):
        return hashlib.sha256(part).hexdigest()
    head = f"{part.dtype.descr} {part.shape} {part.flags.f_contiguous}\0".encode()
    return hashlib.sha256(head + part.tobytes()).hexdigest()
