"""Settings of the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playmill.core.errors import UsageError


class DiplomacySpec(BaseModel):
    """The network's size. 64 x 4 answers some 3,000 positions a second on one CPU core."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    channels: int = Field(64, ge=16, multiple_of=16, description="Numbers that a location carries from layer to layer.")
    blocks: int = Field(4, ge=1, description="Residual layers over the map; news travels one border further in each.")
    rank: int = Field(16, ge=16, multiple_of=16, description="Numbers that each side of a pair of locations is compared by.")
    hidden: int = Field(64, ge=16, multiple_of=16, description="Width of the layer before the values.")


def make_spec(fields: Mapping[str, Any]) -> DiplomacySpec:
    """The spec that these fields make, or one line about the first that is wrong."""
    try:
        return DiplomacySpec.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(["net", *map(str, first["loc"])])
        raise UsageError(f"{where}: {first['msg'][0].lower() + first['msg'][1:]}, got {first['input']!r}") from None
