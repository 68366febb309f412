"""Two small factors of the oracle's table, made once and kept in the package: `solved_points.py` says what for.

`python -m playmill.games.yatzy.solved_factors` solves the game and writes them anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playmill.games.yatzy.hands import CATEGORY_COUNT, DICE, UPPER_COUNT, UPPER_GOAL
from playmill.games.yatzy.oracle import Oracle

PATH = Path(__file__).parent / "solved_factors.npz"
RANK = 16
LARGEST = 32767  # of an int16
UPPERS = UPPER_GOAL + 1
LOWERS = 1 << (CATEGORY_COUNT - UPPER_COUNT)


def factorise(table: NDArray[np.float64]) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """The factors of the oracle's table [avail, upper]: int16 [upper mask and total, RANK], float32 [lower mask, RANK].

    Boards that no game reaches count for nothing, and have 0.
    """
    matrix = table.reshape(-1, LOWERS, UPPERS).transpose(0, 2, 1).reshape(-1, LOWERS)
    reached = reachable()
    _, _, rows = np.linalg.svd(matrix[reached], full_matrices=False)
    uppers = np.where(reached[:, None], matrix @ rows[:RANK].T, 0)
    steps = np.abs(uppers).max(axis=0) / LARGEST
    return np.round(uppers / steps).astype(np.int16), (rows[:RANK].T * steps).astype(np.float32)


def reachable() -> NDArray[np.bool_]:
    """Which (open upper categories, upper total) can occur, bool [64 * 64]."""
    found = np.zeros((1 << UPPER_COUNT, UPPERS), np.bool_)
    for mask in range(1 << UPPER_COUNT):
        totals = {0}
        for face in range(1, UPPER_COUNT + 1):
            if not mask >> (UPPER_COUNT - face) & 1:
                totals = {total + face * count for total in totals for count in range(DICE + 1)}
        found[mask, [min(total, UPPER_GOAL) for total in totals]] = True
    return found.ravel()


def main() -> None:
    uppers, lowers = factorise(Oracle.load().table)
    arrays: dict[str, Any] = {"uppers": uppers, "lowers": lowers}
    np.savez_compressed(PATH, **arrays)


if __name__ == "__main__":
    main()
