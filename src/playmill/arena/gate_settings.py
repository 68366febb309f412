"""Settings of the gate."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from playmill.core.settings import Settings

MAX_SEEDS = 10**7  # of a set


class GateSettings(Settings):
    """How a candidate earns its place: games against the best, and what they must show."""

    games: int = Field(
        400,
        ge=4,
        le=2 * MAX_SEEDS,
        multiple_of=2,
        description="Games, half of them in each seat; a sequential gate may need fewer.",
    )
    paired: bool = Field(
        True,
        description="Play each seed twice, seats exchanged, so that luck and the first move cancel; else a seed a game.",
    )
    threshold: float = Field(
        0.55, gt=0, lt=1, description="The win rate, draws half, that promotes; a sequential gate has its own."
    )
    strict: bool = Field(False, description="Promote only above the threshold, not at it.")
    luck_reduced: bool = Field(False, description="Judge by the win rate without luck, where the game's pack knows luck.")
    sequential: bool = Field(
        False, description="Stop as soon as the sequential test knows; undecided after all games: no promotion."
    )
    score0: float = Field(0.5, gt=0, lt=1, description="Sequential: a candidate with this mean score or less should fail.")
    score1: float = Field(0.55, gt=0, lt=1, description="Sequential: a candidate with this mean score or more should pass.")
    alpha: float = Field(0.05, gt=0, lt=0.5, description="Sequential: the chance that a candidate at score0 passes.")
    beta: float = Field(0.05, gt=0, lt=0.5, description="Sequential: the chance that a candidate at score1 fails.")
    look_pairs: int = Field(32, ge=8, description="Sequential: pairs between two looks at the test; threads share them.")
    guardrail_points: float | None = Field(
        None,
        ge=0,
        description="No promotion if the candidate's points, luck removed, are worse by more than this; none: any.",
    )
    temperature: float = Field(
        0.0, ge=0, description="How freely moves are drawn from the policy, on both sides; 0 plays the best move."
    )
    seed_set: str | None = Field(None, description="A file of seeds to play on; none: seeds that follow from the run's.")
    opening_plies: int | None = Field(
        None,
        ge=0,
        description="Random first moves, the same in both games of a pair; none: 2 to 4 where a game has no chance, by how "
        "many openings the games need, else 0.",
    )
    keep_seeds: bool = Field(False, description="Whether the report lists the result of every seed.")

    @property
    def seeds_needed(self) -> int:
        """How many episodes the games are played on."""
        return self.games // 2 if self.paired else self.games

    @model_validator(mode="after")
    def _scores_in_order(self) -> Self:
        if self.score0 >= self.score1:
            raise ValueError(f"score0 must be below score1, got {self.score0} and {self.score1}")
        return self
