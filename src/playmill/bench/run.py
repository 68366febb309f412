"""One benchmark, run: the object that becomes its JSON line."""

from __future__ import annotations

from typing import Any

from playmill.bench.machine import machine_facts
from playmill.bench.registry import Benchmark, Setup
from playmill.core.commit import source_commit

DIGITS = 5  # more would be noise


def run_benchmark(benchmark: Benchmark, setup: Setup) -> dict[str, Any]:
    """The result's line, field by field in `docs/formats.md`; `against` is there only if peers were measured."""
    measured = benchmark.measure(setup)
    line = {"name": benchmark.name, "rate": measured.rate, "unit": benchmark.unit, "facts": measured.facts}
    if measured.against:
        line["against"] = measured.against
    return {**_rounded(line), "machine": machine_facts(), "commit": source_commit()}


def _rounded(value: Any) -> Any:
    """The value with every float in it cut to DIGITS significant digits."""
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
