"""OpenSpiel's games under our search: `search_openspiel(state, 400)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyspiel

from playmill.adapters.reference_search import Evaluate, PlainResult, search_position
from playmill.core.errors import UsageError


@dataclass(frozen=True)
class SpielPosition:
    """A state of a game of OpenSpiel at which a player decides, or the end. Utilities are brought to -1..1."""

    state: Any  # pyspiel.State, never changed

    @cached_property
    def is_over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def to_move(self) -> int:
        return int(self.state.current_player())

    @cached_property
    def legal_actions(self) -> Sequence[int]:
        return tuple(self.state.legal_actions())

    @cached_property
    def returns(self) -> Sequence[float]:
        game = self.state.get_game()
        low, high = game.min_utility(), game.max_utility()
        middle, half = (high + low) / 2, (high - low) / 2 or 1.0
        return tuple((value - middle) / half for value in self.state.returns())

    def chance_outcomes(self, action: int) -> Sequence[tuple[float, SpielPosition]]:
        """Past all chance nodes that follow, one after the other."""
        return tuple(_past_chance(self.state.child(action), 1.0))


def _past_chance(state: Any, probability: float) -> Iterator[tuple[float, SpielPosition]]:
    if not state.is_chance_node():
        yield probability, SpielPosition(state)
        return
    for outcome, share in state.chance_outcomes():
        yield from _past_chance(state.child(outcome), probability * share)


def open_position(state: Any) -> SpielPosition:
    """The state as our search takes it; games with hidden information or with moves at once are refused."""
    kind, kinds = state.get_game().get_type(), pyspiel.GameType
    if kind.dynamics != kinds.Dynamics.SEQUENTIAL:
        raise UsageError(f"{kind.short_name}: players move at once; the search is for games where they move in turn")
    if kind.information != kinds.Information.PERFECT_INFORMATION:
        raise UsageError(f"{kind.short_name}: it has hidden information; the search is for games where all is seen")
    if state.is_chance_node():
        raise UsageError(f"{kind.short_name}: chance is to move; search from a player's decision")
    return SpielPosition(state)


def search_openspiel(
    state: Any, simulations: int = 400, evaluate: Evaluate | None = None, c_puct: float = 1.5, seed: int = 0
) -> PlainResult:
    """What our search makes of a state of OpenSpiel. Same state, same seed: same result."""
    return search_position(open_position(state), simulations, evaluate, c_puct, seed)


class PuctBot(pyspiel.Bot):  # type: ignore[misc]
    """Our search as a bot of OpenSpiel, for its own evaluators and tournaments."""

    def __init__(self, simulations: int = 400, evaluate: Evaluate | None = None, c_puct: float = 1.5, seed: int = 0) -> None:
        super().__init__()
        self.simulations, self.evaluate, self.c_puct, self.seed = simulations, evaluate, c_puct, seed

    def step(self, state: Any) -> int:
        return search_openspiel(state, self.simulations, self.evaluate, self.c_puct, self.seed).best

    def restart_at(self, state: Any) -> None:
        """Nothing is kept from move to move."""
