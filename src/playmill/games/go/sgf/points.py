"""Points as SGF writes them: two letters, column and row from the top left; a rectangle as its two corners."""

from __future__ import annotations

from collections.abc import Iterator

from playmill.games.go.geometry import cell_of, place_of

FIRST = ord("a")
OLD_PASS = "tt"  # on boards up to 19x19, in FF[3] and before


def read_place(value: str) -> tuple[int, int] | None:
    """The row and column that two small letters mean; None if it is anything else."""
    if len(value) != 2 or not ("a" <= value[0] <= "z" and "a" <= value[1] <= "z"):
        return None
    return ord(value[1]) - FIRST, ord(value[0]) - FIRST


def read_cell(value: str, size: int) -> int | None:
    """The cell of a point; None if it is not on a board of this size."""
    place = read_place(value)
    return None if place is None or max(place) >= size else cell_of(size, *place)


def write_point(size: int, cell: int) -> str:
    """A cell as two letters; 0, a pass, as none."""
    if cell == 0:
        return ""
    row, column = place_of(size, cell)
    return chr(FIRST + column) + chr(FIRST + row)


def spread(value: str) -> Iterator[str]:
    """The points of a list's value, which may be a rectangle such as aa:cc."""
    first, colon, last = value.partition(":")
    begin, end = read_place(first), read_place(last)
    if not colon or begin is None or end is None:
        yield value
        return
    rows, columns = (sorted((begin[axis], end[axis])) for axis in (0, 1))
    for row in range(rows[0], rows[1] + 1):
        for column in range(columns[0], columns[1] + 1):
            yield chr(FIRST + column) + chr(FIRST + row)
