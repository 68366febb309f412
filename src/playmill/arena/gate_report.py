"""What a gate found, as `gate_report.json` keeps it: no clock and no thread in it, so the same gate is the same file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from playmill.arena.appraisal import GateView
from playmill.arena.sequential import Decision
from playmill.arena.statistics import Estimate
from playmill.core.files import atomic_write

FORMAT, VERSION = "playmill.gate", 3


@dataclass(frozen=True)
class Tally:
    """Results of the candidate."""

    wins: int
    losses: int
    draws: int


@dataclass(frozen=True)
class Look:
    """The sequential test after so many pairs that count."""

    pairs: int
    ratio: float
    decision: Decision


@dataclass(frozen=True)
class SequentialView:
    """The log-likelihood ratios that reject and accept, and every look."""

    reject_at: float
    accept_at: float
    looks: tuple[Look, ...]

    @property
    def decision(self) -> Decision:
        return self.looks[-1].decision


@dataclass(frozen=True)
class GateReport:
    """A gate: who, on which seeds, with what result, and whether the candidate is promoted.

    A pair that bots without draws repeat counts once; all results are those of the pairs that count.
    """

    game: str
    ruleset: str
    candidate: str
    best: str
    settings: dict[str, Any]
    seed_set: str
    seeds_hash: str  # of all seeds that were scheduled, also where a sequential gate needed fewer
    pairs: int  # that count
    repeated_pairs: int  # that were played, and left out
    games: int  # that were played
    distinct_games: int
    opening_plies: int
    total: Tally
    as_first: Tally  # with more than two players: where it had one seat
    as_second: Tally  # and where it had all the others
    win_rate: float  # a draw is half a win
    wilson: tuple[float, float]  # of games; too wide for paired ones, whose luck cancels
    pair_counts: tuple[int, ...]  # pairs that scored 0, 0.25, 0.5, 0.75, 1
    paired: Estimate
    points: Estimate | None  # the candidate's less the best's, a pair a trial; None where a game has no points
    sequential: SequentialView | None
    oracle: GateView | None  # what the game's pack says about these very games, luck taken off
    promote: bool
    reason: str
    seeds: tuple[tuple[int, float | None, float | None], ...] | None  # seed, score when first, score when second

    def json(self) -> str:
        """The file's text (`docs/formats.md`)."""
        fields = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return json.dumps(fields, indent=2, allow_nan=False) + "\n"


def write_report(path: Path, report: GateReport) -> None:
    """Write `gate_report.json`, all of it or nothing."""
    atomic_write(path, report.json())
