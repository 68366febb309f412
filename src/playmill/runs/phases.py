"""What a run's controller asks of its phases: the engine's own, or those that a pack brings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from playmill.runs.entries import GateEntry, MeasureEntry, SelfPlayEntry, TrainEntry


@dataclass(frozen=True)
class Pruned:
    """What an iteration's end leaves of the replay: how many files of games there were, and which are no longer kept."""

    before: int
    removed: tuple[str, ...] = ()  # their names
    files: tuple[Path, ...] = ()  # all that goes, networks too, in the order in which it is to be deleted


class Phases(Protocol):
    """The work of the iteration that the manifest is in.

    A phase leaves its result on disk, enters its files in the manifest and returns its own entry; the controller saves both.
    All may be asked again after a kill: they go on from what is there, or repeat it to the same bytes.
    """

    opener: Any  # what opens its networks at servers; None where they answer in its own threads

    @property
    def names(self) -> tuple[str, ...]:
        """The phases that this run has, of `PHASES`, in order."""

    def restore(self) -> None:
        """Before anything else: make what a new run begins with, and make good what was lost of an older one."""

    def selfplay(self) -> SelfPlayEntry:
        """Play the iteration's games."""

    def train(self) -> TrainEntry:
        """Train the candidate."""

    def gate(self) -> GateEntry:
        """Let the candidate play the best, and enter it as the best if it is promoted; copies follow the manifest."""

    def is_measured(self) -> bool:
        """Whether this iteration has a measurement."""

    def measure(self) -> MeasureEntry:
        """Measure the best and the candidate by something outside the run."""

    def prune(self) -> Pruned:
        """What is no longer kept once this iteration is over; nothing is deleted yet."""

    def close(self) -> None:
        """Give back what was held for the run, such as a server of its own; however the run ends."""
