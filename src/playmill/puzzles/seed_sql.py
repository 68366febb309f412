"""Puzzles as SQL for PostgreSQL: one transaction that can be run again without changing anything. See docs/formats.md.

Every text is quoted. With standard_conforming_strings, which the transaction sets itself, nothing in a quoted text has a
meaning but the quote, which is doubled. What PostgreSQL can't store as text, a NUL or half a surrogate pair, is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from playmill import __version__
from playmill.core.errors import UsageError
from playmill.puzzles.puzzle import RANKS
from playmill.puzzles.seeding import Placed

TABLE = "puzzles"
RANK_TYPE = "puzzle_rank"
COLUMNS = {
    "id": "text PRIMARY KEY",
    "floor_number": "integer NOT NULL CHECK (floor_number > 0)",
    "floor_position": "integer NOT NULL CHECK (floor_position > 0)",
    "difficulty": f"{RANK_TYPE} NOT NULL",
    "difficulty_score": "double precision NOT NULL",
    "initial_state_sgf": "text NOT NULL",
    "solution_sgf": "text NOT NULL",
    "tags": "text[] NOT NULL",
    "metadata": "jsonb NOT NULL",
}
ROWS = 500  # of one INSERT: few enough to be parsed at ease


def seed_sql(placed: Sequence[Placed]) -> str:
    """The whole file."""
    floors = placed[-1].floor if placed else 0
    return "".join(
        [
            f"-- {len(placed)} Go puzzles on {floors} floors, by playmill {__version__}. Running it again changes nothing.\n",
            "BEGIN;\nSET LOCAL client_encoding = 'UTF8';\nSET LOCAL standard_conforming_strings = on;\n\n",
            _schema(),
            *(_insert(placed[first : first + ROWS]) for first in range(0, len(placed), ROWS)),
            "COMMIT;\n",
        ]
    )


def quote(value: str, where: str) -> str:
    """A text as a literal; `where` names it if it can't be stored."""
    if "\0" in value:
        raise UsageError(f"{where}: a NUL stands in it, which no database stores; take it out")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{where}: half a surrogate pair stands in it, which is no text; take it out") from None
    return "'" + value.replace("'", "''") + "'"


def _schema() -> str:
    """The type and the table, made if they are not there."""
    ranks = ", ".join(f"'{rank}'" for rank in RANKS)
    columns = ",\n".join(f"    {name} {kind}" for name, kind in COLUMNS.items())
    return (
        f"DO $$ BEGIN\n    CREATE TYPE {RANK_TYPE} AS ENUM ({ranks});\n"
        "EXCEPTION WHEN duplicate_object THEN NULL;\nEND $$;\n\n"
        f"CREATE TABLE IF NOT EXISTS {TABLE} (\n{columns}\n);\n"
        f"CREATE INDEX IF NOT EXISTS {TABLE}_by_floor ON {TABLE} (floor_number, floor_position);\n\n"
    )


def _insert(placed: Sequence[Placed]) -> str:
    """Rows that are new are added, those that differ are brought up to date, equal ones are not touched."""
    changing = [name for name in COLUMNS if name != "id"]
    rows = ",\n".join(f"    ({', '.join(_values(one))})" for one in placed)
    news = ",\n".join(f"    {name} = excluded.{name}" for name in changing)
    was, will_be = (", ".join(f"{table}.{name}" for name in changing) for table in (TABLE, "excluded"))
    return (
        f"INSERT INTO {TABLE} ({', '.join(COLUMNS)}) VALUES\n{rows}\n"
        f"ON CONFLICT (id) DO UPDATE SET\n{news}\nWHERE ({was})\n    IS DISTINCT FROM ({will_be});\n\n"
    )


def _values(one: Placed) -> Iterator[str]:
    puzzle, where = one.puzzle, f"puzzle {one.puzzle.name!r}"
    yield quote(puzzle.name, where)
    yield str(one.floor)
    yield str(one.place)
    yield quote(puzzle.difficulty, where)
    yield repr(puzzle.metadata.difficulty_score)
    yield quote(puzzle.initial_state_sgf, f"{where}: initial_state_sgf")
    yield quote(puzzle.solution_sgf, f"{where}: solution_sgf")
    yield f"ARRAY[{', '.join(quote(tag, f'{where}: tags') for tag in puzzle.tags)}]::text[]"
    yield _json(puzzle.metadata.model_dump(), f"{where}: metadata")


def _json(facts: dict[str, object], where: str) -> str:
    """Facts as a literal of JSON, whose texts PostgreSQL can store."""
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False)
    if "\\u0000" in json.dumps(facts).replace("\\\\", ""):
        quote("\0", where)
    return quote(text, where) + "::jsonb"
