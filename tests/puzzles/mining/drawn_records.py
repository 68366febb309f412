"""Game records made of drawn positions: all stones are set up but one of Black's, which is the game's only move."""

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.games.go.sgf.points import write_point

COLOURS = {"X": BLACK, "O": WHITE}


def record_of(drawing, size=13):
    """The record of a drawing's lowest rows on a board of this size; the columns to the right are empty."""
    rows = [row.split() for row in drawing.strip().splitlines()]
    stones = {"X": [], "O": []}
    for row, marks in enumerate(rows, size - len(rows)):
        for column, mark in enumerate(marks):
            if mark != ".":
                stones[mark].append(write_point(size, cell_of(size, row, column)))
    last = stones["X"].pop()
    setup = "".join(f"{name}{''.join(f'[{point}]' for point in stones[mark])}" for name, mark in (("AB", "X"), ("AW", "O")))
    return f"(;GM[1]FF[4]SZ[{size}]{setup};B[{last}])"


def write_records(folder, drawings, size=13):
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawing in drawings.items():
        (folder / f"{name}.sgf").write_text(record_of(drawing, size))
    return folder


def contents(out):
    """All bytes that a run wrote beside `out`, by name."""
    return {str(path.relative_to(out.parent)): path.read_bytes() for path in sorted(out.parent.rglob("*"))
            if path.is_file() and not path.name.endswith(".tmp")}  # fmt: skip
