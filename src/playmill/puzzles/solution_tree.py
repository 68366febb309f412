"""The solution of a puzzle as a tree of moves, and as SGF.

The tree's first moves are the side to play's: the right one first, then plausible wrong ones, each with what refutes it. In
SGF the right first move has `TE[1]`, a wrong one `BM[1]`; the line that follows first moves throughout is the main line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playmill.core.errors import UsageError, one_line
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.sgf.points import read_cell, write_point
from playmill.games.go.sgf.tree import SgfNode, parse_sgf

LETTERS = {BLACK: "B", WHITE: "W"}
PASS = 0  # a cell that no board has


@dataclass(frozen=True)
class Branch:
    """A move (a cell, or PASS) and what may follow: for a move of the side to play, the opponent's answers worth showing,
    the toughest first; for a move of the opponent, the one answer that does it."""

    move: int
    replies: tuple[Branch, ...] = ()

    @property
    def main_line(self) -> tuple[int, ...]:
        """This move and the first reply of each."""
        return (self.move, *(self.replies[0].main_line if self.replies else ()))

    @property
    def nodes(self) -> int:
        return 1 + sum(reply.nodes for reply in self.replies)


@dataclass(frozen=True)
class SolutionTree:
    """`right` is the one right first move, `wrong` the refuted ones, the most plausible first."""

    side: int
    right: Branch
    wrong: tuple[Branch, ...] = ()

    @property
    def first_moves(self) -> tuple[Branch, ...]:
        return (self.right, *self.wrong)


def write_solution(tree: SolutionTree, size: int) -> str:
    """The tree as one game of SGF without the position, which stands in the puzzle beside it."""
    marks = ["TE[1]"] + ["BM[1]"] * len(tree.wrong)
    lines = [_text(branch, tree.side, size, mark) for branch, mark in zip(tree.first_moves, marks, strict=True)]
    return f"(;GM[1]FF[4]SZ[{size}]{_joined(lines)})"


def read_solution(text: str, where: str) -> tuple[SolutionTree, int]:
    """The tree that `write_solution` wrote, and the board's size."""
    try:
        root = parse_sgf(text)
        size = int(root.text("SZ") or "")
    except ValueError as error:
        raise UsageError(f"{where}: expected a solution in SGF with a board's size, but {one_line(error)}") from None
    sides = [colour for colour, letter in LETTERS.items() if root.children and root.children[0].raw(letter) is not None]
    if not sides:
        raise UsageError(f"{where}: expected a solution with a first move, got {text[:60]!r}")
    right, *wrong = (_branch(node, sides[0], size, where) for node in root.children)
    return SolutionTree(sides[0], right, tuple(wrong)), size


def _text(branch: Branch, side: int, size: int, mark: str = "") -> str:
    node = f";{LETTERS[side]}[{write_point(size, branch.move)}]{mark}"
    return node + _joined([_text(reply, 3 - side, size) for reply in branch.replies])


def _joined(lines: list[str]) -> str:
    """One line follows by itself; several are variations."""
    return lines[0] if len(lines) == 1 else "".join(f"({line})" for line in lines)


def _branch(node: SgfNode, side: int, size: int, where: str) -> Branch:
    value = node.raw(LETTERS[side])
    cell = PASS if value == "" else None if value is None else read_cell(value, size)
    if cell is None:
        raise UsageError(f"{where}: expected a move {LETTERS[side]}[..] on a board of {size} lines, got {value!r}")
    return Branch(cell, tuple(_branch(child, 3 - side, size, where) for child in node.children))


def each_move(branch: Branch) -> Iterator[int]:
    """All moves of a branch, this one first."""
    yield branch.move
    for reply in branch.replies:
        yield from each_move(reply)
