"""Settings of training on recorded games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from playmill.core.documents import fit
from playmill.train.settings import MAX_BATCH, LearningSettings


class DiplomacyTrainSettings(LearningSettings):
    """How a candidate learns from recorded games."""

    # With some twenty units a position, a step of 128 learns 2,500 orders.
    batch_size: int = Field(128, ge=1, le=MAX_BATCH, description="Positions a step.")
    window_shards: int | None = Field(None, ge=1, description="Train on the newest so many files of games; default: all.")
    validation: float = Field(0.1, ge=0, lt=1, description="Share of games that are only looked at.")


def make_train_settings(fields: Mapping[str, Any]) -> DiplomacyTrainSettings:
    """The settings that these fields make, or one line about the first that is wrong."""
    return fit(DiplomacyTrainSettings, "train", fields)
