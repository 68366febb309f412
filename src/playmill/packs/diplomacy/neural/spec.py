"""Settings of the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field, model_validator

from playmill.core.documents import fit
from playmill.core.settings import Settings, require_weights
from playmill.nets.spec import MAX_BLOCKS, MAX_WIDTH


class DiplomacySpec(Settings):
    """The network's size. 64 x 4 answers some 3,000 positions a second on one CPU core."""

    channels: int = Field(
        64, ge=16, le=MAX_WIDTH, multiple_of=16, description="Numbers that a location carries from layer to layer."
    )
    blocks: int = Field(
        4, ge=1, le=MAX_BLOCKS, description="Residual layers over the map; news travels one border further in each."
    )
    rank: int = Field(
        16, ge=16, le=MAX_WIDTH, multiple_of=16, description="Numbers that each side of a pair of locations is compared by."
    )
    hidden: int = Field(64, ge=16, le=MAX_WIDTH, multiple_of=16, description="Width of the layer before the values.")

    @model_validator(mode="after")
    def _fits_memory(self) -> Self:
        require_weights(2 * self.blocks * self.channels**2)
        return self


def make_spec(fields: Mapping[str, Any]) -> DiplomacySpec:
    """The spec that these fields make, or one line about the first that is wrong."""
    return fit(DiplomacySpec, "net", fields)
