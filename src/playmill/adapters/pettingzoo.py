"""Any game as a PettingZoo environment: agents in turn, an action mask beside what they observe."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.games.state import State
from playmill.packs.registry import find_game

MOST_ACTIONS = 1 << 16  # a mask of more is megabytes: action n is then the n-th legal one


class GameEnv(AECEnv):  # type: ignore[misc]
    """Agents `player_0`, `player_1`, ...; rewards are the final utilities, and 0 before.

    An observation is `observation`, what a network sees of the position from the mover's side, and `action_mask`. Where a game
    has more than 65,536 actions, action n stands for the n-th legal one, and the mask is as long as there can be legal ones.
    """

    metadata = {"render_modes": ["ansi"], "name": "playmill", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = find_game(game) if isinstance(game, str) else game
        if not self.game.features:
            raise UsageError(f"{self.game.name}: an environment needs features to observe; give the game an `encode` kernel")
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"playmill_{self.game.name}"}
        self.is_by_place = self.game.actions > MOST_ACTIONS
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        size = self.game.max_legal if self.is_by_place else self.game.actions
        observed = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, self.game.features, np.float32),
                "action_mask": spaces.Box(0, 1, (size,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observed)
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; a seed is the episode, else one is drawn from those before it."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.state_now: State = self.game.new(int(self._random.integers(1 << 63)) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.state_now.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position, and the legal actions of whoever is to move: nobody else has any."""
        mask = np.zeros(self.action_spaces[agent].n, np.int8)
        if agent == self.agent_selection and not self.state_now.is_over:
            legal = self.state_now.legal_actions
            mask[range(len(legal)) if self.is_by_place else list(legal)] = 1
        return {"observation": self.state_now.features(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is; of an agent that is done, only None."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.state_now = self.state_now.apply(self._meant(action))
        if self.state_now.is_over:
            self.rewards = dict(zip(self.possible_agents, self.state_now.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.state_now.to_move]
        self._accumulate_rewards()

    def _meant(self, action: int | None) -> int:
        legal = self.state_now.legal_actions
        if action is None:
            raise UsageError(f"{self.game.name}: expected an action of {self.agent_selection}, got None")
        if not self.is_by_place:
            return int(action)
        if not 0 <= int(action) < len(legal):
            raise UsageError(f"{self.game.name}: expected one of {len(legal)} legal actions, got place {action}")
        return legal[int(action)]

    def render(self) -> str | None:
        """The board as text."""
        return str(self.state_now) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


def env(game: Game | str, render_mode: str | None = None) -> GameEnv:
    """The environment of a game by its name."""
    return GameEnv(game, render_mode)
