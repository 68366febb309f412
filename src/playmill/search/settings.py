"""Settings of the search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from playmill.core.sections import KindSettings
from playmill.core.settings import OneOf, Settings
from playmill.search.kinds import SEARCHES

MAX_BUDGET = 10**6  # simulations; each has its place in the tree
MAX_INFLIGHT = 1 << 12


class PuctSettings(Settings):
    """Arena PUCT."""

    renamed: ClassVar[Mapping[str, str]] = {"policy_softness": "improvement_temperature"}

    budget: int = Field(48, ge=1, le=MAX_BUDGET, description="Simulations a decision.")
    budget_second: int | None = Field(
        None,
        ge=1,
        le=MAX_BUDGET,
        description="Simulations for the game's second kind of decision; default: as the first.",
    )
    selection: Literal["puct", "gumbel"] = Field(
        "puct",
        description="puct: the policy is the shares of visits. gumbel: sequential halving at the root, a policy improved by"
        " completed values; better with few simulations and many actions. It has noise of its own and begins each tree anew.",
    )
    considered: int = Field(16, ge=1, le=MAX_BUDGET, description="gumbel: actions that the root begins with.")
    c_visit: float = Field(50.0, ge=0, description="gumbel: visits that values count for before there are any.")
    c_scale: float = Field(1.0, gt=0, description="gumbel: weight of the values against the prior, for each visit.")
    c_puct: float = Field(1.5, gt=0, description="puct: weight of the prior against the values seen.")
    inflight: int = Field(
        4, ge=1, le=MAX_INFLIGHT, description="Leaves of one game out for evaluation at a time; 1 is plain sequential search."
    )
    dirichlet_alpha: float = Field(0.5, gt=0, description="Concentration of the root noise.")
    dirichlet_epsilon: float = Field(0.25, ge=0, le=1, description="Share of noise in the root's priors, in self-play only.")
    reuse: bool = Field(True, description="Keep the part of the tree that the game went into.")
    margin_weight: float = Field(
        0.0, ge=0, le=1, description="Share of the margin head in a leaf's value; the rest is the win head."
    )

    try_all: bool = Field(
        False, description="Try every action of the root once, those with the highest prior first, before the rule chooses."
    )
    points_scale: float | None = Field(
        None,
        gt=0,
        description="Play for points, with a network that has togo: a value is the expected lead at the end, in units of so"
        " many points (more than a lead can be); c_puct and improvement_temperature count in them. None: for the win.",
    )
    afterstates: bool = Field(
        False,
        description="Where chance follows an action, ask the network about the position before chance: a value without luck.",
    )
    luck: float = Field(
        1.0,
        ge=0,
        le=1,
        description="afterstates: share of the imagined luck (network's value after chance less that before) left in values.",
    )
    improvement_temperature: float | None = Field(
        None,
        gt=0,
        description="The policy is prior * exp(value / this), its expectation the position's value; None: shares of visits.",
    )

    @property
    def budgets(self) -> tuple[int, int]:
        """Simulations by kind of decision."""
        return self.budget, self.budget_second or self.budget


class SearchSettings(KindSettings):
    """Which search, and its settings. A search other than PUCT may have a section of its own, by its name."""

    kinds = SEARCHES

    kind: Annotated[str, OneOf(SEARCHES)] = Field(
        "puct", description="puct works for every game, one_ply for games that list their outcomes; others come with a game."
    )
    puct: PuctSettings = Field(PuctSettings(), description="Arena PUCT.")

    def is_like(self, other: SearchSettings) -> bool:
        """Whether both search in the same way; sections of kinds that are not chosen say nothing."""
        return self.kind == other.kind and getattr(self, self.kind, None) == getattr(other, other.kind, None)


class Temperature(Settings):
    """How freely a move is drawn from the policy, as the game goes on; never part of what is learned."""

    kind: Literal["constant", "step", "linear", "exponential"] = Field("constant", description="The shape of the schedule.")
    start: float = Field(1.0, ge=0, description="Temperature at ply 0; 0 plays the best move.")
    end: float = Field(0.0, ge=0, description="Where a step, linear or exponential schedule leads.")
    plies: int = Field(30, ge=1, description="step: plies at `start`; linear: plies until `end`; exponential: the half-life.")

    def is_like(self, other: Temperature) -> bool:
        """Whether both give every ply the same temperature; what a constant one leads to says nothing."""
        return self == other or (self.kind == other.kind == "constant" and self.start == other.start)

    def at(self, ply: int) -> float:
        """The temperature of the move at `ply`."""
        if self.kind == "constant":
            return self.start
        if self.kind == "step":
            return self.start if ply < self.plies else self.end
        if self.kind == "linear":
            return self.start + (self.end - self.start) * min(ply / self.plies, 1.0)
        return self.end + (self.start - self.end) * float(0.5 ** (ply / self.plies))
