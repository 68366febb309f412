"""Win rates against named bots: a network with a run's own search, the *teacher*, and with a smaller one, the *student*.

Each meets each rival, and the student its teacher, on the same seeds, each seed twice with the seats exchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from playmill.arena.entrants import NetworkMaker, OpenBot
from playmill.arena.gate import usual_opening
from playmill.arena.match import Match, play_match
from playmill.arena.measure import Fields
from playmill.arena.repeats import Repeats
from playmill.arena.seeds import derive_seeds
from playmill.arena.standing import Progress, after
from playmill.arena.statistics import Estimate, pair_means, rate_estimate
from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.play.player import MakePlayer

TEACHER, STUDENT, HEAD_TO_HEAD = "teacher", "student", "student_against_teacher"


@dataclass(frozen=True)
class Meeting:
    """What one bot made of its games against another. Trials of `rate` are pairs of games that repeat no other pair."""

    games: int
    distinct_games: int
    wins: int
    losses: int
    draws: int
    rate: Estimate  # a draw is half a win
    draw_share: float
    mean_plies: float


def see_meeting(match: Match) -> Meeting:
    """The first bot's results in a match."""
    repeats = Repeats(is_paired=True)
    scores, fresh = match.scores(0), repeats.drop(match).scores(0)
    return Meeting(
        games=int(scores.size),
        distinct_games=repeats.distinct_games,
        wins=int((scores == 1).sum()),
        losses=int((scores == 0).sum()),
        draws=int((scores == 0.5).sum()),
        rate=rate_estimate(pair_means(fresh)),
        draw_share=float((scores == 0.5).mean()),
        mean_plies=float(match.plies.mean()),
    )


@dataclass(frozen=True)
class Rivals:
    """Who is met, and the student's search by its name; has the signature of `RunMeasure`."""

    bots: Mapping[str, OpenBot]
    student: str

    @property
    def matches(self) -> int:
        """For each network: two players against each rival, and the two against each other."""
        return 2 * len(self.bots) + 1

    def __call__(
        self, game: Game, bots: Sequence[MakePlayer], games: int, seed: int, workers: int, progress: Progress | None
    ) -> list[Fields]:
        rivals = {name: open_bot(game, workers) for name, open_bot in self.bots.items()}
        table = _Table(game, games, seed, workers, progress)
        return [self._measured(table, bot, rivals) for bot in bots]

    def _measured(self, table: _Table, teacher: MakePlayer, rivals: Mapping[str, MakePlayer]) -> Fields:
        if not isinstance(teacher, NetworkMaker):
            raise UsageError("a student's win rates need a network, got a bot that has none")
        student = teacher.with_search(self.student)
        found = {
            who: {name: table.meet(bot, rival) for name, rival in rivals.items()}
            for who, bot in ((TEACHER, teacher), (STUDENT, student))
        }
        return {**found, HEAD_TO_HEAD: table.meet(student, teacher), "seeds_hash": table.seeds.seeds_hash}


class _Table:
    """Where all meetings of a measurement are played: the same seeds for each, and one count of games."""

    def __init__(self, game: Game, games: int, seed: int, workers: int, progress: Progress | None) -> None:
        self.game, self.workers, self.progress, self.played = game, workers, progress, 0
        self.seeds = derive_seeds(max(1, games // 2), seed)

    def meet(self, bot: MakePlayer, other: MakePlayer) -> Fields:
        seeds, heard = self.seeds.array(), after(self.played, self.progress)
        match = play_match(self.game, (bot, other), seeds, self.workers, usual_opening(self.game, seeds.size), heard)
        self.played += match.seeds.size
        return asdict(see_meeting(match))
