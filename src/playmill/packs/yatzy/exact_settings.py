"""Settings of the exact turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from playmill.core.settings import Settings
from playmill.games.yatzy.rules import TURNS


class ExactTurnSettings(Settings):
    """Exact solution of a turn over the network's values of its ends."""

    renamed: ClassVar[Mapping[str, str]] = {"points_softness": "points_temperature", "win_softness": "win_temperature"}

    win_from_turn: int = Field(
        TURNS, ge=0, le=TURNS, description="From this turn on play for the win, before it for points; 30: points only."
    )
    points_temperature: float = Field(
        1.0, gt=0, description="Points that make an action e times as likely in the policy target."
    )
    win_temperature: float = Field(0.02, gt=0, description="The same for turns that are played for the win, in units of z.")
