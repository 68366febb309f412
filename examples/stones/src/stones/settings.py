"""Settings of the network kind `stones_mlp`: a section of its own below `net`."""

from pydantic import Field

from playmill.core.settings import Settings


class StonesNetSettings(Settings):
    """The layer that tells the moves left."""

    moves_width: int = Field(16, ge=16, le=1024, multiple_of=16, description="Width of the layer before the moves left.")
