"""Files that are whole or not there, and the folder for what can be made again."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from playmill.core.disk import writing
from playmill.core.errors import UsageError
from playmill.core.leaving import before_leaving

CACHE_VARIABLE = "PLAYMILL_CACHE_DIR"

_unfinished: set[str] = set()  # temporary files of writers at work


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
def _whole_or_nothing(path: Path, is_synced: bool = True) -> Iterator[IO[bytes]]:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    _unfinished.add(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.chmod(name, 0o666 & ~_umask())  # a temporary file is private; the finished one is an ordinary file
            yield file
            file.flush()
            if is_synced:
                os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    finally:
        _unfinished.discard(name)


def _remove_unfinished() -> None:
    """A process that ends in the middle of writing leaves no temporary files behind."""
    for name in list(_unfinished):
        Path(name).unlink(missing_ok=True)


before_leaving(_remove_unfinished)


def atomic_write(path: Path, data: bytes | str) -> None:
    """Replace the file at `path` by `data`, all of it or nothing."""
    with atomic_writer(path) as file:
        file.write(_bytes(data))


def replace_quickly(path: Path, data: bytes | str) -> None:
    """Like `atomic_write`, without waiting for the disk: for what can be written anew, and may be lost in a power cut."""
    with _whole_or_nothing(path, is_synced=False) as file:
        file.write(_bytes(data))


def _bytes(data: bytes | str) -> bytes:
    return data.encode(errors="backslashreplace") if isinstance(data, str) else data


def copy_file(source: Path, target: Path) -> None:
    """Replace `target` by what `source` holds, all of it or nothing."""
    with source.open("rb") as data, atomic_writer(target) as file:
        shutil.copyfileobj(data, file)


# ------------------------------------------------------------------ before a user's file is written


def claim_output(path: Path, force: bool = False, inputs: Iterable[Path] = ()) -> Path:
    """Return `path` if a command may write it at its end: it can be written, is new or to be replaced, and is no input.

    A command calls this before its work, which may take hours. An input is never replaced, `force` or not: the command
    still reads it.
    """
    for source in inputs:
        if _is_same(path, source):
            raise UsageError(f"{path}: the command reads this file, so it can't be its output; choose another place")
    if path.is_dir():
        raise UsageError(f"{path}: expected a file to write, got a folder; choose another place")
    if not force and os.path.lexists(path):
        raise UsageError(f"{path}: there is a file already; choose another place, or replace it with --force")
    with writing(path):
        _try_writing(path)
    return path


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # one of them isn't there
        return False


def _try_writing(path: Path) -> None:
    """Make a file beside it and take it away, with the folders that had to be made for it."""
    made = [folder for folder in path.absolute().parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent, prefix=f".{path.name}"):
            pass
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


@functools.cache
def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
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


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """A folder that is gone after the block, also if Ctrl-C ends the process inside it."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    remove = functools.partial(shutil.rmtree, folder, ignore_errors=True)
    before_leaving(remove)
    try:
        yield folder
    finally:
        remove()


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
    before_leaving(lambda: shutil.rmtree(fallback, ignore_errors=True))
    print(
        f"playmill: warning: cache folder {root} can't be used ({problem}); using {fallback} until the end. "
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
