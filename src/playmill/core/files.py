"""Files that are whole or not there, and the folder for what can be made again."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from playmill.core.disk import writing

CACHE_VARIABLE = "PLAYMILL_CACHE_DIR"


@contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under `path` only when the block ends well; a reader sees the old file or the new one.

    A disk that refuses, be it in the block, leaves the old file, no temporary one, and a DiskError.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _whole_or_nothing(path) as file:
            yield file
        _sync_folder(path.parent)


@contextmanager
def _whole_or_nothing(path: Path) -> Iterator[IO[bytes]]:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            os.chmod(name, 0o666 & ~_umask())  # a temporary file is private; the finished one is an ordinary file
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def atomic_write(path: Path, data: bytes | str) -> None:
    """Replace the file at `path` by `data`, all of it or nothing."""
    with atomic_writer(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)


def copy_file(source: Path, target: Path) -> None:
    """Replace `target` by what `source` holds, all of it or nothing."""
    with source.open("rb") as data, atomic_writer(target) as file:
        shutil.copyfileobj(data, file)


@functools.cache
def _umask() -> int:
    """What this process takes away from new files' modes; it can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Make the rename itself survive a power cut; Windows can't open a folder and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def cache_folder(name: str) -> Path:
    """A folder for things that can be made again (compiled kernels, solved tables); it exists and can be written."""
    folder = _cache_root() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@functools.cache
def _cache_root() -> Path:
    wanted = os.environ.get(CACHE_VARIABLE)
    if wanted:
        root = Path(wanted).expanduser()
    else:
        from platformdirs import user_cache_path

        root = user_cache_path("playmill", appauthor=False)
    problem = _why_unusable(root)
    if problem is None:
        return root
    fallback = Path(tempfile.mkdtemp(prefix="playmill-cache-"))
    print(
        f"playmill: warning: cache folder {root} can't be used ({problem}); using {fallback} for now. "
        f"Set {CACHE_VARIABLE} to a folder you can write.",
        file=sys.stderr,
    )
    return fallback


def _why_unusable(root: Path) -> str | None:
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            os.listdir(root)
    except OSError as error:
        return error.strerror or str(error)
    return None
