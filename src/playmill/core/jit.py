"""The one place that sets Numba flags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba.core import config as _config

from playmill.core.compiling import watch_compiler
from playmill.core.dispatchers import Kernel
from playmill.core.named_kernels import NamedKernel, are_named

config: Any = _config  # its settings are made when Numba starts, so a type checker doesn't know them
F = TypeVar("F", bound=Callable[..., Any])

IS_COMPILED = not config.DISABLE_JIT
# No fastmath: it changes sums, so it breaks replay. A wrapper for C, of every kernel unless told not to, is a tenth of the time
# to compile, and nobody calls it.
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "nopython": True,
    "boundscheck": None,
}


def kernel(function: F) -> F:
    """Compile `function` on its first call, once for all processes: compiled code is cached on disk."""
    return _compiled(function, OPTIONS)


def inlined_kernel(function: F) -> F:
    """A kernel whose code always becomes part of its callers'.

    For small steps of a loop that take many arrays: a call hands over each of them by value, as seven words. That was half of
    all tree work.
    """
    return _compiled(function, {**OPTIONS, "forceinline": True})


def _compiled(function: F, options: dict[str, Any]) -> F:
    if not IS_COMPILED:
        # 64-bit words wrap around: silently in compiled code, with a warning as NumPy scalars. Each thread has its own setting.
        return np.errstate(over="ignore")(function)
    compiled: Any = (NamedKernel if are_named() else Kernel)(function, options=options)
    watch_compiler()
    return compiled  # type: ignore[no-any-return]
