"""Answers that are kept: found again, made again where damaged, and never another engine's."""

import pytest

from playmill.core import files
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import read_point
from playmill.puzzles.katago.analysis import parse_analysis
from playmill.puzzles.katago.analyst import Analyst, close_shared, shared_analyst
from playmill.puzzles.katago.cache import prune
from playmill.puzzles.katago.place import home
from playmill.puzzles.katago.query import Query, komi_for
from puzzles.katago.engines import Fake, query


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """A cache of its own for each test."""
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path / "cache"))
    files._cache_root.cache_clear()
    yield
    close_shared()
    files._cache_root.cache_clear()


def entries():
    return sorted((home() / "analyses").glob("*/*.analysis"))


def test_a_second_run_does_not_even_start_the_engine(tmp_path):
    fake = Fake(tmp_path)
    queries = [query(1.0), query(2.0, with_ownership=True), query(1.0)]
    first = Analyst(fake.settings())
    told = first.analyse_all(queries)
    assert (first.asked, first.found, fake.noted("query")) == (2, 0, 2)
    first.close()
    second = Analyst(fake.settings())
    assert second.analyse_all(queries) == told
    assert (second.asked, second.found, fake.noted("start")) == (0, 2, 1)
    assert told[1].owns(read_point(9, "E5"), WHITE) == -0.5


@pytest.mark.parametrize("part", ["network", "config"])
def test_another_network_or_configuration_is_asked_itself(tmp_path, part):
    fake = Fake(tmp_path)
    analyst = Analyst(fake.settings())
    analyst.analyse(query())
    analyst.close()
    with open(fake.paths[part], "a") as file:
        file.write("more = 1\n")
    other = Analyst(fake.settings())
    other.analyse(query())
    other.close()
    assert other.asked == 1


def test_what_names_a_query_has_no_part_in_its_key(tmp_path):
    analyst = Analyst(Fake(tmp_path).settings())
    assert analyst.cache.key(query(label="a", priority=3)) == analyst.cache.key(query())
    assert analyst.cache.key(query(visits=5)) != analyst.cache.key(query())


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:40] + b"x" + data[41:]])
def test_a_damaged_answer_is_asked_for_again(tmp_path, damage):
    fake = Fake(tmp_path)
    with_kept = Analyst(fake.settings())
    told = with_kept.analyse(query())
    [path] = entries()
    path.write_bytes(damage(path.read_bytes()))
    assert with_kept.analyse(query()) == told
    assert with_kept.asked == 2
    with_kept.close()


def test_the_oldest_answers_go_when_there_are_too_many(tmp_path):
    folder = tmp_path / "analyses" / "ab"
    folder.mkdir(parents=True)
    for number in range(10):
        path = folder / f"{number}.analysis"
        path.write_bytes(bytes(100))
        files.os.utime(path, (number, number))
    prune(tmp_path / "analyses", 1000)
    assert len(list(folder.iterdir())) == 10
    prune(tmp_path / "analyses", 500)
    assert sorted(path.name for path in folder.iterdir()) == [f"{number}.analysis" for number in (6, 7, 8, 9)]


def test_nothing_is_kept_if_nothing_may_be(tmp_path):
    analyst = Analyst(Fake(tmp_path).settings(cache_mib=0))
    analyst.analyse(query())
    analyst.analyse(query())
    analyst.close()
    assert (analyst.asked, entries()) == (2, [])


def test_tasks_with_the_same_settings_share_an_engine(tmp_path):
    fake = Fake(tmp_path)
    assert shared_analyst(fake.settings()) is shared_analyst(fake.settings())


def test_numbers_are_told_from_the_side_that_is_named():
    info = {"move": "pass", "visits": 3, "prior": 0.5, "winrate": 0.75, "scoreLead": 4.0, "pv": ["pass"], "order": 0}
    reply = {"rootInfo": {"visits": 9, "winrate": 0.75, "scoreLead": 4.0}, "moveInfos": [info]}
    found = parse_analysis(reply, 9)
    assert (found.winrate(BLACK), found.winrate(WHITE), found.lead(BLACK), found.lead(WHITE)) == (0.75, 0.25, 4.0, -4.0)
    assert (found.moves[0].cell, found.moves[0].winrate(WHITE), found.moves[0].lead(WHITE)) == (0, 0.25, -4.0)


def test_a_query_is_written_as_the_protocol_has_it():
    asked = Query(9, ((BLACK, read_point(9, "D4")),), ((WHITE, read_point(9, "E5")), (BLACK, 0)), WHITE, 6.5, 10)
    fields = asked.after(read_point(9, "C3")).fields()
    assert fields["initialStones"] == [["B", "D4"]]
    assert fields["moves"] == [["W", "E5"], ["B", "pass"], ["W", "C3"]]
    assert (fields["initialPlayer"], fields["komi"], fields["maxVisits"], asked.side) == ("W", 6.5, 10, WHITE)


@pytest.mark.parametrize(
    ("given", "taken"), [(None, 0.0), (6.5, 6.5), (3.75, 4.0), (375.25, 375.0), (900.0, 400.0), (-900.0, -400.0)]
)
def test_komi_becomes_one_that_the_engine_takes(given, taken):
    assert komi_for(given) == taken
