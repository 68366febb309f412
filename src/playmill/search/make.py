"""A searcher by its settings."""

from __future__ import annotations

from playmill.core.evaluation import Evaluator
from playmill.games.game import Game
from playmill.search.decisions import Searcher
from playmill.search.settings import SearchSettings

ROWS_A_TURN = 45  # boards that a turn may end with, as far as one seat's points are concerned


def batch_rows(settings: SearchSettings | None, lanes: int) -> int:
    """How many positions a search over so many lanes has answered at a time; without a search, one a lane."""
    if settings is None:
        return lanes
    return lanes * (ROWS_A_TURN if settings.kind == "exact_turn" else settings.puct.inflight)


def make_searcher(game: Game, settings: SearchSettings, evaluator: Evaluator, lanes: int) -> Searcher:
    """The search that `settings.kind` names, for one thread, over `lanes` games."""
    if settings.kind == "exact_turn":
        from playmill.search.exact_turn import ExactTurnSearch

        return ExactTurnSearch(game, settings.exact_turn, evaluator, lanes)
    from playmill.search.lockstep import PuctSearch

    return PuctSearch(game, settings.puct, evaluator, lanes)
