"""Answers of the engine on the disk, so that a second run costs nothing.

An answer is found by a hash of everything that it depends on: the query and the engine's identity. An entry begins with a
checksum; a damaged one counts as none and is made again. The folder is kept below a size: what was not used for the longest
time goes first.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playmill.core.errors import PlaymillError
from playmill.core.files import replace_quickly
from playmill.puzzles.katago.place import Identity
from playmill.puzzles.katago.query import Query
from playmill.puzzles.katago.starting import ALWAYS

FORMAT = 1  # of entries
SUFFIX = ".analysis"
DIGEST = 32  # bytes of the checksum
MIB = 1 << 20
FULL_SHARE = 0.9  # of the limit that is kept when it was passed
KEPT = ("rootInfo", "moveInfos", "ownership")


class AnalysisCache:
    """The kept answers of one engine in a folder that several engines may share."""

    def __init__(self, folder: Path, identity: Identity, limit_mib: int) -> None:
        self.folder, self.identity = folder, asdict(identity)
        self.is_used = limit_mib > 0
        if self.is_used:
            prune(folder, limit_mib * MIB)

    def key(self, query: Query) -> str:
        """The name of the query's entry."""
        facts = {"format": FORMAT, "engine": self.identity, "always": ALWAYS, "query": query.fields()}
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def read(self, query: Query) -> dict[str, Any] | None:
        """The kept answer; None if there is none, or only a damaged one."""
        if not self.is_used:
            return None
        path = self._path(query)
        try:
            found = _unpack(path.read_bytes())
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)
        return found

    def write(self, query: Query, reply: dict[str, Any]) -> None:
        """Keep an answer, less what nobody reads. A disk that refuses costs a later run its time and this one nothing."""
        if not self.is_used:
            return
        kept = {name: reply[name] for name in KEPT if name in reply}
        data = zlib.compress(json.dumps(kept).encode())
        with suppress(OSError, PlaymillError):
            path = self._path(query)
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_quickly(path, hashlib.sha256(data).digest() + data)

    def _path(self, query: Query) -> Path:
        key = self.key(query)
        return self.folder / key[:2] / f"{key}{SUFFIX}"


def _unpack(data: bytes) -> dict[str, Any] | None:
    checksum, packed = data[:DIGEST], data[DIGEST:]
    if hashlib.sha256(packed).digest() != checksum:
        return None
    found = json.loads(zlib.decompress(packed))
    return found if isinstance(found, dict) else None


def prune(folder: Path, limit: int) -> None:
    """Remove the entries that were not used for the longest time, until the folder is well below the limit, in bytes."""
    entries = []
    for path in folder.glob(f"*/*{SUFFIX}"):
        with suppress(OSError):
            facts = path.stat()
            entries.append((facts.st_mtime_ns, str(path), facts.st_size))
    size = sum(entry[2] for entry in entries)
    if size <= limit:
        return
    for _, name, count in sorted(entries):
        if size <= FULL_SHARE * limit:
            return
        with suppress(OSError):
            os.unlink(name)
            size -= count
