"""Everything that a self-play game depends on; each record carries a copy, and a file is only ever of one kind."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from playmill import __version__
from playmill.core.documents import fit
from playmill.core.errors import UsageError
from playmill.core.settings import Settings
from playmill.games.diplomacy.dfen import LAST_YEAR
from playmill.games.diplomacy.state import FIRST_YEAR, TO_WIN
from playmill.packs.diplomacy.search.budgets import Budget

POLISH_NODES = 1000  # a quarter of what a player takes in earnest: seven sets are polished a phase
BudgetKind = Literal["iterations", "nodes", "movetime"]


class SearchBudget(Settings):
    """How long a phase is thought about: one search for all powers where the player offers that."""

    kind: BudgetKind = Field("iterations", description="Iterations, nodes, or movetime in milliseconds.")
    amount: int = Field(200, ge=1, description="So many of them.")

    @property
    def is_reproducible(self) -> bool:
        """Whether the same seed gives the same games: not if a clock decides."""
        return self.kind != "movetime"

    def as_budget(self) -> Budget:
        """What a player is given."""
        limits: dict[str, Any] = {"movetime_ms" if self.kind == "movetime" else self.kind: self.amount}
        return Budget(**limits)

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}" + (" ms" if self.kind == "movetime" else "")


class GameCourse(Settings):
    """How a game goes, whoever plays it."""

    budget: SearchBudget = Field(SearchBudget(), description="How long a phase is thought about.")
    max_year: int = Field(1920, ge=FIRST_YEAR, lt=LAST_YEAR, description="The last year; then it is a draw.")
    temperature: float = Field(1.0, ge=0, description="Chance of a random order set in 1901.")
    decay: float = Field(0.8, ge=0, le=1, description="What that chance is multiplied by each year.")
    min_stalemate_year: int = Field(1905, ge=FIRST_YEAR, description="A stalemate before it: the game is left out.")
    domination_centres: int = Field(14, ge=1, le=TO_WIN, description="So many centres of one power ...")
    domination_year: int = Field(1905, ge=FIRST_YEAR, description="... before this year: the game is left out.")

    def random_chance(self, year: int) -> float:
        """How likely a power's orders of a year's movement phase are random ones."""
        return min(1.0, self.temperature * self.decay ** (year - FIRST_YEAR))


class DiplomacyGameSettings(GameCourse):
    """A game's settings. How many games there are and how many threads play them is no part of it."""

    version: str = Field(__version__, description="Of playmill: another one may play otherwise.")
    seed: int = Field(0, ge=0, lt=1 << 64, description="The run's: same seed, same games.")
    player: str = Field("auto", description="Kind of player; auto goes by strength.")
    model: str | None = Field(None, description="Hash of the network that guides the search; none: heuristics do.")
    strength: int = Field(100, ge=0, le=100, description="Of the players; scales what a search looks at.")
    polish_nodes: int = Field(
        POLISH_NODES, ge=0, description="RM+: what polishing a power's set may take; 0: sets are played as they were drawn."
    )
    rules: Literal["2.x", "3.x"] = Field("3.x", description="Of the DATC, where its versions differ.")

    def as_json(self) -> dict[str, Any]:
        """The settings as a record holds them."""
        return self.model_dump(mode="json")


def make_settings(**values: Any) -> DiplomacyGameSettings:
    """The settings with these values; an error names the one that won't do."""
    return fit(DiplomacyGameSettings, "selfplay", values)


def require_same(where: str, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse to go on with games that were made otherwise, naming the first setting that differs."""
    for name in [*wanted, *(name for name in found if name not in wanted)]:
        if found.get(name) != wanted.get(name):
            raise UsageError(
                f"{where}: made with {name} {_text(found.get(name))}, now asked for {_text(wanted.get(name))}; "
                "ask for the same, or choose a new output file"
            )


def _text(value: Any) -> str:
    """A setting as one would type it."""
    if isinstance(value, dict):
        return " ".join(str(part) for part in value.values())
    return "none" if value is None else str(value)
