"""A shard's columns where they lie in the file, to be read a run of rows at a time."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.game import Game
from playmill.replay.meta import read_meta
from playmill.replay.shard import check_file, lengths
from playmill.replay.tables import Array, check_shapes

_DTYPES = {"F32": "<f4", "I32": "<i4", "I16": "<i2", "I8": "i1", "U64": "<u8", "U16": "<u2", "U8": "u1"}
_LENGTH_BYTES = 8


@dataclass(frozen=True)
class ColumnPlace:
    """Type, shape and place of one column."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    start: int  # bytes from the beginning of the file

    @property
    def row_bytes(self) -> int:
        return math.prod(self.shape[1:]) * self.dtype.itemsize


class ShardFile:
    """One shard, checked as `read_shard` checks it, but not loaded; `open` gives its data file to read from."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.meta = read_meta(path, game)
        check_file(path, self.meta)
        self.columns = _parse_header(path)
        check_shapes(str(path), self.columns, lengths(self.meta), self.meta.actions)

    def open(self) -> FileIO:
        """The data file; unbuffered, since every read is a long one."""
        try:
            return self.path.open("rb", buffering=0)
        except OSError as error:
            raise PlaymillError(f"{self.path}: can't be read any more ({error.strerror}); was it pruned?") from error

    def read(self, file: FileIO, name: str, first: int, out: Array) -> Array:
        """Fill `out` with the rows from `first` on of a column, and return it."""
        column = self.columns[name]
        file.seek(column.start + first * column.row_bytes)
        if file.readinto(out.reshape(-1).view(np.uint8).data) != out.nbytes:
            raise PlaymillError(f"{self.path}: {name}: expected {len(out)} rows from row {first} on, got fewer")
        return out


def _parse_header(path: Path) -> dict[str, ColumnPlace]:
    """The columns by name. The file's layout: the header's length, a JSON header, the columns end to end."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
            header: dict[str, Any] = json.loads(file.read(length))
        return {name: _column(entry, _LENGTH_BYTES + length) for name, entry in header.items()}
    except (ValueError, KeyError, TypeError, MemoryError) as error:
        raise PlaymillError(f"{path}: expected a safetensors file, got one that can't be parsed ({error})") from None


def _column(entry: dict[str, Any], start: int) -> ColumnPlace:
    return ColumnPlace(np.dtype(_DTYPES[entry["dtype"]]), tuple(entry["shape"]), start + entry["data_offsets"][0])
