"""Settings of the network kind `seats`."""

from __future__ import annotations

from pydantic import Field

from playmill.core.settings import Settings
from playmill.nets.spec import MAX_BLOCKS, MAX_WIDTH, NetSpec

SEATS = "seats"


class SeatsSettings(Settings):
    """The tower that sees one seat's board."""

    tower: int = Field(
        128,
        ge=16,
        le=MAX_WIDTH,
        multiple_of=16,
        description="Width of the tower that tells a seat's points to come from its board.",
    )
    tower_blocks: int = Field(2, ge=0, le=MAX_BLOCKS, description="Residual blocks of that tower.")
    hand: bool = Field(
        False, description="Whether the tower also sees what the seat to move has in hand; its values then know it."
    )


def seats_of(spec: NetSpec) -> SeatsSettings:
    """The section of a network of this kind."""
    found = spec.section()
    assert isinstance(found, SeatsSettings)
    return found
