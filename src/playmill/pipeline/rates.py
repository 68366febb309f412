"""What self-play's counters say, as rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# What self-play tells besides counts while it is under way; the last: rows that servers have not answered yet.
LIVE = ("simulations_s", "batch_fill", "rows_out")


@dataclass(frozen=True)
class SearchRates:
    """Each None where nothing was counted."""

    simulations_s: float | None
    fallback_rate: float | None
    collision_rate: float | None
    batch_fill: float | None


def search_rates(stats: Mapping[str, int], seconds: float) -> SearchRates:
    """Of searches that took so many seconds together. A simulation is a descent that came back with a value."""
    simulations = sum(stats.get(name, 0) for name in ("evaluations", "cache_hits", "terminals")) if "cache_hits" in stats else 0
    collisions = stats.get("collisions", 0)
    return SearchRates(
        simulations_s=_ratio(simulations, seconds),
        fallback_rate=None if not stats.get("decisions") else stats.get("fallbacks", 0) / stats["decisions"],
        collision_rate=collisions / (simulations + collisions) if simulations else None,
        batch_fill=_ratio(stats.get("batch_rows", 0), stats.get("batch_room", 0)),
    )


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if part and whole else None
