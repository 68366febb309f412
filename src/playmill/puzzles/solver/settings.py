"""Settings of the local solver."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

KoPolicy = Literal["loss", "attacker", "defender"]


class SolverSettings(BaseModel):
    """How far the solver goes, who wins a ko, and which walls are trusted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    ko: KoPolicy = Field(
        "loss",
        description="Who wins a ko: nobody who needs one (loss: the status is then 'ko'), the attacker, or the defender.",
    )
    ko_threats: int = Field(
        3, ge=0, le=15, description="How often a side may take a ko back at once against one that must do without ko."
    )
    wall_liberties: int = Field(
        4,
        ge=0,
        le=400,
        description="Liberties outside from which an enclosing chain with room there is taken for safe; 0 trusts them all.",
    )
    max_nodes: int = Field(5_000_000, ge=1, le=10**12, description="Positions to look at for one problem, in all.")
    max_empty: int = Field(24, ge=1, le=64, description="Empty points that can be reached from the marked chains, at most.")
    table_mib: int = Field(64, ge=1, le=65_536, description="Memory of the transposition table, for each thread, in MiB.")
