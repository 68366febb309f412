"""A searcher by its settings."""

from __future__ import annotations

from playmill.core.errors import UsageError
from playmill.core.evaluation import Evaluator
from playmill.games.game import Game
from playmill.search.decisions import Searcher
from playmill.search.kinds import PUCT, SEARCHES
from playmill.search.settings import SearchSettings


def batch_rows(settings: SearchSettings | None, lanes: int) -> int:
    """How many positions a search over so many lanes has answered at a time; without a search, one a lane."""
    return lanes if settings is None else lanes * SEARCHES.find(settings.kind).rows(settings)


def make_searcher(game: Game, settings: SearchSettings, evaluator: Evaluator, lanes: int) -> Searcher:
    """The search that `settings.kind` names, for one thread, over `lanes` games."""
    kind = SEARCHES.find(settings.kind)
    if kind.games and game.name not in kind.games:
        raise UsageError(f"search.kind: {settings.kind} is for {' and '.join(kind.games)}, not for {game.name}; use {PUCT}")
    return kind.make(game, settings, evaluator, lanes)


def usual_search(game: Game, heads: tuple[str, ...]) -> str:
    """The search that `auto` stands for: one of the game's own that suits a network with these heads, else PUCT."""
    own = (name for name, kind in SEARCHES.items() if game.name in kind.games and kind.suits(heads))
    return next(own, PUCT)
