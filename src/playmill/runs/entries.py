"""What each phase of an iteration came to, as `run.json` keeps it and events tell it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

BEST, OPPONENT = "best", "opponent"  # a network's players in `SelfPlayEntry.results`, and in shards


class _Plain(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(_Plain):
    """What every phase has."""

    seconds: float = Field(0.0, ge=0, description="By the clock, of the process that finished the phase.")


class OpponentEntry(_Plain):
    """Who else sat in the games."""

    model: str = Field(description="SHA-256 of its weights.")
    backend: str = Field(description="What ran its network.")


class PlayerEntry(_Plain):
    """How one player fared against the others; where it had all seats, every seat counts."""

    games: int = Field(
        ge=0,
        description="Of best and opponent: games in which they met, or in which the best had all seats, if there was no other;"
        " of a bot: games in which it sat.",
    )
    wins: int = Field(ge=0, description="Its seats with the highest utility of all.")
    losses: int = Field(ge=0, description="Its seats with less than the highest.")
    draws: int = Field(ge=0, description="Its seats that share the highest with others.")
    mean_plies: float = Field(ge=0, description="Mean length of these games.")

    @property
    def shares(self) -> tuple[float, float, float]:
        """Wins, losses and draws as shares of its seats."""
        seats = max(self.wins + self.losses + self.draws, 1)
        return self.wins / seats, self.losses / seats, self.draws / seats


class SelfPlayEntry(Entry):
    """An iteration's games. From `played` on: what that process played; games that it found took it no time."""

    model: str | None = Field(description="SHA-256 of the weights that played; null: no network did.")
    games: int = Field(ge=0, description="Games of the iteration.")
    samples: int = Field(ge=0, description="Positions to learn from.")
    backend: str | None = Field(None, description="What ran the network.")
    opponent: OpponentEntry | None = Field(None, description="The other player, where there was one.")
    bot: str | None = Field(None, description="The bot that played instead of a network: a bootstrap.")
    results: dict[str, PlayerEntry] = Field(
        default_factory=dict,
        description="By player, `best`, `opponent` and a bot by its name: how it fared in all the iteration's games.",
    )
    policy_entropy: float | None = Field(None, description="Mean over the stored policies, in nats.")
    top_probability: float | None = Field(None, description="Mean of the stored policies' highest probability.")
    played: int = Field(ge=0, description="Games.")
    games_s: float | None = Field(None, description="Games a second; null if none was played.")
    simulations_s: float | None = Field(None, description="Simulations a second, all threads; null where a search has none.")
    fallback_rate: float | None = Field(None, description="Decisions whose policy was made even, as nothing else was known.")
    collision_rate: float | None = Field(None, description="Descents that met a leaf already under evaluation.")
    batch_fill: float | None = Field(None, description="Rows asked for, of those that the evaluator's batches had room for.")
    stats: dict[str, int] = Field(default_factory=dict, description="What the searches counted.")
    details: dict[str, Any] = Field(default_factory=dict, description="What only this game's phases tell.")

    @property
    def results_of_best(self) -> PlayerEntry | None:
        """How the best fared against its opponent, where it had one."""
        return self.results.get(BEST) if OPPONENT in self.results else None

    @property
    def results_of_bots(self) -> dict[str, PlayerEntry]:
        """Of the bots that players of a network met."""
        return {name: result for name, result in self.results.items() if not self.bot and name not in (BEST, OPPONENT)}


class TrainEntry(Entry):
    """The candidate's training."""

    steps: int = Field(ge=0, description="Optimizer steps.")
    samples: int = Field(ge=0, description="In the snapshot.")
    snapshot: tuple[str, ...] = Field(description="Names of the files that were trained on, in order.")
    snapshot_hash: str = Field(description="SHA-256 over their names and checksums.")
    weights_sha256: str = Field(description="Of the candidate.")
    samples_s: float = Field(ge=0, description="Samples a second; 0 if all steps had been made before.")
    losses: dict[str, float] = Field(description="Means of the last logged steps, by name; `total` is their weighted sum.")
    details: dict[str, Any] = Field(default_factory=dict, description="What only this game's phases tell.")


class PointsEntry(_Plain):
    """A mean over independent trials, its standard error, and its 95 % interval; one trial has neither."""

    trials: int
    mean: float
    se: float | None
    low: float | None
    high: float | None


class GateEntry(Entry):
    """The candidate against the best."""

    games: int = Field(ge=0, description="Games played.")
    wins: int = Field(ge=0, description="Of the candidate, in the games that count.")
    losses: int = Field(ge=0, description="Likewise.")
    draws: int = Field(ge=0, description="Likewise.")
    win_rate: float = Field(description="A draw is half a win; of more than two players: the mean share of the outcome.")
    interval: tuple[float, float] | None = Field(description="Around the win rate, 95 %: Wilson's, or over rotations of seats.")
    even: float = Field(0.5, description="The win rate of an equal player.")
    points: PointsEntry | None = Field(None, description="The candidate's less the best's; null where a game has no points.")
    promote: bool = Field(description="Whether the candidate became the best.")
    reason: str = Field(description="Why, in words.")
    seed_set: str = Field(description="The name of the seeds that it was played on.")
    seeds_hash: str = Field(description="SHA-256 over these seeds, in order.")
    details: dict[str, Any] = Field(default_factory=dict, description="What the game's own measures say of both bots.")


class MeasureEntry(Entry):
    """The bots against something outside the run, all on the same seeds."""

    games: int = Field(ge=0, description="Games of each bot.")
    seed: int = Field(ge=0, description="That the games' seeds follow from.")
    models: dict[str, str] = Field(description="SHA-256 of the weights of `best` and `candidate`.")
    results: dict[str, dict[str, dict[str, Any]]] = Field(description="By measure and bot: the measure's own fields.")


PhaseEntry = SelfPlayEntry | TrainEntry | GateEntry | MeasureEntry
