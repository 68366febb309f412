"""Settings of the one-ply search."""

from __future__ import annotations

from pydantic import Field

from playmill.core.settings import Settings


class OnePlySettings(Settings):
    """One ply, exactly: every outcome of every action, judged by the network."""

    temperature: float = Field(
        0.1,
        gt=0,
        description="Utility that makes an action e times as likely in the policy target; the best one stays the likeliest.",
    )
