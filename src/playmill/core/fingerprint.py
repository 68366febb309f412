"""What a kernel is made of, as a hash: its bytecode, the values it freezes, and all that of the kernels it calls.

Compiled code is found again by this hash. Numba's own cache looks only at the file that a kernel stands in, so it returns stale
code after an edit in a file that the kernel imports; a hash of whole files would compile everything anew after any edit. This
one changes exactly when the kernel does: not with a comment, a docstring, or code that the kernel can't reach.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

DIGITS = 20
# Foreign modules whose functions kernels call; what they hold changes with these versions alone.
TOOLS = f"numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {np.__version__}"

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), np.generic, enum.Enum)


@dataclass(frozen=True)
class FunctionPart:
    """One function's own share of a fingerprint, and the kernels it calls."""

    name: str
    digest: str
    calls: tuple[Dispatcher, ...]


def fingerprint(kernels: Iterable[Dispatcher]) -> str:
    """The hash of everything that these kernels are made of; the order in which they come does not matter."""
    parts = {(part.name, part.digest) for part in map(part_of, reach(kernels))}
    text = "\n".join([TOOLS, *(f"{name} {digest}" for name, digest in sorted(parts))])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def reach(kernels: Iterable[Dispatcher]) -> list[Dispatcher]:
    """The kernels themselves and all that they call, directly or not."""
    found: dict[int, Dispatcher] = {}
    waiting = list(kernels)
    while waiting:
        each = waiting.pop()
        if id(each) not in found:
            found[id(each)] = each
            waiting.extend(part_of(each).calls)
    return list(found.values())


@functools.cache
def part_of(kernel: Dispatcher) -> FunctionPart:
    """A kernel's bytecode and frozen values. Its globals are looked up now, as Numba does when it compiles."""
    function: Any = kernel.py_func
    reader = _Reader(function.__globals__)
    reader.read("options", tuple(sorted(kernel.targetoptions.items())))
    reader.read_code(function.__code__, function.__doc__)
    reader.read("defaults", function.__defaults__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        reader.read(name, cell.cell_contents)
    return FunctionPart(f"{function.__module__}.{function.__qualname__}", reader.digest(), tuple(reader.calls))


class _Reader:
    """Collects what one function is made of."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._globals = namespace
        self._total = hashlib.sha256()
        self.calls: list[Dispatcher] = []

    def digest(self) -> str:
        return self._total.hexdigest()

    def _add(self, *words: object) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode()
            self._total.update(b"%d:" % len(data) + data)

    def read_code(self, code: CodeType, doc: str | None = None) -> None:
        """The code, that of functions inside it, and the global values under all names that it knows."""
        self._add(code.co_code, code.co_argcount, code.co_kwonlyargcount, code.co_names, code.co_varnames, code.co_freevars)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.read_code(constant)
            elif constant != doc or doc is None:
                self.read("constant", constant)
        for name in code.co_names:
            if name in self._globals:
                self._read_global(name, self._globals[name], code.co_names)

    def _read_global(self, name: str, value: object, names: tuple[str, ...]) -> None:
        """A module of a package that may hold kernels counts by those of its names that the code has, too."""
        if not isinstance(value, ModuleType):
            self.read(name, value)
            return
        self._add(name, value.__name__)
        if not _is_tool(value.__name__):
            for attribute in names:
                if attribute in vars(value):
                    self.read(attribute, vars(value)[attribute])

    def read(self, name: str, value: object) -> None:
        """A value that is frozen into the code under `name`."""
        self._add(name, type(value).__qualname__)
        if isinstance(value, Dispatcher):
            self.calls.append(value)
        elif isinstance(value, np.ndarray):
            self._add(value.dtype.descr, value.shape, np.ascontiguousarray(value).tobytes())
        elif isinstance(value, tuple | list):
            for item in value:
                self.read("item", item)
        elif isinstance(value, frozenset):
            self._add(*sorted(map(repr, value)))
        elif isinstance(value, np.dtype):
            self._add(value.descr if value.names else value.str)
        elif isinstance(value, _PLAIN):
            self._add(repr(value))
        else:
            self._read_other(value)

    def _read_other(self, value: object) -> None:
        """A plain function (compiled code reaches an overload of it), a class or an object of one: its whole module counts."""
        owner = value if isinstance(value, type | FunctionType) else type(value)
        self._add(owner.__module__, owner.__qualname__)
        if not _is_tool(owner.__module__):
            self._add(_source(owner.__module__, inspect.getsourcefile(owner)))
            self.calls.extend(_kernels_of(owner.__module__))


def _is_tool(module: str) -> bool:
    return module.partition(".")[0] in {"numba", "numpy", "math", "builtins", "llvmlite", "cmath", "operator"}


@functools.cache
def _source(module: str, file: str | None) -> bytes:
    """The text of a module; a notebook's has none, and counts by name."""
    return Path(file).read_bytes() if file and Path(file).exists() else module.encode()


def _kernels_of(module: str) -> Iterator[Dispatcher]:
    for value in vars(sys.modules[module]).values() if module in sys.modules else ():
        if isinstance(value, Dispatcher):
            yield value
