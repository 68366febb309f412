"""Settings of self-play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field, field_validator

from playmill.core.settings import Settings
from playmill.search.settings import MAX_BUDGET, SearchSettings, Temperature
from playmill.selfplay.rewards import RewardSettings

MAX_LANES = 1 << 14  # games; each has a tree of its own


class OpponentSettings(Settings):
    """Another player in self-play's games: a teacher that searches more, or another network. Its decisions are samples, too."""

    share: float = Field(
        0.0, ge=0, le=1, description="Share of the games in which it has all seats but one, the best's; 0: there is none."
    )
    model: str | None = Field(None, description="Its checkpoint's file, which a run keeps; default: the best network itself.")
    budget: int | None = Field(
        None, ge=1, le=MAX_BUDGET, description="puct: its simulations a decision; default: as many as the best's."
    )
    search: SearchSettings | None = Field(
        None, description="Its search, as `search` has it, such as `kind: one_ply`, instead of `budget`; default: the best's."
    )
    temperature: Temperature | None = Field(
        None, description="As `selfplay.temperature`, or a number for all plies: 0 plays its best move; default: the best's."
    )

    @field_validator("temperature", mode="before")
    @classmethod
    def _read_number(cls, value: Any) -> Any:
        """A number is a temperature that stays."""
        return {"start": value} if type(value) in (int, float) else value


class SparringSettings(Settings):
    """Games of an iteration against a bot, which stays as it is while the network changes."""

    share: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Share of the games in which a bot has all seats but one; there sits the best or, where it would have met"
        " its opponent, the opponent. 0: none.",
    )
    bot: str = Field("random", description="Who it is: random, or a bot of the game's own, such as greedy.")


class BootstrapSettings(Settings):
    """A first iteration that a bot plays: its positions teach values, before the network plays itself."""

    games: int = Field(0, ge=0, description="Games of the run's first iteration, which the bot plays; 0: the network does.")
    bot: str = Field("random", description="Who has all seats: random, or a bot of the game's own, such as greedy.")
    policy: bool = Field(
        False, description="Whether its moves are taught as the policy, too; else a first search has one that nobody taught."
    )


class SelfPlaySettings(Settings):
    """How many games an iteration plays, and how."""

    games: int = Field(2000, ge=1, description="Games an iteration.")
    shard_games: int = Field(500, ge=1, description="Games a shard; what a kill costs are the shards that are not finished.")
    lanes: int = Field(
        128,
        ge=1,
        le=MAX_LANES,
        description="Games that one thread advances side by side: on a CPU, as many as keep their trees in the cache.",
    )
    temperature: Temperature = Field(Temperature(), description="How freely moves are drawn from the search's policy.")
    margin_scale: float = Field(50.0, gt=0, description="Points of difference that make the margin target tanh(1).")
    explore: float = Field(
        0.0, ge=0, le=1, description="Share of the moves that are drawn from all actions alike, whatever the search says."
    )
    td_lambda: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Lambda of TD(lambda): the share of what came later in the search's stored values, 0 the search alone,"
        " 1 the outcome. Never looks past a move that the policy thinks little of.",
    )
    td_lambda_half_life: int | None = Field(
        None,
        ge=1,
        description="Iterations after which `td_lambda` has halved: outcomes lift values fast, searches refine them.",
    )
    policy_share: float = Field(1.0, ge=0, le=1, description="Share of the decisions whose policy is stored as a sample.")
    opponent: OpponentSettings = Field(OpponentSettings(), description="Who else sits in the games.")
    sparring: SparringSettings = Field(SparringSettings(), description="Games against a bot, in every iteration.")
    bootstrap: BootstrapSettings = Field(
        BootstrapSettings(), description="A first iteration that a bot plays; it teaches values."
    )
    rewards: RewardSettings = Field(
        RewardSettings(),
        description="What a game's reward terms add to the outcomes that are learned; for games that have them.",
    )
    root_log_share: float = Field(0.002, ge=0, le=1, description="Share of the decisions that are logged in mcts_roots.ndjson.")

    renamed: ClassVar[Mapping[str, str]] = {
        "slots": "lanes", "lookahead": "td_lambda", "lookahead_half_life": "td_lambda_half_life",
    }  # fmt: skip

    def in_iteration(self, iteration: int) -> SelfPlaySettings:
        """The settings of one iteration, counted from 0; how many there are in all does not matter."""
        changes: dict[str, Any] = {}
        if self.is_bootstrap(iteration):
            changes |= {"opponent": OpponentSettings(), "sparring": SparringSettings()}
        if self.td_lambda_half_life is not None:
            changes["td_lambda"] = self.td_lambda * 0.5 ** (iteration / self.td_lambda_half_life)
        return self.model_copy(update=changes) if changes else self

    def is_bootstrap(self, iteration: int) -> bool:
        """Whether a bot plays the games of an iteration."""
        return iteration == 0 and self.bootstrap.games > 0

    @property
    def learners(self) -> int:
        """How many players a network has: the best, and its opponent where there is one. A bot to spar with comes after."""
        return 2 if self.opponent.share > 0 else 1

    def temperature_of(self, player: int) -> Temperature:
        """How freely a player's moves are drawn: 0 is the best, 1 its opponent."""
        return (self.opponent.temperature if player else None) or self.temperature
