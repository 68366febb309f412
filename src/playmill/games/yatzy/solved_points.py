"""The solved solitaire game in 160 KB: the points that a board has still to come, for kernels that can't carry 16 MB.

The table of `oracle.py` is made at run time, and a kernel has no memory of its own: what it looks up is frozen into its code.
As a matrix, (open upper categories, upper total) by open lower categories, the table is nearly of rank 16. Over the boards
that games can reach the product of the two factors is 0.045 points off (root mean square), and 0.71 at worst.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from playmill.core.jit import kernel
from playmill.games.yatzy.hands import CATEGORY_COUNT, UPPER_COUNT, UPPER_GOAL

LOWER_COUNT = CATEGORY_COUNT - UPPER_COUNT
LOWER_OPEN = (1 << LOWER_COUNT) - 1
UPPERS = UPPER_GOAL + 1


def _load() -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """What `solved_factors.py` has made: int16 [upper mask and total, rank] and float32 [lower mask, rank]."""
    with np.load(Path(__file__).parent / "solved_factors.npz") as arrays:
        uppers, lowers = arrays["uppers"], arrays["lowers"]
    uppers.setflags(write=False)
    lowers.setflags(write=False)
    return uppers, lowers


UPPER_FACTORS, LOWER_FACTORS = _load()


@kernel
def points_to_come(avail, upper):
    """What best play still scores on average from a board before its next roll, alone at the table; float32."""
    uppers = UPPER_FACTORS[(avail >> LOWER_COUNT) * UPPERS + upper]
    lowers = LOWER_FACTORS[avail & LOWER_OPEN]
    total = np.float32(0)
    for i in range(lowers.size):
        total += np.float32(uppers[i]) * lowers[i]
    return total
