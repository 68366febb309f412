"""Working memory of kernels: one record, which Numba passes as a pointer.

A tuple of arrays is unpacked and packed again by every function that takes it, with seven numbers an array: with a hundred
arrays a function of three lines compiles for seconds. A record's fields are found by their offset, nested ones, too.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

WORD = 8  # bytes


def record_of(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """The type of a record with these fields, each (name, type) or (name, type, shape), which begin at whole words.

    `np.zeros(1, type)[0]` is one. Its fields are attributes and views in plain Python, too, so that kernels can be run as such.
    """
    formats = [np.dtype(field[1] if len(field) == 2 else field[1:]) for field in fields]
    ends = list(accumulate(-(-one.itemsize // WORD) * WORD for one in formats))
    names, offsets = [field[0] for field in fields], [0, *ends[:-1]]
    layout: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": ends[-1]}
    return np.dtype((np.record, np.dtype(layout)))


def as_items(records: Any) -> Any:
    """The same memory as items without fields, for copies: NumPy copies records field by field, 10 to 60 times as slowly."""
    return records.view(np.dtype((np.void, records.dtype.itemsize))) if records.dtype.fields else records
