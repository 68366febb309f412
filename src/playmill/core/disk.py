"""When a disk refuses: full, over quota, read-only, failing. The user gets one line; what was finished is still there."""

from __future__ import annotations

import errno
import math
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playmill.core.errors import PlaymillError, UsageError

# What a disk can answer to a writer, and what to do about it.
AGAIN, ELSEWHERE = "and run the same command again", "choose another place"
WAYS_OUT = {
    errno.ENOSPC: f"free some space {AGAIN}",
    errno.EDQUOT: f"free some space or raise the quota {AGAIN}",
    errno.EFBIG: f"raise the limit on the size of files {AGAIN}",
    errno.EROFS: f"make the disk writable {AGAIN}",
    errno.EACCES: f"allow writing there {AGAIN}",
    errno.EPERM: f"allow writing there {AGAIN}",
    errno.EIO: f"see whether the disk is sound {AGAIN}",
    errno.EEXIST: ELSEWHERE,
    errno.EISDIR: ELSEWHERE,
    errno.ENAMETOOLONG: ELSEWHERE,
    errno.ENOTDIR: ELSEWHERE,
    errno.ENOENT: ELSEWHERE,
    errno.ELOOP: ELSEWHERE,
    errno.EINVAL: ELSEWHERE,
}
# Reading raises these, too. They count as a refusal only if they name the path that is written, or a folder above it.
ON_THE_WAY = {errno.ENOENT, errno.ELOOP, errno.EINVAL}
WRITING_ONLY = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}  # reading never raises these
KIB = 1024.0


class DiskError(PlaymillError):
    """A file could not be written; nothing that was written before is lost."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Inside the block `path` is written; a disk that refuses it ends the block with a DiskError."""
    try:
        yield
    except PlaymillError:
        raise
    except Exception as error:
        refusal = refusal_of(error, path)
        if refusal is None:
            raise
        raise DiskError(refusal_line(refusal, path)) from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Inside the block `path` is read; that it is missing or can't be opened was the user's mistake: a UsageError."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path}: can't be read ({error.strerror or error})") from error


def refusal_of(error: BaseException | None, path: Path) -> OSError | None:
    """The disk's own answer behind an error. A library may hide it: torch raises a RuntimeError while it handles it."""
    if isinstance(error, OSError) and error.errno in ON_THE_WAY and _is_on_the_way(error, path):
        return error
    while error is not None and not is_refusal(error):
        error = error.__cause__ or error.__context__
    return error if isinstance(error, OSError) else None


def _is_on_the_way(error: OSError, path: Path) -> bool:
    name = Path(os.fsdecode(error.filename or ""))
    return name == path or name in path.parents or name.parent == path.parent


def is_refusal(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno in WAYS_OUT and error.errno not in ON_THE_WAY


def is_from_writing(error: OSError) -> bool:
    """Whether an error, wherever it was raised, can only mean that a disk refused to be written."""
    return error.errno in WRITING_ONLY


def refusal_line(refusal: OSError, path: Path | None = None) -> str:
    """What could not be written, why, how much is free there, and the way out."""
    path = path or (Path(refusal.filename) if refusal.filename else None)
    words = os.strerror(refusal.errno or 0)
    what = "a file can't be written" if path is None else f"{path}: can't be written"
    free = "" if path is None else f", {_size(_free_bytes(path))} free there"
    return f"{what} ({words}{free}); {WAYS_OUT[refusal.errno or 0]}"


def _free_bytes(path: Path) -> int:
    """What is left to us on the disk of `path`, which need not exist yet."""
    path = path.absolute()
    while not path.is_dir():
        path = path.parent
    return shutil.disk_usage(path).free


def _size(count: float) -> str:
    if count < KIB:
        return f"{count:.0f} bytes"
    units = ("KiB", "MiB", "GiB", "TiB")
    step = min(int(math.log(count, KIB)), len(units))
    return f"{count / KIB**step:.1f} {units[step - 1]}"
