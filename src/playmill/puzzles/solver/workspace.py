"""The memory of a search, made once for each thread and used for one problem after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.puzzles.solver.certificate import make_certificate
from playmill.puzzles.solver.fight import PATH
from playmill.puzzles.solver.table import make_table

FIRST_STATES = 1 << 12  # a certificate's room at first; it grows as needed
MOST_STATES = 1 << 20


class Workspace:
    """Table, paths and a certificate's room; nothing in it outlives `begin`."""

    def __init__(self, table_mib: int) -> None:
        self.table: Any = make_table(table_mib)
        self.paths: Any = np.zeros(2, PATH)
        self.certificate = make_certificate(FIRST_STATES)
        self._age = 0

    def begin(self, max_nodes: int) -> None:
        """Forget everything: entries of another age count as empty."""
        self._age += 1
        self.paths["age"], self.paths["most_nodes"] = self._age, max_nodes
        self.paths["nodes"], self.paths["repetitions"] = 0, 0

    def grow(self) -> bool:
        """Four times the room for certificates; False if that would be too much."""
        states = 4 * len(self.certificate[1])
        if states > MOST_STATES:
            return False
        self.certificate = make_certificate(states)
        return True
