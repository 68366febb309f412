"""What Go brings besides its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playmill.packs.pack import Pack

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.play.player import MakePlayer


def _open_capture(game: Game, workers: int) -> MakePlayer:
    from playmill.packs.go.capture import CaptureBot

    return lambda _lanes: CaptureBot(game)


PACK = Pack(games=("go9", "go13", "go19"), bots={"capture": _open_capture})
