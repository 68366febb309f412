"""What a run's curves are drawn over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playmill.runs.steps import Step

MILLION = 1e6


@dataclass(frozen=True)
class Axis:
    """What an iteration's place is, and what a chart's title says of it."""

    name: str
    ending: str
    place: Callable[[Step], float]


ITERATIONS = Axis("iteration", "over iterations", lambda step: step.number)
TIME = Axis("minutes of work", "over time", lambda step: step.minutes)
COMPUTE = Axis("million evaluations in self-play", "against compute", lambda step: step.evaluations / MILLION)
