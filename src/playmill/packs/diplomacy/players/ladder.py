"""How strong the kinds of players are: each alone against six of a weaker kind, every seat equally often.

A game's score is a share of 1. A solo, 18 centres, takes all of it. Without one until the last year, the powers share by the
squares of their centres. Seven equal players get 1/7 each on average.

Games come in rotations: seven games from one random opening, the challenger in each seat once. What a seat is worth depends on
the opening, so games of a rotation say less than seven independent ones: the rotation is the trial, its mean share the result,
and the interval is over rotations. A rotation whose games all repeat those of another one counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.arena.statistics import Estimate, rate_estimate
from playmill.core.errors import UsageError, require_positive, require_seed, unknown_name
from playmill.core.executor import run, worker_local
from playmill.core.seeds import mix
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.state import FIRST_YEAR
from playmill.packs.diplomacy.players.driver import deal_games, play_side_by_side
from playmill.packs.diplomacy.players.matches import DiplomacyMatch, Ending, Opening, SeatedGame
from playmill.packs.diplomacy.players.player import KINDS, check_kind, make_player
from playmill.packs.diplomacy.players.team import OpenPlayer, open_team
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.settings import OrderSearchSettings

if TYPE_CHECKING:
    from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator

EVEN_SHARE = 1 / POWER_COUNT
OPENINGS = 0xFFFF_FFFF_FFFF_FF32  # the stream of the openings; games are numbered from 0
RUNGS = (("heuristic", "random"), ("cartesian", "heuristic"), ("rm_plus", "cartesian"))


def most_opening_phases(max_year: int) -> int:
    """How many movement phases may be random so that the players have one left."""
    return 2 * (max_year - FIRST_YEAR) + 1


@dataclass(frozen=True)
class LadderSettings:
    """How a ladder is played."""

    games: int = 70  # of each rung: rotations of 7
    max_year: int = 1912
    strength: int = 100
    seed: int = 0
    threads: int = 1
    budget: Budget = field(default_factory=Budget)  # of each decision; open: by strength
    opening_phases: int = 1  # movement phases at random before the players are asked, the same in all games of a rotation
    rules: int = OrderSearchSettings.rules
    lanes: int = 1  # games that a thread plays at once; no game depends on it, unless the budget is a time

    def __post_init__(self) -> None:
        require_positive("threads", self.threads), require_positive("lanes", self.lanes)
        require_seed(self.seed)
        if self.games < 2 * POWER_COUNT or self.games % POWER_COUNT:
            raise UsageError(f"games: expected a multiple of {POWER_COUNT}, at least {2 * POWER_COUNT}, got {self.games}")
        if self.max_year < FIRST_YEAR:
            raise UsageError(f"max year: expected {FIRST_YEAR} or later, got {self.max_year}")
        most = most_opening_phases(self.max_year)
        if not 0 <= self.opening_phases <= most:
            raise UsageError(f"opening phases: expected 0 to {most} through {self.max_year}, got {self.opening_phases}")

    def opening(self, rotation: int) -> Opening:
        """The opening that the games of a rotation share, whoever plays them."""
        return Opening(self.opening_phases, mix(mix(self.seed, OPENINGS), rotation))


@dataclass(frozen=True)
class Rung:
    """One line of the table: what the challenger got."""

    challenger: str
    opponents: str
    games: int  # that were played
    distinct_games: int
    share: Estimate  # a trial is a rotation; the ones that repeat another are left out here and below
    solos: int
    topped: int  # games in which nobody had more centres
    survived: int
    centres: float
    final_year: float
    nodes_per_game: float  # of all seven players

    @property
    def counted_games(self) -> int:
        """The games of the rotations that count."""
        return self.share.trials * POWER_COUNT

    @property
    def is_above_even(self) -> bool:
        """Whether the whole interval is above 1/7."""
        return self.share.low is not None and self.share.low > EVEN_SHARE

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        share = {"share": self.share.mean, "low": self.share.low, "high": self.share.high}
        played = {"games": self.games, "distinct_games": self.distinct_games, "groups": self.share.trials}
        counts = {"solos": self.solos, "topped": self.topped, "survived": self.survived}
        means = {"centres": self.centres, "final_year": self.final_year, "nodes_per_game": self.nodes_per_game}
        names = {"challenger": self.challenger, "opponents": self.opponents}
        return {**names, **share, **played, **counts, **means, "above_even": self.is_above_even}


def show_share(share: Estimate, form: str = ".3f") -> str:
    """The mean with its interval."""
    if share.low is None or share.high is None:
        return f"{share.mean:{form}} (one rotation, no interval)"
    return f"{share.mean:{form}} ({share.low:{form}} to {share.high:{form}})"


def read_rung(text: str) -> tuple[str, str]:
    """Challenger and opponents out of `rm_plus:cartesian`."""
    names = text.split(":")
    if len(names) != 2:
        raise UsageError(f"rung: expected CHALLENGER:OPPONENTS such as rm_plus:cartesian, got '{text}'")
    for name in names:
        if name not in KINDS:
            raise unknown_name("player", name, KINDS)
    return names[0], names[1]


def run_ladder(
    rungs: Sequence[tuple[str, str]],
    settings: LadderSettings,
    search: OrderSearchSettings | None = None,
    network: Path | DiplomacyEvaluator | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Rung]:
    """Play all rungs; the same seed gives the same table for any number of threads. `network` is the `neural` player's."""
    settings = settings if search is None else replace(settings, rules=search.rules)
    makers = {name: _maker(name, settings, search, network) for rung in rungs for name in rung}
    found = []
    for number, (challenger, opponents) in enumerate(rungs):
        before = number * settings.games
        report = (lambda done, before=before: progress(before + done)) if progress is not None else None
        endings = play_one_against_six(makers[challenger], makers[opponents], settings, report)
        found.append(summarise(challenger, opponents, endings))
    return found


def _maker(
    kind: str, settings: LadderSettings, search: OrderSearchSettings | None, network: Path | DiplomacyEvaluator | None
) -> OpenPlayer:
    check_kind(kind, network)
    return partial(make_player, kind, settings.strength, search, network=network)


def play_one_against_six(
    one: OpenPlayer, six: OpenPlayer, settings: LadderSettings, progress: Callable[[int], None] | None = None
) -> list[Ending]:
    """Play the games of a rung; game g seats the one at power g mod 7. Each worker makes its own two players or teams."""
    endings = dict[int, Ending]()

    def hear(_: int, news: tuple[int, Ending]) -> None:
        endings[news[0]] = news[1]
        if progress is not None:
            progress(len(endings))

    for _ in run(play_rung_games, _tasks(one, six, settings), settings.threads, hear=hear):
        pass
    return [endings[game] for game in range(settings.games)]


@dataclass(frozen=True)
class RungTask:
    """Games of a rung that one worker plays."""

    games: tuple[int, ...]
    one: OpenPlayer
    six: OpenPlayer
    settings: LadderSettings


def _tasks(one: OpenPlayer, six: OpenPlayer, settings: LadderSettings) -> Iterator[RungTask]:
    shares = deal_games(range(settings.games), settings.threads, settings.lanes)
    return (RungTask(share, one, six, settings) for share in shares)


def play_rung_games(task: RungTask) -> int:
    """Play the games, each told with its number when it is over; return how many there were.

    A game's seed is its own, whoever plays it.
    """
    settings, lanes = task.settings, task.settings.lanes
    teams = worker_local("teams", lambda: (open_team(task.one, lanes), open_team(task.six, lanes)))
    match = worker_local("match", lambda: DiplomacyMatch(settings.rules))

    def begin(number: int) -> SeatedGame:
        # The one is team 0, the six are team 1.
        seats = [int(power != number % POWER_COUNT) for power in range(POWER_COUNT)]
        opening = settings.opening(number // POWER_COUNT)
        return SeatedGame(match, seats, settings.max_year, mix(settings.seed, number), opening, number)

    def play_round(games: list[SeatedGame]) -> None:
        match.play_round(teams, games, settings.budget)

    play_side_by_side(task.games, teams, lanes, begin, play_round, lambda game: (game.number, game.ending()))
    return len(task.games)


def summarise(challenger: str, opponents: str, endings: list[Ending]) -> Rung:
    """What the games come to for the challenger, who sat at power g mod 7 in game g."""
    counted = distinct_rotations(endings)
    seats = np.arange(len(counted)) % POWER_COUNT
    own = np.array([ending.centres[seat] for ending, seat in zip(counted, seats, strict=True)])
    most = np.array([ending.centres.max() for ending in counted])
    shares = np.array([ending.shares[seat] for ending, seat in zip(counted, seats, strict=True)])
    solos = sum(ending.winner == seat for ending, seat in zip(counted, seats, strict=True))
    return Rung(
        challenger=challenger,
        opponents=opponents,
        games=len(endings),
        distinct_games=len({ending.key for ending in endings}),
        share=rate_estimate(shares.reshape(-1, POWER_COUNT).mean(axis=1)),
        solos=int(solos),
        topped=int((own == most).sum()),
        survived=int((own > 0).sum()),
        centres=float(own.mean()),
        final_year=float(np.mean([ending.year for ending in counted])),
        nodes_per_game=float(np.mean([ending.nodes for ending in counted])),
    )


def distinct_rotations(endings: list[Ending]) -> list[Ending]:
    """The games of all rotations that do not repeat an earlier one game for game."""
    rotations = [endings[first : first + POWER_COUNT] for first in range(0, len(endings), POWER_COUNT)]
    found: dict[tuple[bytes, ...], list[Ending]] = {}
    for rotation in rotations:
        found.setdefault(tuple(ending.key for ending in rotation), rotation)
    return [ending for rotation in found.values() for ending in rotation]
