"""Rounding float32 to bfloat16, which NumPy doesn't have: its bits as uint16."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel

# A float32 whose lower half is cut off is a bfloat16; this and the last bit that stays, added before, round it to even.
HALF_WORD, ALMOST_HALF, ONE = np.uint32(16), np.uint32(0x7FFF), np.uint32(1)


@kernel
def round_row(words, out):
    """Fill uint16 `out` [n] with bfloat16s, of float32s given as uint32 `words` [n]; all must be finite."""
    for i in range(words.size):
        word = words[i]
        out[i] = (word + (ALMOST_HALF + (word >> HALF_WORD & ONE))) >> HALF_WORD


@kernel
def pack_halves(words, out):
    """The same for rows, [n, k] each."""
    for row in range(len(words)):
        round_row(words[row], out[row])
