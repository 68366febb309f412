"""The one place that sets Numba flags."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config as _config

from playmill.core.compiling import watch_compiler
from playmill.core.kernel_cache import KernelCache

config: Any = _config  # its settings are made when Numba starts, so a type checker doesn't know them
F = TypeVar("F", bound=Callable[..., Any])

IS_COMPILED = not config.DISABLE_JIT
# No fastmath: it changes sums, so it breaks replay. A wrapper for C, of every kernel unless told not to, is a tenth of the time
# to compile, and nobody calls it.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compile `function` on its first call, once for all processes: compiled code is cached on disk."""
    if not IS_COMPILED:
        # 64-bit words wrap around: silently in compiled code, with a warning as NumPy scalars. Each thread has its own setting.
        return np.errstate(over="ignore")(function)
    compiled: Any = numba.njit(**OPTIONS)(function)
    if _has_file(function):
        compiled._cache = KernelCache(compiled)
    watch_compiler()
    return compiled  # type: ignore[no-any-return]


def _has_file(function: Callable[..., Any]) -> bool:
    """Whether it comes from a file: what is typed into a notebook is compiled for this process only."""
    return Path(inspect.getfile(function)).exists()
