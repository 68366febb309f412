"""Seeding: only approved puzzles, floors by difficulty, and SQL that a real PostgreSQL takes twice without a change."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.invoking import assert_refused, invoke
from playmill.core.errors import PlaymillError, UsageError
from playmill.puzzles.database import load_sql
from playmill.puzzles.puzzle import RANKS, rank_of
from playmill.puzzles.review import Review
from playmill.puzzles.seed_sql import COLUMNS, seed_sql
from playmill.puzzles.seeding import Placed, approved, place
from postgres_server import PASSWORD, find_programs, running_server
from puzzles.test_puzzle_files import some_puzzle


def graded(number, score):
    puzzle = some_puzzle(number, difficulty=rank_of(score))
    return puzzle.model_copy(update={"metadata": puzzle.metadata.model_copy(update={"difficulty_score": score})})


def named(number):
    return f"{number:016x}"


@pytest.fixture
def puzzles(tmp_path):
    """A file of 12 puzzles in no order, of which 0 to 9 are approved, 10 is deleted and 11 is open; line 5 is broken."""
    lines = [graded(number, (number * 37 % 100) + 0.5).line() for number in range(12)]
    lines.insert(4, '{"difficulty": "6k"')
    path = tmp_path / "puzzles.jsonl"
    path.write_text("\n".join(lines) + "\n")
    review = Review(path)
    for number in range(10):
        review.decide(named(number), "approved")
    review.decide(named(10), "deleted")
    review.close()
    return path


# ------------------------------------------------------------------ floors


@given(st.lists(st.floats(0, 100), min_size=1, max_size=60), st.data())
def test_floors_ascend_with_difficulty_and_are_even(scores, data):
    found = [graded(number, score) for number, score in enumerate(scores)]
    chosen = approved(found, {puzzle.name: "approved" for puzzle in found})
    floors = data.draw(st.none() | st.integers(1, len(chosen)))
    per_floor = None if floors else data.draw(st.none() | st.integers(1, 70))
    placed = place(chosen, floors, per_floor)
    order = [(one.floor, one.place) for one in placed]
    hardness = [(one.puzzle.metadata.difficulty_score, one.puzzle.name) for one in placed]
    assert order == sorted(order)
    assert hardness == sorted(hardness)
    assert len(placed) == len(found)
    sizes = [sum(one.floor == floor for one in placed) for floor in range(1, placed[-1].floor + 1)]
    assert sum(sizes) == len(placed)
    if floors:
        assert len(sizes) == floors
        assert max(sizes) - min(sizes) <= 1
    else:
        assert all(size == (per_floor or 10) for size in sizes[:-1])


def test_more_floors_than_puzzles_are_refused():
    with pytest.raises(UsageError, match="--floors: expected at most 2, as many as there are approved puzzles, got 3"):
        place([graded(0, 1.0), graded(1, 2.0)], floors=3)


# ------------------------------------------------------------------ the command


def test_a_migration_has_the_approved_puzzles_and_the_same_bytes_each_time(puzzles, tmp_path):
    words = ["puzzles", "seed", puzzles, "--sql", "supabase/migrations", "--stamp", "20251129", "--per-floor", "4", "--json"]
    ended = invoke(words, tmp_path)
    out = tmp_path / "supabase" / "migrations" / "20251129_seed_puzzles.sql"
    told = {"out": "supabase/migrations/20251129_seed_puzzles.sql", "puzzles": 10, "floors": 3, "not_approved": 2}
    assert json.loads(ended.out) == told
    assert ended.err.count("\n") == 1
    assert "line 5" in ended.err
    text = out.read_text()
    assert [named(number) in text for number in range(12)] == [True] * 10 + [False] * 2
    assert_refused(invoke(words, tmp_path), codes=(2,))
    assert invoke([*words, "--force"], tmp_path).code == 0
    assert out.read_text() == text


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("", "expected --sql or --database, got neither"),
        ("--sql a.sql --database postgresql://x/y", "expected --sql or --database, got both"),
        ("--sql a.sql --floors 2 --per-floor 3", "expected --floors or --per-floor, got both"),
        ("--sql a.sql --floors 11", "--floors: expected at most 10"),
        ("--sql folder", "expected --stamp with the folder folder"),
        ("--sql folder --stamp 20251340", "--stamp: expected a date"),
        ("--sql folder --stamp yesterday", "--stamp: expected a date"),
        ("--sql a.sql --stamp 20251129", "--stamp: expected it with a folder only"),
        ("--database postgresql://x/y --stamp 20251129", "--stamp: expected it with a folder only"),
        ("--sql a.sql --floors 0", "--floors"),
        ("--database mysql://me:secret@x/y", "--database: expected postgresql://"),
        ("--database postgresql://me:secret@x:port/y", "--database: expected postgresql://"),
        ("--database postgresql://me:a@secret@x/y", "in a password, write @"),
        ("--database postgresql://me:1/secret@x/y", "in a password, write @"),
        ("--database postgresql://me:a/secret@x/y", "in a password, write @"),
        ("--database postgresql://me:secret@x/y?nonsense=secret", "--database: expected postgresql://"),
        ("--database postgresql://me:secret@127.0.0.1:1/y", "the database refused"),
    ],
)
def test_what_can_not_be_seeded_is_refused_in_a_line(puzzles, tmp_path, words, line):
    ended = invoke(["puzzles", "seed", puzzles, *words.split()], tmp_path)
    assert_refused(ended)
    assert line in ended.err
    assert "secret" not in ended.err
    assert not (tmp_path / "a.sql").exists()


def test_without_an_approved_puzzle_nothing_is_written(tmp_path):
    path = tmp_path / "puzzles.jsonl"
    path.write_text(graded(0, 1.0).line() + "\n")
    ended = invoke(["puzzles", "seed", path, "--sql", "a.sql"], tmp_path)
    assert_refused(ended, codes=(2,))
    assert "no puzzle is approved in puzzles.review.jsonl" in ended.err
    assert not (tmp_path / "a.sql").exists()


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
@pytest.mark.parametrize("field", ["initial_state_sgf", "solution_sgf", "tags", "source"])
def test_what_no_database_stores_is_refused_by_puzzle_and_field(field, text):
    puzzle = some_puzzle(7)
    if field == "source":
        puzzle = puzzle.model_copy(update={"metadata": puzzle.metadata.model_copy(update={"source": text})})
    else:
        puzzle = puzzle.model_copy(update={field: [text] if field == "tags" else text})
    place_of = "metadata" if field == "source" else field
    with pytest.raises(UsageError, match=rf"^puzzle '{named(7)}': {place_of}: .* stands in it"):
        seed_sql([Placed(puzzle, 1, 1)])


# ------------------------------------------------------------------ a real server


@pytest.fixture(scope="module")
def server():
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed; apt-get install postgresql")
    with running_server(programs) as started:
        yield started


EVERYTHING = f"SELECT xmin, {', '.join(COLUMNS)} FROM puzzles ORDER BY id;"


def test_psql_loads_a_migration_twice_and_nothing_changes(server, puzzles, tmp_path):
    invoke(["puzzles", "seed", puzzles, "--sql", "a.sql", "--floors", "3"], tmp_path)
    database = server.new_database("twice")
    sql = (tmp_path / "a.sql").read_text()
    server.psql(database, sql)
    first = server.psql(database, EVERYTHING)
    server.psql(database, sql)
    assert server.psql(database, EVERYTHING) == first  # xmin says which transaction wrote a row
    rows = server.psql(database, "SELECT id FROM puzzles ORDER BY difficulty_score, id;").split()
    assert sorted(rows) == [named(number) for number in range(10)]
    ordered = "SELECT floor_number, floor_position FROM puzzles ORDER BY difficulty_score, id;"
    places = [tuple(map(int, line.split("|"))) for line in server.psql(database, ordered).split()]
    assert places == sorted(places)
    assert {floor for floor, _ in places} == {1, 2, 3}


def test_ranks_are_an_enum_in_order(server, puzzles, tmp_path):
    invoke(["puzzles", "seed", puzzles, "--sql", "a.sql"], tmp_path)
    database = server.new_database("ranks")
    server.psql(database, (tmp_path / "a.sql").read_text())
    assert server.psql(database, "SELECT unnest(enum_range(NULL::puzzle_rank));").split() == list(RANKS)
    assert server.psql(database, "SELECT count(*) FROM puzzles WHERE difficulty < '20k';").strip() == "1"


def test_a_puzzle_that_changed_is_brought_up_to_date_and_others_stay(server):
    database = server.new_database("changes")
    before = [Placed(graded(number, 10.0 * number), number + 1, 1) for number in range(3)]
    server.psql(database, seed_sql(before))
    rows = server.psql(database, EVERYTHING).splitlines()
    after = [before[0], Placed(graded(1, 55.0), 9, 9)]
    server.psql(database, seed_sql(after))
    found = server.psql(database, EVERYTHING).splitlines()
    assert (found[0], found[2]) == (rows[0], rows[2])
    assert found[1].split("|")[1:6] == [named(1), "9", "9", "1k", "55"]


def test_an_error_in_the_middle_leaves_nothing(server):
    database = server.new_database("broken")
    text = seed_sql([Placed(graded(0, 1.0), 1, 1)]).replace("COMMIT;", "SELECT 1 / 0;\nCOMMIT;")
    with pytest.raises(AssertionError, match="division by zero"):
        server.psql(database, text)
    assert server.psql(database, "SELECT to_regclass('puzzles');").strip() == ""


NASTY = [
    "'",
    "''",
    "\\",
    "\\'",
    "$$",
    "$tag$",
    "--",
    "/*",
    ";",
    ":x",
    "%s",
    "\\.",
    "\n\\q\n",
    "Ü碁",
    "\r\n",
    "E'",
    "{",
    '"',
    "NULL",
]
texts = st.lists(st.sampled_from(NASTY) | st.text(st.characters(exclude_characters="\0", codec="utf-8")), max_size=6).map(
    "".join
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(texts, texts, st.lists(texts, max_size=3), texts), min_size=1, max_size=6))
def test_any_text_arrives_as_it_was(server, rows):
    placed = []
    for number, (initial, solution, tags, source) in enumerate(rows):
        puzzle = graded(number, 1.0)
        facts = puzzle.metadata.model_copy(update={"source": source})
        update = {"initial_state_sgf": initial, "solution_sgf": solution, "tags": tags, "metadata": facts}
        placed.append(Placed(puzzle.model_copy(update=update), 1, number + 1))
    query = "SELECT to_json(array[initial_state_sgf, solution_sgf]), to_json(tags), metadata FROM puzzles ORDER BY id;"
    printed = server.psql("postgres", "DROP TABLE IF EXISTS puzzles;" + seed_sql(placed) + query, "-F", "\t")
    found = [[json.loads(cell) for cell in line.split("\t")] for line in printed.rstrip("\n").split("\n")]
    told = [one.puzzle for one in placed]
    assert found == [[[p.initial_state_sgf, p.solution_sgf], p.tags, p.metadata.model_dump()] for p in told]


def test_a_database_is_loaded_by_its_url_twice(server, puzzles, tmp_path):
    database = server.new_database("by_url")
    words = ["puzzles", "seed", puzzles, "--database", server.url(database, PASSWORD)]
    ended = invoke(words, tmp_path)
    assert ended.code == 0, ended
    assert f"/{database}: 10 puzzles on 1 floors" in ended.out
    assert PASSWORD not in ended.out + ended.err
    first = server.psql(database, EVERYTHING)
    assert invoke(words, tmp_path).code == 0
    assert server.psql(database, EVERYTHING) == first


def test_both_ways_give_the_same_rows(server, puzzles, tmp_path):
    one, other = server.new_database("one_way"), server.new_database("other_way")
    invoke(["puzzles", "seed", puzzles, "--sql", "a.sql"], tmp_path)
    server.psql(one, (tmp_path / "a.sql").read_text())
    load_sql(server.url(other, PASSWORD), (tmp_path / "a.sql").read_text())
    rows = f"SELECT {', '.join(COLUMNS)} FROM puzzles ORDER BY id;"
    assert server.psql(one, rows) == server.psql(other, rows)


@pytest.mark.parametrize(
    ("database", "password", "reason"),
    [("by_url", "wrong-secret", "password authentication failed"), ("nowhere", PASSWORD, "nowhere")],
)
def test_a_refusal_of_the_server_is_one_line_without_the_password(server, puzzles, tmp_path, database, password, reason):
    ended = invoke(["puzzles", "seed", puzzles, "--database", server.url(database, password)], tmp_path)
    assert_refused(ended, codes=(1,))
    assert reason in ended.err
    assert password not in ended.err


def test_a_table_of_another_shape_is_refused_and_left_alone(server, puzzles, tmp_path):
    database = server.new_database("another")
    server.psql(database, "CREATE TABLE puzzles (id integer); INSERT INTO puzzles VALUES (1);")
    with pytest.raises(PlaymillError, match="the database refused: column"):
        load_sql(server.url(database, PASSWORD), seed_sql([Placed(graded(0, 1.0), 1, 1)]))
    assert server.psql(database, "SELECT * FROM puzzles;").strip() == "1"
