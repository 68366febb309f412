"""The benchmarks by name. Each is a function that measures one thing:

    @benchmark("sim.connect_four", "games/s")
    def connect_four(setup: Setup) -> Measured:
        \"\"\"Random games of connect four on one core.\"\"\"

The docstring's first line is what lists show. Heavy imports stay inside the functions, so that listing is instant.
"""

from __future__ import annotations

import fnmatch
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from playmill.bench.peers.children import Peers
from playmill.core.errors import unknown_name

_HOMES = (
    "simulation",
    "rules",
    "baselines",
    "memory",
    "oracle",
    "solver",
    "diplomacy",
    "diplomacy_search",
    "diplomacy_neural",
    "search",
    "nets",
    "selfplay",
    "logging",
    "selfplay_cuda",
    "selfplay_reuse",
    "protocol",
    "serve",
    "executor",
    "train",
    "startup",
)
_BENCHMARKS: dict[str, Benchmark] = {}


@dataclass(frozen=True)
class Setup:
    """What a benchmark is given: how long to measure each side, and the peers that it may measure beside ours."""

    seconds: float
    peers: Peers


@dataclass(frozen=True)
class Measured:
    """What came out, in the benchmark's unit, with whatever explains it; `against` has a rate and a ratio for each peer."""

    rate: float
    facts: dict[str, Any] = field(default_factory=dict)
    against: dict[str, dict[str, Any]] = field(default_factory=dict)


Measure = Callable[[Setup], Measured]


@dataclass(frozen=True)
class Benchmark:
    """A named measurement; `title` is a line for lists."""

    name: str
    unit: str
    title: str
    measure: Measure


def benchmark(name: str, unit: str) -> Callable[[Measure], Measure]:
    """Register the function below under `name`; what it measures is given in `unit`."""

    def register(measure: Measure) -> Measure:
        title = (measure.__doc__ or "").partition("\n")[0]
        _BENCHMARKS[name] = Benchmark(name, unit, title, measure)
        return measure

    return register


def all_benchmarks() -> dict[str, Benchmark]:
    """Every benchmark by name, in the order in which they run."""
    homes = [importlib.import_module(f"playmill.bench.{home}").__name__ for home in _HOMES]
    # By home first: one that somebody imported before has registered early.
    return dict(sorted(_BENCHMARKS.items(), key=lambda item: homes.index(item[1].measure.__module__)))


def select(patterns: Sequence[str]) -> list[Benchmark]:
    """The benchmarks that the patterns name, each once; all of them for no pattern."""
    known = all_benchmarks()
    wanted = {name for pattern in patterns for name in _matching(pattern, known)}
    return [found for name, found in known.items() if name in wanted or not patterns]


def _matching(pattern: str, known: dict[str, Benchmark]) -> list[str]:
    """A whole name means itself; anything else is a glob, or the beginning of some names."""
    if pattern in known:
        return [pattern]
    found = [name for name in known if fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern)]
    if not found:
        raise unknown_name("benchmark", pattern, known)
    return found
