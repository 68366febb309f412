"""The searches that there are: one table that settings and `make.py` read. Packs enter theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playmill.core.settings import Settings
from playmill.core.table import NameTable
from playmill.search.one_ply_settings import OnePlySettings

if TYPE_CHECKING:
    from playmill.core.evaluation import Evaluator
    from playmill.games.game import Game
    from playmill.search.decisions import Searcher
    from playmill.search.settings import SearchSettings


def _suits_none(heads: tuple[str, ...]) -> bool:
    return False


@dataclass(frozen=True)
class SearchKind:
    """One kind of search. `make` is called once a search is wanted, so it imports what it needs itself."""

    about: str  # for people
    make: Callable[[Game, SearchSettings, Evaluator, int], Searcher]  # for one thread, over so many lanes
    rows: Callable[[SearchSettings], int]  # how many positions it asks about at a time, for each lane
    settings: Settings | None = None  # the defaults of its own section among the settings
    suits: Callable[[tuple[str, ...]], bool] = _suits_none  # whether `auto` takes it for a network with these heads
    games: tuple[str, ...] = ()  # that it is for; none: all


def _make_puct(game: Game, settings: SearchSettings, evaluator: Evaluator, lanes: int) -> Searcher:
    from playmill.search.lockstep import PuctSearch

    return PuctSearch(game, settings.puct, evaluator, lanes)


def _make_one_ply(game: Game, settings: SearchSettings, evaluator: Evaluator, lanes: int) -> Searcher:
    from playmill.search.one_ply import OnePlySearch

    return OnePlySearch(game, getattr(settings, ONE_PLY), evaluator, lanes)


def _one_ply_rows(settings: SearchSettings) -> int:
    from playmill.search.one_ply import ROWS_A_LANE

    return ROWS_A_LANE


PUCT, ONE_PLY = "puct", "one_ply"  # for every game; of those with chance ONE_PLY wants a list of outcomes
SEARCHES = NameTable(
    "search",
    {
        PUCT: SearchKind("Arena PUCT.", _make_puct, lambda settings: settings.puct.inflight),
        ONE_PLY: SearchKind(
            "One ply: the exact expectation of every action, over its outcomes and the network's values.",
            _make_one_ply,
            _one_ply_rows,
            OnePlySettings(),
        ),
    },
)
