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


def kernel(function: F) -> F:
    """Compile `function` on its first call: no fastmath (it changes sums, so it breaks replay), no GIL, cached on disk."""
    if not IS_COMPILED:
        # 64-bit words wrap around: silently in compiled code, with a warning as NumPy scalars. Each thread has its own setting.
        return np.errstate(over="ignore")(function)
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    if _has_file(function):
        compiled._cache = KernelCache(compiled)
    watch_compiler()
    return compiled  # type: ignore[no-any-return]


def _has_file(function: Callable[..., Any]) -> bool:
    """Whether it comes from a file: what is typed into a notebook is compiled for this process only."""
    return Path(inspect.getfile(function)).exists()
