"""Environment variables of the compiler, refused in a line where it would answer with a traceback or a page of warning."""

from __future__ import annotations

import os
import re
import warnings

from playmill.core.errors import UsageError, require_positive

THREADS = "NUMBA_NUM_THREADS"
UNREADABLE = "Environment variable '(NUMBA_[A-Z_0-9]+)' is defined but its associated value '(.*?)' could not be parsed"


def check_environment() -> None:
    """Refuse a number of threads that is none; let what Numba can't read of its variables be an error."""
    threads = os.environ.get(THREADS)
    if threads is not None:
        require_positive(THREADS, int(threads) if re.fullmatch(r"-?\d{1,9}", threads) else threads)  # type: ignore[arg-type]
    warnings.filterwarnings("error", message="Environment variable 'NUMBA_", category=RuntimeWarning)


def unreadable_variable(error: BaseException) -> UsageError | None:
    """The error for a variable that Numba couldn't read; None if that is not what it is."""
    found = re.match(UNREADABLE, str(error), re.DOTALL) if isinstance(error, RuntimeWarning) else None
    return found and UsageError(f"{found[1]}: expected a number, got '{found[2]}'; set it to one, or unset it")
