"""Settings of self-play."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from playmill.search.settings import Temperature


class SelfPlaySettings(BaseModel):
    """How many games an iteration plays, and how."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: int = Field(2000, ge=1, description="Games an iteration.")
    shard_games: int = Field(500, ge=1, description="Games a shard; a shard is what one thread plays and what a kill can cost.")
    slots: int = Field(
        64, ge=1, description="Games that one thread advances in lockstep: on a CPU, as many as keep their trees in the cache."
    )
    temperature: Temperature = Field(Temperature(), description="How freely moves are drawn from the search's policy.")
    margin_scale: float = Field(50.0, gt=0, description="Points of difference that make the margin target tanh(1).")
    policy_share: float = Field(1.0, ge=0, le=1, description="Share of the decisions whose policy is stored as a sample.")
    root_log_share: float = Field(0.002, ge=0, le=1, description="Share of the decisions that are logged in mcts_roots.ndjson.")
