"""What a server or a client counts while it works: plain numbers, cheap to add to, made into figures when somebody asks."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

US = 1e6
STEPS = 4  # buckets for each doubling
SLOWEST_US = 1 << 27  # two minutes


@dataclass
class LatencyHistogram:
    """How long answers took, in buckets that grow by a fourth root of two."""

    counts: Counter[int] = field(default_factory=Counter)
    total_s: float = 0.0

    def add(self, seconds: float) -> None:
        us = min(max(seconds * US, 1.0), SLOWEST_US)
        self.counts[math.ceil(STEPS * math.log2(us))] += 1
        self.total_s += seconds

    def merge(self, other: LatencyHistogram) -> None:
        self.counts.update(other.counts)
        self.total_s += other.total_s

    def percentile_us(self, share: float) -> float | None:
        """The upper bound of the bucket that the nearest rank falls into; None before the first answer."""
        rank, seen = math.ceil(share * self.counts.total()), 0
        for bucket in sorted(self.counts):
            seen += self.counts[bucket]
            if seen >= rank:
                return bound_us(bucket)
        return None

    def facts(self) -> dict[str, float | None]:
        return {"p50": self.percentile_us(0.5), "p99": self.percentile_us(0.99)}


def bound_us(bucket: int) -> float:
    """The longest time of a bucket."""
    return float(2 ** (bucket / STEPS))


@dataclass
class ModelTally:
    """Of one model."""

    evaluations: int = 0
    batches: int = 0
    reloads: int = 0
    generation: int = 0


@dataclass
class ServerTally:
    """Of one server, since it began."""

    models: dict[str, ModelTally] = field(default_factory=dict)
    batch_rows: Counter[int] = field(default_factory=Counter)
    latency: LatencyHistogram = field(default_factory=LatencyHistogram)
    refusals: Counter[str] = field(default_factory=Counter)
    dropped_requests: int = 0
    queue_rows: int = 0
    clients: int = 0

    def model(self, name: str) -> ModelTally:
        return self.models.setdefault(name, ModelTally())

    def add_batch(self, name: str, rows: int) -> None:
        model = self.model(name)
        model.evaluations += rows
        model.batches += 1
        self.batch_rows[rows] += 1

    def median_batch(self) -> int | None:
        """Half of the batches had at most so many rows."""
        half, seen = self.batch_rows.total() / 2, 0
        for rows in sorted(self.batch_rows):
            seen += self.batch_rows[rows]
            if seen >= half:
                return rows
        return None

    def facts(self) -> dict[str, Any]:
        """For `serve-control status`."""
        return {
            "evaluations": sum(model.evaluations for model in self.models.values()),
            "batches": self.batch_rows.total(),
            "median_batch": self.median_batch(),
            "queue_rows": self.queue_rows,
            "clients": self.clients,
            "latency_us": self.latency.facts(),
            "reloads": sum(model.reloads for model in self.models.values()),
            "refusals": dict(self.refusals),
            "dropped_requests": self.dropped_requests,
        }
