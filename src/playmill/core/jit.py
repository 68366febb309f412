"""The one place that sets Numba flags and says where compiled code is kept.

Numba's own cache looks only at the file a kernel stands in, so it returns stale code after an edit in a file that the
kernel imports. Ours is a folder named by a hash of the whole package that the kernel belongs to: any edit, a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config as _config

from playmill.core.files import cache_folder

config: Any = _config  # its settings are made when Numba starts, so a type checker doesn't know them
F = TypeVar("F", bound=Callable[..., Any])

IS_COMPILED = not config.DISABLE_JIT
UNUSED_FOLDER_DAYS = 14.0

# These rooms hold no kernels, and none of their values is frozen into one.
_FACES = {"cli", "tui", "web", "bench"}


def kernel(function: F) -> F:
    """Compile `function` on its first call: no fastmath (it changes sums, so it breaks replay), no GIL, cached on disk."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    digest = source_digest(function.__module__)
    if not IS_COMPILED:
        # 64-bit words wrap around: silently in compiled code, with a warning as NumPy scalars. Each thread has its own setting.
        return np.errstate(over="ignore")(function)
    if digest is None:
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
    # Numba reads the folder when a function is decorated; it is put back so that other packages keep their own.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_kernel_folder(function.__module__.partition(".")[0], digest))
    try:
        compiled = numba.njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before
    _save_or_warn(compiled._cache)
    return compiled  # type: ignore[no-any-return]


def _save_or_warn(cache: Any) -> None:
    """Let work go on where compiled code can't be kept, say on a full disk: it is compiled again next time."""
    save = cache.save_overload

    def save_overload(*args: Any) -> None:
        try:
            save(*args)
        except OSError as error:
            _warn_once(f"{error.strerror} in {cache.cache_path}")

    cache.save_overload = save_overload


@functools.cache
def _warn_once(reason: str) -> None:
    print(f"playmill: warning: compiled code can't be kept ({reason}); it is compiled again next time", file=sys.stderr)


@functools.cache
def source_digest(module: str) -> str | None:
    """A hash of every source file that kernels of `module` can be made of; None where there are no files (a notebook).

    That is the package which the module belongs to, or the files beside a module that stands alone; and, for kernels
    outside playmill, also playmill itself, whose kernels theirs may have been compiled with.
    """
    package = module.partition(".")[0]
    files = _source_files(package, module)
    if not files:
        return None
    own = "" if package == "playmill" else source_digest("playmill") or ""
    return _digest(files, own)


def _source_files(package: str, module: str) -> list[Path]:
    top = sys.modules.get(package)
    if top is not None and getattr(top, "__path__", None) and top.__file__:
        folder = Path(top.__file__).parent
        unused = _FACES if package == "playmill" else set()
        names = [name for pattern in ("*.py", "*.yaml") for name in folder.rglob(pattern)]  # a map is frozen into kernels, too
        return sorted(name for name in names if name.relative_to(folder).parts[0] not in unused)
    file = getattr(sys.modules.get(module), "__file__", None)
    return sorted(Path(file).parent.glob("*.py")) if file else []


def _digest(files: list[Path], own: str) -> str:
    total = hashlib.sha256(f"{numba.__version__} {own}".encode())
    for file in files:
        total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()[:16]


@functools.cache
def _kernel_folder(package: str, digest: str) -> Path:
    folder = cache_folder("kernels") / f"{package}-{digest}"
    if not folder.exists():
        _remove_unused(folder.parent, package)
        folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)  # it is in use: its age counts from now
    return folder


def _remove_unused(parent: Path, package: str) -> None:
    """Drop what older sources compiled to, once nobody has used it for a while."""
    oldest = time.time() - UNUSED_FOLDER_DAYS * 86400
    for folder in parent.glob(f"{package}-*"):
        if folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)
