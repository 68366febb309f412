"""The gate: a candidate plays the best bot and is promoted, or not, with the reason in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from playmill.arena.appraisal import Appraisal, Appraiser, GateView
from playmill.arena.gate_report import GateReport, Look, SequentialView
from playmill.arena.gate_settings import GateSettings as GateSettings
from playmill.arena.gate_summary import CANDIDATE, PlayedGate, make_report
from playmill.arena.match import Match, Venue
from playmill.arena.repeats import Repeats
from playmill.arena.seeds import SeedSet, derive_seeds, load_seeds
from playmill.arena.sequential import SequentialTest
from playmill.arena.standing import Progress, Standing
from playmill.arena.statistics import pair_counts
from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.play.player import MakePlayer

# Random first moves where none are asked for: with seven first moves 49 openings, or 2,401.
FEWEST_PLIES, MOST_PLIES = 2, 4
OPENINGS_PER_SEED = 4  # wanted, so that few are drawn twice


def gate_seeds(settings: GateSettings, seed: int) -> SeedSet:
    """The seeds that a gate is played on: those of its file, or those that follow from `seed`."""
    if settings.seed_set is None:
        return derive_seeds(settings.seeds_needed, seed)
    return load_seeds(Path(settings.seed_set)).first(settings.seeds_needed)


def check_gate(game: Game, settings: GateSettings, knows_luck: bool) -> None:
    """Refuse, before anything is played, a gate that the game or its seeds don't allow; `knows_luck`: there is an appraiser."""
    if not knows_luck:
        _refuse_luck(game, settings)
    if settings.seed_set is not None:
        gate_seeds(settings, 0)


def _refuse_luck(game: Game, settings: GateSettings) -> None:
    if settings.guardrail_points is not None or settings.luck_reduced:
        raise UsageError(f"{game.name}: guardrail_points and luck_reduced need a pack that knows luck, which this game has not")


def run_gate(
    game: Game,
    candidate: MakePlayer,
    best: MakePlayer,
    settings: GateSettings,
    seeds: SeedSet,
    workers: int = 1,
    appraiser: Appraiser | None = None,
    progress: Progress | None = None,
) -> GateReport:
    """Play the gate; the same report for any number of threads. With an appraiser it also says what luck did.

    `progress` hears how it stands, after each look with what the sequential test says.
    """
    if appraiser is None:
        _refuse_luck(game, settings)
    schedule = seeds.first(settings.seeds_needed)
    gate = _Gate(settings, appraiser, workers, progress)
    for match in _play(game, (candidate, best), settings, schedule, workers, gate.watch):
        if gate.add(match):
            break
    return make_report(settings, schedule, gate.played(), gate.view(), gate.sequential())


def _play(
    game: Game,
    makers: tuple[MakePlayer, MakePlayer],
    settings: GateSettings,
    schedule: SeedSet,
    workers: int,
    progress: Progress,
) -> Iterator[Match]:
    """The schedule, played piece by piece: a piece for each look of a sequential gate, else all at once."""
    seeds = schedule.array()
    pair = 1 if settings.paired else 2  # seeds for two games
    step = min(pair * settings.look_pairs, seeds.size) if settings.sequential else seeds.size
    venue = Venue(game, makers, workers, 2 * step // pair)
    for first in range(0, seeds.size, step):
        yield venue.play(seeds[first : first + step], _opening(game, settings), progress, settings.paired)


def _opening(game: Game, settings: GateSettings) -> int:
    """Random moves at the beginning: without them and without chance, two bots would play the same two games for ever."""
    return usual_opening(game, settings.seeds_needed) if settings.opening_plies is None else settings.opening_plies


def usual_opening(game: Game, seeds: int) -> int:
    """How many random moves begin the games of so many seeds; none where chance makes them differ anyway."""
    return 0 if "chance_key" in game.kernels else plies_for(seeds, len(game.new().legal_actions))


def plies_for(seeds: int, moves: int) -> int:
    """How many random plies give about enough openings for the seeds of a gate, with so many first moves to choose from."""
    plies = FEWEST_PLIES
    while plies < MOST_PLIES and moves**plies < OPENINGS_PER_SEED * seeds:
        plies += 1
    return plies


class _Gate:
    """What has been played so far, and what the sequential test says to it."""

    def __init__(self, settings: GateSettings, appraiser: Appraiser | None, workers: int, progress: Progress | None) -> None:
        self.settings, self.appraiser, self.workers, self.progress = settings, appraiser, workers, progress
        self.test = SequentialTest(settings.score0, settings.score1, settings.alpha, settings.beta)
        self.repeats = Repeats(settings.paired)
        self.matches: list[Match] = []  # without the pairs that repeat others
        self.appraisals: list[Appraisal] = []
        self.looks: list[Look] = []
        self.standing = Standing()

    def watch(self, more: Standing) -> None:
        """Games of the piece under way have ended."""
        if self.progress is not None:
            self.progress(self.standing.plus(more))

    def add(self, match: Match) -> bool:
        """Take in more games; return whether the test needs no others."""
        scores = match.scores(CANDIDATE)
        self.standing = self.standing.plus(Standing(int(scores.size), float(scores.sum())))
        fresh = self.repeats.drop(match)
        if fresh.seeds.size:
            self.matches.append(fresh)
            if self.appraiser is not None:
                self.appraisals.append(self.appraiser.appraise(fresh, self.workers))
        if not self.settings.sequential:
            return False
        self.looks.append(self._look())
        self.standing = replace(self.standing, ratio=self.looks[-1].ratio)
        self.watch(Standing())
        return self.looks[-1].decision != "continue"

    def _look(self) -> Look:
        counts = pair_counts(Match.join(self.matches).scores(CANDIDATE))
        fair = self.appraisal() if self.settings.luck_reduced else None
        ratio = float(self.test.ratio(counts)) if fair is None else self.test.ratio_of(fair.fair_wins(CANDIDATE))
        return Look(int(counts.sum()), ratio, self.test.decide(ratio))

    def played(self) -> PlayedGate:
        return PlayedGate(Match.join(self.matches), self.standing.games, self.repeats.distinct_games)

    def appraisal(self) -> Appraisal | None:
        return self.appraiser.join(self.appraisals) if self.appraiser and self.appraisals else None

    def view(self) -> GateView | None:
        appraisal = self.appraisal()
        return self.appraiser.view(appraisal) if self.appraiser and appraisal else None

    def sequential(self) -> SequentialView | None:
        return SequentialView(*self.test.bounds, tuple(self.looks)) if self.looks else None
