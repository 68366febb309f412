"""Recorded games in the layout of the `diplomacy` package, for tools that read its saved games."""

from __future__ import annotations

from typing import Any

from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.package_games import write_saved_game
from playmill.packs.diplomacy.selfplay.records import GameRecord


def export_game(record: GameRecord) -> dict[str, Any]:
    """A saved game: every phase with its orders, and the last position as a phase without any.

    A loaded game shows the same positions, and the package's own check finds it valid (see `package_games.py`).
    """
    rules = str(record.settings.get("rules", "3.x"))
    boards = [Board.from_dfen(phase.dfen, rules).orders(phase.orders) for phase in record.phases]
    return write_saved_game([*boards, Board.from_dfen(record.final_dfen, rules)], f"playmill-{record.game_id}")
