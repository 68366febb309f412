"""From the games of a gate to its report."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.arena.appraisal import GateView
from playmill.arena.gate_report import GateReport, SequentialView, Tally
from playmill.arena.gate_settings import GateSettings
from playmill.arena.match import Match
from playmill.arena.seeds import SeedSet
from playmill.arena.statistics import estimate, pair_counts, pair_means, wilson
from playmill.arena.verdict import judge
from playmill.search.decisions import Array

CANDIDATE, BEST = 0, 1  # their numbers in a gate's match


@dataclass(frozen=True)
class PlayedGate:
    """The games of a gate."""

    match: Match  # of the pairs that count
    games: int  # all that were played
    distinct_games: int


def make_report(
    settings: GateSettings, schedule: SeedSet, played: PlayedGate, oracle: GateView | None, sequential: SequentialView | None
) -> GateReport:
    """All numbers of a gate, and the verdict."""
    match = played.match
    scores = match.scores(CANDIDATE)
    points, pairs = match.points(CANDIDATE), pair_means(scores)
    promote, reason = judge(settings, float(scores.mean()), oracle, sequential)
    return GateReport(
        game=match.game.name,
        ruleset=match.game.ruleset,
        candidate=match.names[CANDIDATE],
        best=match.names[BEST],
        settings=settings.model_dump(),
        seed_set=schedule.name,
        seeds_hash=schedule.seeds_hash,
        pairs=int(pairs.size),
        repeated_pairs=played.games // 2 - int(pairs.size),
        games=played.games,
        distinct_games=played.distinct_games,
        opening_plies=match.opening,
        total=_tally(scores),
        as_first=_tally(scores[::2]),
        as_second=_tally(scores[1::2]),
        win_rate=float(scores.mean()),
        wilson=wilson(float(scores.sum()), scores.size),
        pair_counts=tuple(pair_counts(scores).tolist()),
        paired=estimate(pairs),
        points=None if points is None else estimate(pair_means(points)),
        sequential=sequential,
        oracle=oracle,
        promote=promote,
        reason=reason,
        seeds=_by_seed(match, scores, settings.paired) if settings.keep_seeds else None,
    )


def _tally(scores: Array) -> Tally:
    return Tally(int((scores == 1).sum()), int((scores == 0).sum()), int((scores == 0.5).sum()))


def _by_seed(match: Match, scores: Array, is_paired: bool) -> tuple[tuple[int, float | None, float | None], ...]:
    """Each seed with the candidate's score when it was first and when it was second; None where that was not played."""
    seeds, found = match.seeds.tolist(), scores.tolist()
    if is_paired:
        return tuple(zip(seeds[::2], found[::2], found[1::2], strict=True))
    is_first = (match.seat_of(CANDIDATE) == 0).tolist()
    return tuple((s, x if first else None, None if first else x) for s, x, first in zip(seeds, found, is_first, strict=True))
