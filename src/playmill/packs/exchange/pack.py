"""What EXCHANGE brings besides its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playmill.packs.pack import Pack

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.play.player import MakePlayer


def _open_greedy(game: Game, workers: int) -> MakePlayer:
    from playmill.packs.exchange.greedy import GreedyBot

    return lambda _lanes: GreedyBot(game)


PACK = Pack(games=("exchange",), bots={"greedy": _open_greedy}, presets={"net.policy": "planes"})
