"""The base of all settings: the same checks for a YAML file, an option and a call from Python."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator

from playmill.core.errors import LARGEST

MAX_WEIGHTS = 1 << 29  # of a network: 2 GiB, four times that while it is trained
WEIGHT_BYTES, GIB = 4, 1 << 30


class Settings(BaseModel):
    """Frozen, without unknown keys; `true` and "1" are no numbers, nor are infinity and NaN, and counts have an end."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _no_endless_count(cls, value: Any, info: ValidationInfo) -> Any:
        """Seeds are words of 64 bits and say so themselves; whatever else is counted must fit everywhere it goes."""
        if type(value) is int and info.field_name != "seed" and abs(value) > LARGEST:
            raise ValueError(f"expected at most {LARGEST:,}")
        return value


def require_weights(count: int) -> None:
    """Refuse a network's size in terms of the memory that its weights would take."""
    if count > MAX_WEIGHTS:
        size = count * WEIGHT_BYTES / GIB
        raise ValueError(f"{count:,} weights would take {size:,.1f} GiB, four times that in training; at most {MAX_WEIGHTS:,}")
