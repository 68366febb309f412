"""Marks: the size and SHA-256 of a file, as `run.json` lists them, and the seal that `run.json` carries itself.

A log only grows, so its mark is that of its beginning: whatever stands behind it came later.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

LOG_SUFFIX = ".ndjson"
A_FOLDER = "expected a file, got a folder"
HASH_DIGITS = 12
_SEAL = b',\n "checksum": "'
_END = b'"\n}\n'


class Mark(BaseModel):
    """What a file was when it was written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    size: int = Field(ge=0, description="Bytes; of a log, those that were there.")
    sha256: str = Field(description="Of these bytes.")

    @classmethod
    def of(cls, path: Path) -> Mark:
        """The mark of a file as it is now, which is made safe from a power cut first: a log is not, line by line."""
        with path.open("rb") as file:
            if path.suffix == LOG_SUFFIX:
                os.fsync(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return cls(size=file.tell(), sha256=digest)

    @classmethod
    def of_text(cls, text: str) -> Mark:
        """The mark of a file that is about to be written."""
        data = text.encode()
        return cls(size=len(data), sha256=hashlib.sha256(data).hexdigest())

    def fault(self, path: Path, is_deep: bool = True) -> str | None:
        """What is wrong with the file in a few words, None if nothing is; without `is_deep` only its size is looked at."""
        try:
            if path.is_dir():
                return A_FOLDER
            size = path.stat().st_size
            if size < self.size or (size > self.size and path.suffix != LOG_SUFFIX):
                return f"expected {self.size:,} bytes, got {size:,}"
            found = _hash_beginning(path, self.size) if is_deep else self.sha256
        except FileNotFoundError:
            return "missing"
        except OSError as error:
            return f"can't be read ({error.strerror})"
        return None if found == self.sha256 else f"changed: expected sha256 {_short(self.sha256)}, got {_short(found)}"


def _hash_beginning(path: Path, size: int, block: int = 1 << 20) -> str:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while size > 0 and (data := file.read(min(size, block))):
            total.update(data)
            size -= len(data)
    return total.hexdigest()


def _short(sha256: str) -> str:
    return f"{sha256[:HASH_DIGITS]}..."


def seal(text: str) -> str:
    """A JSON object, closed by a checksum of all that stands before; `text` is the object without its end."""
    return f"{text}{_SEAL.decode()}{hashlib.sha256(text.encode()).hexdigest()}{_END.decode()}"


def is_sealed(data: bytes) -> bool:
    """Whether these are the very bytes that `seal` gave."""
    head, _, tail = data.rpartition(_SEAL)
    return tail == hashlib.sha256(head).hexdigest().encode() + _END
