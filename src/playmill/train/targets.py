"""What each head of a network is taught: a column of the replay's targets, mixed with the search's own value."""

from __future__ import annotations

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.nets.spec import MARGIN, TOGO_OPP, TOGO_OWN, WIN
from playmill.replay.tables import Array

# For each head: what really happened, and what the search expected.
COLUMNS = {
    WIN: ("z", "q"),
    MARGIN: ("z_margin", None),
    TOGO_OWN: ("togo_own", "q_togo_own"),
    TOGO_OPP: ("togo_opp", "q_togo_opp"),
}


class HeadTargets:
    """Picks the targets of a network's heads out of replay rows."""

    def __init__(self, heads: tuple[str, ...], names: tuple[str, ...], bootstrap: float) -> None:
        """`names` are the replay's columns; a head whose outcome is not among them can't be taught, which is an error."""
        self.bootstrap = bootstrap
        self._columns = [_columns_of(head, names) for head in heads]

    def __call__(self, targets: Array) -> Array:
        """Float32 [n, heads] out of the replay's [n, targets]; NaN where there is nothing to learn."""
        picked = np.empty((len(targets), len(self._columns)), np.float32)
        for head, (outcome, expected) in enumerate(self._columns):
            picked[:, head] = targets[:, outcome]
            if expected is not None:
                picked[:, head] = mixed(picked[:, head], targets[:, expected], self.bootstrap)
        return picked


def mixed(outcome: Array, expected: Array, bootstrap: float) -> Array:
    """(1 - bootstrap) * outcome + bootstrap * expected; where one of them is NaN, the other alone."""
    both = (1 - bootstrap) * outcome + bootstrap * expected
    return np.where(np.isnan(expected), outcome, np.where(np.isnan(outcome), expected, both))


def _columns_of(head: str, names: tuple[str, ...]) -> tuple[int, int | None]:
    if head not in COLUMNS:
        raise PlaymillError(f"training: no target is known for the head '{head}' (known: {', '.join(COLUMNS)})")
    outcome, expected = COLUMNS[head]
    if outcome not in names:
        raise PlaymillError(f"training: the head '{head}' expects a target '{outcome}' in the replay, got {list(names)}")
    return names.index(outcome), names.index(expected) if expected in names else None
