"""How hard a puzzle is, from 0 to 100: a weighted mean of parts, each from 0, easy, to 1, hard.

A part that nobody measured, such as the engine's prior of a puzzle that the solver found alone, is left out of the mean; it is
not guessed. The score's rank is `puzzle.rank_of`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import Field, model_validator

from playmill.core.errors import UsageError
from playmill.core.settings import Settings
from playmill.puzzles.puzzle import rank_of

DECIMALS = 2  # of a score: more would tell puzzles apart that nobody can
PART_DECIMALS = 4
TINY = 1e-9  # for logarithms of what may be 0
MEASUREMENTS = {
    "depth": "depth", "breadth": "tree_nodes", "choices": "legal_first_moves", "temptation": "wrong_moves_refuted",
    "effort": "nodes", "visits": "visits_to_find", "hiddenness": "prior", "subtlety": "score_swing",
}  # fmt: skip
BY_FACTORS = {"breadth", "choices", "effort", "visits", "hiddenness"}


@dataclass(frozen=True)
class Evidence:
    """What the grader sees: plies of the main line, moves of the tree, and what finding the right move took."""

    depth: int
    tree_nodes: int
    legal_first_moves: int
    wrong_moves_refuted: int
    nodes: int | None = None
    visits_to_find: int | None = None
    prior: float | None = None
    score_swing: float | None = None


@dataclass(frozen=True)
class Grade:
    """The score from 0 to 100, and the parts that it is made of."""

    score: float
    parts: dict[str, float]

    @property
    def rank(self) -> str:
        return rank_of(self.score)


class Weights(Settings):
    """How much each part counts; the mean is over the parts that are there."""

    depth: float = Field(3.0, ge=0, description="Plies of the main line.")
    breadth: float = Field(2.0, ge=0, description="Moves of the solution tree.")
    choices: float = Field(1.0, ge=0, description="Legal first moves.")
    temptation: float = Field(2.0, ge=0, description="Plausible first moves that are wrong.")
    effort: float = Field(3.0, ge=0, description="Nodes that the solver looked at.")
    visits: float = Field(3.0, ge=0, description="Visits after which an engine preferred the right move.")
    hiddenness: float = Field(3.0, ge=0, description="How small the engine's policy prior of the right move was.")
    subtlety: float = Field(1.0, ge=0, description="How little the right move gains over the next best, in points.")


class Scale(Settings):
    """The measurement at which a part is 0, and the one at which it is 1; the hard one may be the smaller."""

    easy: float = Field(ge=0, description="What nobody finds hard.")
    hard: float = Field(ge=0, description="What is as hard as it gets.")

    @model_validator(mode="after")
    def _has_ends(self) -> Scale:
        if self.easy == self.hard:
            raise ValueError(f"expected easy and hard to differ, got {self.easy:g} twice")
        return self


class GradingSettings(Settings):
    """The weights, and for each part the measurements from easy to hard."""

    weights: Weights = Field(Weights(), description="How much each part counts.")
    depth: Scale = Field(Scale(easy=1, hard=15), description="Plies of the main line.")
    breadth: Scale = Field(Scale(easy=8, hard=200), description="Moves of the solution tree, by factors.")
    choices: Scale = Field(Scale(easy=3, hard=30), description="Legal first moves, by factors.")
    temptation: Scale = Field(Scale(easy=0, hard=10), description="Plausible first moves that are wrong.")
    effort: Scale = Field(Scale(easy=20, hard=1_000_000), description="Nodes of the solver, by factors.")
    visits: Scale = Field(
        Scale(easy=10, hard=50_000), description="Visits of an engine until it preferred the right move, by factors."
    )
    hiddenness: Scale = Field(
        Scale(easy=0.5, hard=0.001), description="The engine's policy prior of the right move, by factors."
    )
    subtlety: Scale = Field(Scale(easy=60, hard=0), description="Points that the right move gains.")


def grade(evidence: Evidence, settings: GradingSettings | None = None) -> Grade:
    """The grade of a puzzle; it depends on nothing but the evidence and the settings."""
    settings = settings or GradingSettings()
    measured = {name: getattr(evidence, field) for name, field in MEASUREMENTS.items()}
    parts = {name: _part(name, value, settings) for name, value in measured.items() if value is not None}
    weights = {name: getattr(settings.weights, name) for name in parts}
    total = sum(weights.values())
    if total == 0:
        raise UsageError(f"weights: expected one of {', '.join(parts)} above 0, as nothing else was measured")
    mean = sum(weights[name] * value for name, value in parts.items()) / total
    return Grade(round(100 * mean, DECIMALS), parts)


def _part(name: str, value: float, settings: GradingSettings) -> float:
    """How far a measurement is from easy to hard, cut to 0 and 1; what grows by factors goes by its logarithm."""
    scale: Scale = getattr(settings, name)
    value, easy, hard = abs(value), scale.easy, scale.hard
    if name in BY_FACTORS:
        value, easy, hard = (math.log(max(number, TINY)) for number in (value, easy, hard))
    return round(min(max((value - easy) / (hard - easy), 0.0), 1.0), PART_DECIMALS)
