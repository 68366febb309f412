"""Where compiled code is kept: one file for a kernel and its argument types, named by the kernel's fingerprint.

Numba keeps an index and numbered files instead; two processes that compile one generic kernel for two games at a time can then
both take the same number, and find the other's code under it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from playmill.core.files import cache_folder
from playmill.core.fingerprint import DIGITS, fingerprint

UNUSED_DAYS = 14.0
CHECKSUM_BYTES = hashlib.sha256().digest_size


class KernelCache(FunctionCache):
    """A kernel's compiled code on disk. The fingerprint is taken at the first use: its globals may follow it in the file."""

    def __init__(self, kernel: Dispatcher, form: type[KernelFormat]) -> None:
        self._kernel = kernel
        self._py_func = kernel.py_func
        self._name = repr(kernel.py_func)
        self._impl = form(kernel.py_func)
        self.enable()

    @functools.cached_property
    def _cache_file(self) -> KernelFiles:  # type: ignore[override]
        function = self._py_func
        folder = cache_folder("kernels") / function.__module__
        return KernelFiles(folder, f"{function.__qualname__}-{fingerprint([self._kernel])}")

    @property
    def cache_path(self) -> str:
        return str(self._cache_file.folder)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Let work go on where compiled code can't be kept, say on a full disk: it is compiled again next time."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(error.strerror or str(error), self.cache_path)


class KernelFormat(CompileResultCacheImpl):
    """Numba's way to make bytes of compiled code, without its way to find a file for them."""

    def __init__(self, function: Any) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _NoLocator(function.__code__.co_filename)


class _NoLocator:
    def __init__(self, file: str) -> None:
        self._py_file = file  # Numba names it in its warnings

    def ensure_cache_path(self) -> None:
        pass


class KernelFiles:
    """Files of one kernel: one for each key, that is argument types, processor and Python."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self._name = name.replace("<", "").replace(">", "")

    def load(self, key: Any) -> Any:
        """What was saved under the key, or None; a damaged file counts as none."""
        path = self._path(key)
        try:
            content = path.read_bytes()
            os.utime(path)  # it is in use: its age counts from now
        except OSError:
            return None
        checksum, data = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
        if hashlib.sha256(data).digest() != checksum:
            return None
        found, value = pickle.loads(data)
        return value if found == key else None

    def save(self, key: Any, value: Any) -> None:
        """Whole or not at all. It need not outlive a power cut, as `core.files` would see to: it can be made again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _remove_unused(self.folder)
        data = dumps((key, value))
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            os.replace(name, self._path(key))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def flush(self) -> None:
        """Forget nothing: another fingerprint is another file."""

    def _path(self, key: Any) -> Path:
        python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
        return self.folder / f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:DIGITS]}.{python}"


@functools.cache
def _remove_unused(folder: Path) -> None:
    """Drop what older sources compiled to, once nobody has used it for a while; once a process is enough."""
    oldest = time.time() - UNUSED_DAYS * 86400
    for path in folder.glob("*"):
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:
            pass  # another process was faster


@functools.cache
def _warn_once(reason: str, folder: str) -> None:
    print(
        f"playmill: warning: compiled code can't be kept ({reason} in {folder}); it is compiled again next time",
        file=sys.stderr,
    )
