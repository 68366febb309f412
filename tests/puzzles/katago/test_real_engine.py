"""The real engine, where `playmill katago install` has been run."""

import pytest

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK
from playmill.games.go.board_text import read_point
from playmill.puzzles.katago.analyst import Analyst
from playmill.puzzles.katago.client import EngineRefused
from playmill.puzzles.katago.place import find_engine
from playmill.puzzles.katago.settings import KataGoSettings
from playmill.puzzles.katago.trial import check
from puzzles.katago.engines import query

try:
    find_engine(KataGoSettings())
except UsageError as error:
    pytest.skip(str(error), allow_module_level=True)


@pytest.fixture(scope="module")
def analyst():
    made = Analyst(KataGoSettings(cache_mib=0))
    yield made
    made.close()


def test_the_engine_passes_its_check(analyst):
    report = check(analyst)
    assert (report.best_move, report.visits) == ("E9", 30)
    assert report.version == analyst.identity.version
    assert report.network.endswith(".gz")


def test_an_answer_does_not_depend_on_what_else_is_asked(analyst):
    lines = ("E5", "E5 C3", "E5 C3 G7", "C3")
    queries = [query(visits=6, with_ownership=True).after(*(read_point(9, name) for name in line.split())) for line in lines]
    first = analyst.analyse_all(queries)
    assert analyst.analyse_all(queries[::-1])[::-1] == first


def test_an_answer_does_not_depend_on_a_search_that_met_the_same_positions(analyst):
    """The network looks at the last moves of a search. Answers kept by position alone would be those of another history."""
    before = query(visits=40).after(read_point(9, "E5"))
    after = before.after(analyst.analyse(before).moves[0].cell)
    fresh = Analyst(KataGoSettings(cache_mib=0))
    try:
        assert analyst.analyse(after) == fresh.analyse(after)
    finally:
        fresh.close()


def test_winrates_are_blacks_whoever_is_to_play(analyst):
    behind = analyst.analyse_all([query(60.0, visits=2), query(60.0, visits=2).after(read_point(9, "E5"))])
    assert all(one.winrate(BLACK) < 0.1 and one.lead(BLACK) < -30 for one in behind)


def test_an_impossible_move_is_refused_by_name(analyst):
    twice = query(label="game 3").after(read_point(9, "E5"), read_point(9, "E5"))
    with pytest.raises(EngineRefused, match=r"\(game 3\) was refused: Illegal move 1"):
        analyst.analyse(twice)
