"""What EXCHANGE brings besides its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playmill.arena.rivals_measure import rivals_measure
from playmill.packs.exchange.ability_report import ABILITY_REPORT
from playmill.packs.exchange.presets import COMMON, OPTIONS, SIZES, suggest
from playmill.packs.exchange.rewards import TRACKER
from playmill.packs.exchange.shaped import HEAD
from playmill.packs.pack import Pack

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.play.player import MakePlayer


def _open_random(game: Game, workers: int) -> MakePlayer:
    from playmill.play.bots import RandomBot

    return lambda _lanes: RandomBot(game)


def _open_greedy(game: Game, workers: int) -> MakePlayer:
    from playmill.packs.exchange.greedy import GreedyBot

    return lambda _lanes: GreedyBot(game)


# How strong a network is beside players that never change.
BOTS = rivals_measure("bots", {"greedy": _open_greedy, "random": _open_random}, student="one_ply")

PACK = Pack(
    games=("exchange",),
    heads=(HEAD,),
    tracker=TRACKER,
    summaries=(ABILITY_REPORT,),
    bots={"greedy": _open_greedy},
    measures=(BOTS,),
    presets=COMMON,
    named_presets=SIZES,
    options=OPTIONS,
    suggest=suggest,
)
