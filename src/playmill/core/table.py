"""Tables of named rows: the kinds of something that there are. A room owns its table and reads it, packs enter rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from playmill.core.errors import UsageError, unknown_name

Row = TypeVar("Row")


class NameTable(dict[str, Row]):
    """Rows by name; `what` says in errors what a row is, such as "search"."""

    def __init__(self, what: str, rows: Mapping[str, Row]) -> None:
        super().__init__(rows)
        self.what = what

    def find(self, name: str) -> Row:
        """The row of that name; an unknown one is refused with the nearest and all that are known."""
        if name not in self:
            raise unknown_name(self.what, name, self)
        return self[name]

    def enter(self, name: str, row: Row) -> None:
        """Add a row under a free name."""
        self.require_free(name)
        self[name] = row

    def require_free(self, name: str) -> None:
        """Refuse a name that is taken, so that nobody changes what others rely on."""
        if name in self:
            raise UsageError(f"{self.what} '{name}' is there already; choose another name (known: {', '.join(sorted(self))})")
