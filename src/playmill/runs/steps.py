"""The iterations of a run as reports and pages see them: each with the work that had gone before."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.runs.entries import Entry
from playmill.runs.folder import PHASES, Iteration, Manifest

MINUTE_S = 60.0


@dataclass(frozen=True)
class Step:
    """One iteration, counted from 1, with all that had been worked up to its end; stops in between are left out."""

    number: int
    minutes: float
    evaluations: float  # positions that networks answered in self-play
    entry: Iteration


def steps_of(manifest: Manifest) -> list[Step]:
    """All of them."""
    steps, seconds, evaluations = [], 0.0, 0.0
    for entry in manifest.iterations:
        seconds += sum(seconds_of(entry, phase) for phase in PHASES)
        evaluations += entry.selfplay.stats.get("evaluations", 0) if entry.selfplay else 0
        steps.append(Step(entry.number + 1, seconds / MINUTE_S, evaluations, entry))
    return steps


def seconds_of(entry: Iteration, phase: str) -> float:
    """What a phase took."""
    found: Entry | None = getattr(entry, phase)
    return found.seconds if found else 0.0


def loss_of(name: str, entry: Iteration) -> float | None:
    """None where nothing was learned: a bootstrap has no policies, so their loss is 0 and the total another sum."""
    losses = entry.train.losses if entry.train else {}
    is_part = name == "total" and not all(losses.values())
    return None if is_part else losses.get(name) or None


RESULT_COLUMNS = ("games", "samples", "loss", "gate", "interval", "promoted")


def result_cells(entry: Iteration) -> list[str]:
    """What came of an iteration, a cell for each of RESULT_COLUMNS; empty where its phase is still to come."""
    selfplay, train, gate = entry.selfplay, entry.train, entry.gate
    return [
        f"{selfplay.games:,}" if selfplay else "",
        f"{selfplay.samples:,}" if selfplay else "",
        f"{train.losses['total']:.4f}" if train and "total" in train.losses else "",
        f"{gate.win_rate:.1%}" if gate else "",
        f"{gate.interval[0]:.0%} to {gate.interval[1]:.0%}" if gate and gate.interval else "",
        ("yes" if gate.promote else "no") if gate else "",
    ]


def duration(minutes: float) -> str:
    """As people say it."""
    if minutes < 1:
        return f"{minutes * MINUTE_S:.0f} s"
    return f"{minutes:.1f} min" if minutes < 120 else f"{minutes / 60:.1f} h"
