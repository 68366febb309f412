"""Our games in OpenSpiel: `register_games()` makes `pyspiel.load_game("playmill_connect_four")` work.

Chance is explicit where a game lists its outcomes; the first state is that of the episode `seed`, a parameter of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.games.registry import game_names
from playmill.games.state import State
from playmill.packs.registry import find_game
from playmill.play.cohort import MAX_PLIES

PREFIX = "playmill_"
MOST_ACTIONS = 1 << 16  # of a game in OpenSpiel: algorithms keep arrays of them

_registered: dict[str, str] = {}


def register_games() -> list[str]:
    """Register all games of the registry that OpenSpiel can hold; return their names there."""
    found = (find_game(name) for name in game_names() if name != "diplomacy")
    return [register_game(game) for game in found if why_not(game) is None]


def register_game(game: Game) -> str:
    """Register one game, once; return its name in OpenSpiel."""
    if game.name not in _registered:
        if problem := why_not(game):
            raise UsageError(f"{game.name}: {problem}")
        kind = _type_of(game)
        pyspiel.register_game(kind, _class_of(game, kind))
        _registered[game.name] = kind.short_name
    return _registered[game.name]


def why_not(game: Game) -> str | None:
    """Why OpenSpiel can't hold a game; None if it can."""
    if game.actions > MOST_ACTIONS:
        return f"OpenSpiel numbers actions in arrays, and it has {game.actions:,}"
    if has_chance(game) and "outcomes" not in game.kernels:
        return "OpenSpiel wants chance listed, and the game has no 'outcomes' kernel"
    return None


def has_chance(game: Game) -> bool:
    """Whether chance has a say in it."""
    return "chance_key" in game.kernels or "meets_chance" in game.kernels


def _type_of(game: Game) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=PREFIX + game.name,
        long_name=f"playmill: {game.title or game.name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance(game) else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if game.zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=bool(game.features),
        parameter_specification={"seed": 0},
    )


def _info_of(game: Game) -> Any:
    facts: dict[str, Any] = {"utility_sum": 0.0} if game.zero_sum else {}
    return pyspiel.GameInfo(
        num_distinct_actions=game.actions,
        max_chance_outcomes=game.max_outcomes if has_chance(game) else 0,
        num_players=game.players,
        min_utility=-1.0,
        max_utility=1.0,
        max_game_length=MAX_PLIES,
        **facts,
    )


def _class_of(game: Game, kind: Any) -> type:
    """OpenSpiel makes games of a class, so each of ours has one."""

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, _info_of(game), params or {})
            self.rules, self.seed = game, int((params or {}).get("seed", 0))

        def new_initial_state(self, state: Any = None) -> OpenSpielState:
            return OpenSpielState(self, game.new(self.seed))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> FeatureObserver:
            return FeatureObserver(game)

    return SpielGame


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """One of our states; after an action that meets chance, what chance may make of it."""

    def __init__(self, game: Any, state: State) -> None:
        super().__init__(game)
        self.state = state
        self.pending: list[tuple[float, State]] = []

    def current_player(self) -> int:
        if self.state.is_over and not self.pending:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.pending else self.state.to_move

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.state.legal_actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, probability) for number, (probability, _) in enumerate(self.pending)]

    def _apply_action(self, action: int) -> None:
        if self.pending:
            self.state, self.pending = self.pending[action][1], []
            return
        found = self.state.chance_outcomes(action)
        self.state, self.pending = (found[0][1], []) if len(found) == 1 else (self.state, found)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        text = self.state.action_text(action)
        # OpenSpiel finds actions by their text; ours may read alike, as keeping one of two equal dice does.
        is_alone = sum(self.state.action_text(other) == text for other in self.state.legal_actions) == 1
        return text if is_alone else f"{text} (action {action})"

    def is_terminal(self) -> bool:
        return self.state.is_over and not self.pending

    def returns(self) -> list[float]:
        return list(self.state.returns) if self.is_terminal() else [0.0] * self.state.game.players

    def __str__(self) -> str:
        return f"{self.state.line}{', then chance' if self.pending else ''}"


class FeatureObserver:
    """What a network sees, from the side of whoever is to move: nothing is hidden, whoever asks."""

    def __init__(self, game: Game) -> None:
        self.tensor = np.zeros(game.feature_count if game.features else 0, np.float32)
        self.dict = {"observation": self.tensor.reshape(game.features)} if game.features else {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        if self.tensor.size:
            self.tensor[:] = state.state.features().ravel()

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return str(state)
