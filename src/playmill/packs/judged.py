"""The actions of a position as a search judged them, beside what they are truly worth where the game's pack can say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from playmill.games.state import State
from playmill.packs.registry import find_pack
from playmill.search.decisions import Array
from playmill.search.position import SearchResult

NO_REGRET_POINTS = 1e-9  # sums in another order differ in the last digits


@dataclass(frozen=True)
class JudgedAction:
    """One action; None where nothing is known."""

    action: int
    text: str
    prior: float | None
    visits: int | None
    value: float | None
    policy: float
    oracle: float | None
    regret: float | None

    @property
    def is_best(self) -> bool | None:
        """Whether nothing is better in truth; None where that is not known."""
        return None if self.regret is None else self.regret <= NO_REGRET_POINTS


def judge_actions(found: SearchResult) -> list[JudgedAction]:
    """The actions, best first, beside the truth."""
    oracle = true_values(found.state)
    best = None if oracle is None else float(np.nanmax(oracle))
    rows = []
    for each in found.actions:
        truth = None if oracle is None else float(oracle[each.action])
        rows.append(JudgedAction(**vars(each), oracle=truth, regret=None if truth is None or best is None else best - truth))
    return rows


def true_values(state: State) -> Array | None:
    """What each action is truly worth to the mover, NaN for illegal ones; None where the game's pack can't say."""
    solved = find_pack(state.game.name).action_values
    return None if solved is None else solved(state)


def regret_of(state: State, action: int) -> float | None:
    """What an action gives away in truth; None where that is not known."""
    values = true_values(state)
    return None if values is None else max(0.0, float(np.nanmax(values) - values[action]))
