"""Orders at random: for every unit any legal one, each as likely."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.games.diplomacy.playout import Table, random_orders


class RandomOrders:
    """Draws orders for all powers of a position; made once, used often."""

    def __init__(self, rules: int) -> None:
        self._rules, self._table = rules, Table()

    def draw(self, state: Any, stream: int) -> np.ndarray:
        """Orders of all powers together, int32; none that the rules refuse."""
        lists, legal, starts, places, chosen, _ = self._table.arrays()
        count = random_orders(state, np.uint64(stream), self._rules, lists, legal, starts, places, chosen)
        found: np.ndarray = chosen[:count].copy()
        return found
