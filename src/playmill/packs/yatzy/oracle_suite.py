"""The oracle suite: bots play Yatzy against the oracle, and the solved game says how well, with luck removed.

One match gives everything: each of the bot's boards is a solitaire game, and each game is one against the oracle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from playmill.arena.match import play_match
from playmill.arena.seeds import SeedSet, pair_seeds
from playmill.arena.standing import Progress, after
from playmill.games.game import Game
from playmill.games.yatzy.oracle import Oracle
from playmill.games.yatzy.rules import YATZY
from playmill.packs.yatzy.luck import keep_ledger
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.packs.yatzy.oracle_view import Boards, Choices, Wins, see_boards, see_choices, see_wins
from playmill.play.player import MakePlayer


@dataclass(frozen=True)
class SuiteReport:
    """One bot against the oracle, over paired seeds with the seats exchanged."""

    bot: str
    seed: int
    seeds_hash: str
    expected_score: float  # of best play
    boards: Boards
    choices: dict[str, Choices]
    against_oracle: Wins

    def fields(self) -> dict[str, Any]:
        """All of it as plain values (`docs/formats.md`)."""
        return asdict(self)


def oracle_suite(
    bots: Sequence[MakePlayer],
    games: int,
    seed: int = 0,
    workers: int = 1,
    oracle: Oracle | None = None,
    progress: Progress | None = None,
    game: Game = YATZY,
) -> list[SuiteReport]:
    """A report for each bot, all on the same seeds; the same for any number of threads. `progress` hears how it stands.

    `game` is Yatzy or a variant of it, whichever the bots were made for.
    """
    seeds = pair_seeds(games, seed)
    oracle = oracle or Oracle.load(workers)
    reports = []
    for number, make in enumerate(bots):
        done = after(number * games, progress)
        reports.append(_measure(game, make, seeds, seed, workers, oracle, done))
    return reports


def _measure(
    game: Game, make: MakePlayer, seeds: SeedSet, seed: int, workers: int, oracle: Oracle, progress: Progress | None
) -> SuiteReport:
    match = play_match(game, (make, lambda _lanes: OracleBot(oracle)), seeds.array(), workers, progress=progress)
    ledger = keep_ledger(oracle, match, workers)
    return SuiteReport(
        bot=match.names[0],
        seed=seed,
        seeds_hash=seeds.seeds_hash,
        expected_score=ledger.start,
        boards=see_boards(ledger, 0),
        choices=see_choices(ledger, 0),
        against_oracle=see_wins(ledger, 0),
    )
