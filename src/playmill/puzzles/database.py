"""Puzzles loaded into a PostgreSQL database that is given by its URL. Its password is told to nobody but the server."""

from __future__ import annotations

from typing import Any

from playmill.core.errors import PlaymillError, UsageError, one_line
from playmill.core.extras import require_extra

WAIT_S = 10
EXPECTED = "postgresql://USER@HOST:PORT/DATABASE, the password in it, in PGPASSWORD or in ~/.pgpass"


def load_sql(url: str, sql: str) -> str:
    """Run the SQL, which is its own transaction; return where, without the password."""
    require_extra("postgres", "seed --database")
    import psycopg

    facts = _read_url(url)
    try:
        with psycopg.connect(**{"connect_timeout": WAIT_S, **facts}, autocommit=True) as connection:
            connection.execute(sql.encode())
    except psycopg.Error as error:
        raise PlaymillError(f"{_place(facts)}: the database refused: {_without(facts.get('password'), error)}") from None
    return _place(facts)


def _read_url(url: str) -> dict[str, Any]:
    """What a URL says. Nothing of one that can't be read is shown: any part of it may be the password.

    A password with an @, : or / that is not written as %40, %3A or %2F would become a part of the place.
    """
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    if not url.startswith(("postgresql://", "postgres://")):
        raise UsageError(f"--database: expected {EXPECTED}")
    try:
        facts = dict(conninfo_to_dict(url))
    except (ProgrammingError, UnicodeError):
        raise UsageError(f"--database: expected {EXPECTED}, but it can't be read as such") from None
    if "@" in _place(facts) or not str(facts.get("port", "0")).isdigit():
        raise UsageError(f"--database: expected {EXPECTED}; in a password, write @ : / ? # % as %40 %3A %2F %3F %23 %25")
    return facts


def _place(facts: dict[str, Any]) -> str:
    port = f":{facts['port']}" if "port" in facts else ""
    return f"postgresql://{facts.get('host', 'localhost')}{port}/{facts.get('dbname', '')}"


def _without(password: str | None, error: Exception) -> str:
    line = one_line(error)
    return line.replace(password, "***") if password else line
