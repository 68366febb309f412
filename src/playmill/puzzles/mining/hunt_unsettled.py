"""The hunter for groups that hang on who plays first, whether the game went wrong there or not.

Players mostly see such a group and play there, or both leave it for later: no blunder tells of it. So every few positions the
engine is asked at a glance with either side to play, and what differs is looked at again for more visits. Both sides' questions
become candidates: to save the group, and to kill it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playmill.games.go.board import BLACK, WHITE
from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.katago.analyst import Analyst
from playmill.puzzles.mining.candidate import Candidate
from playmill.puzzles.mining.engine_game import EngineGame
from playmill.puzzles.mining.flips import find_unsettled
from playmill.puzzles.mining.katago_settings import HuntSettings

Looked = dict[int, Analysis]  # by the side to play


def hunt_unsettled(game: EngineGame, settings: HuntSettings, analyst: Analyst) -> Iterator[Candidate]:
    """The unsettled groups of a game, in the order of its moves; each once, until it has other stones."""
    if not settings.unsettled_every:
        return
    numbers = list(range(game.first(settings), len(game.record.moves) + 1, settings.unsettled_every))
    queries = [game.query_for(number, side, settings.scan_visits) for number in numbers for side in (BLACK, WHITE)]
    answers = analyst.analyse_all(queries)
    shown: set[tuple[int, int]] = set()
    for place, number in enumerate(numbers):
        board = game.board(number)
        glance = {BLACK: answers[2 * place], WHITE: answers[2 * place + 1]}
        if board.ko or not _new(board, glance, settings, shown):
            continue
        looked = {side: analyst.analyse(game.query_for(number, side, settings.confirm_visits)) for side in (BLACK, WHITE)}
        for head in _new(board, looked, settings, shown):
            shown.add(_name(board, head))
            for side in (int(board.colour[head]), 3 - int(board.colour[head])):
                yield game.candidate(number, board, side, (head,))


def _new(board: Any, looked: Looked, settings: HuntSettings, shown: set[tuple[int, int]]) -> list[int]:
    """The unsettled chains that were not shown yet."""
    return [head for head in find_unsettled(board, looked, settings) if _name(board, head) not in shown]


def _name(board: Any, head: int) -> tuple[int, int]:
    """What tells a chain from itself some moves later: its lowest cell and its stones."""
    return head, int((board.head == head).sum())
