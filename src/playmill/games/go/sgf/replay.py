"""Plays a game's tree through on the board.

The main line must be possible, but for its last tenth; a variation that isn't is left out from its first impossible move on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.games.go.board import BLACK, EMPTY, WHITE, board_type, clear
from playmill.games.go.board_text import name_cell
from playmill.games.go.geometry import MAX_SIZE
from playmill.games.go.replay import REPEATED, WHY, lay_out, play_line
from playmill.games.go.sgf.points import read_cell, write_point
from playmill.games.go.sgf.properties import MOVES, STONES
from playmill.games.go.sgf.repairs import Repairs, SgfRejected
from playmill.games.go.sgf.tidy import stones_of, tidy_points
from playmill.games.go.sgf.tree import SgfNode

COLOURS = {"B": BLACK, "W": WHITE, "": EMPTY}
SIDES = {BLACK: "B", WHITE: "W"}
SUICIDAL = ("nz", "new zealand", "tromp", "ing", "goe")  # beginnings of rules that allow suicide
LOST_SHARE = 10  # a game may lose one part in so many at its end
Line = tuple[SgfNode, Any, int, bool]  # where a line begins, the boards before it, moves before it, whether it is the main one


def new_board(size: int) -> Any:
    """An empty board, shape [1]. The record is that of the largest board, so that kernels are compiled for one type only."""
    boards = np.zeros(1, board_type(MAX_SIZE))
    clear(boards[0], size)
    return boards


def move_of(node: SgfNode, size: int) -> tuple[int, int] | None:
    """The colour and the cell of a node's move, cell 0 for a pass; None if it has none. Points must be tidy."""
    for name in MOVES & node.properties.keys():
        return COLOURS[name], read_cell(node.properties[name][0], size) or 0
    return None


def replay_tree(root: SgfNode, size: int, repairs: Repairs) -> SgfNode | None:
    """Play all lines; return what must become a game of its own, since stones were set up in the midst of the main line."""
    return _Replay(root, size, repairs).run()


class _Replay:
    """One tree at work: lines that wait for their turn, and nodes that are to be left out."""

    def __init__(self, root: SgfNode, size: int, repairs: Repairs) -> None:
        self.root, self.size, self.repairs = root, size, repairs
        self.may_suicide = (root.text("RU") or "").strip().lower().startswith(SUICIDAL)
        self.taken = np.zeros((2, new_board(size)["empty"].shape[1]), np.uint64)
        self.waiting: list[Line] = [(root, new_board(size), 0, True)]
        self.dropped: set[int] = set()
        self.rest: SgfNode | None = None

    def run(self) -> SgfNode | None:
        while self.waiting:
            node, boards, moves, is_main = self.waiting.pop()
            try:
                self._play(node, boards, moves, is_main)
            except _Impossible as stop:
                self._leave_out(stop, is_main)
        if self.dropped:
            for node in self.root.every_node():
                node.children = [child for child in node.children if id(child) not in self.dropped]
        return self.rest

    def _leave_out(self, stop: _Impossible, is_main: bool) -> None:
        """Leave out a node and what follows; of the main line, only where no more than its last tenth is lost."""
        if not is_main:
            self.repairs.note("variation_dropped")
        else:
            line = [node for node in self.root.main_line() if node.properties.keys() & MOVES]
            lost = len(line) - next((number for number, node in enumerate(line) if node is stop.node), 0)
            if stop.reason != "illegal_move" or lost * LOST_SHARE > len(line):
                raise SgfRejected(stop.reason, stop.detail) from None
            self.repairs.note("end_cut")
        self.dropped.add(id(stop.node))

    def _play(self, node: SgfNode, boards: Any, moves: int, is_main: bool) -> None:
        """Play from a node to where lines part; put what follows on the waiting list."""
        line: list[tuple[SgfNode, int, int]] = []
        while True:
            self._tidy(node)
            if node.properties.keys() & STONES:
                self._play_moves(boards, line, moves)
                moves, line = moves + len(line), []
                self._set_up(boards, node)
                if is_main and moves:
                    self._split(node, boards)
                    return
            move = move_of(node, self.size)
            if move is not None:
                line.append((node, *move))
            if len(node.children) != 1:
                break
            node = node.children[0]
        self._play_moves(boards, line, moves)
        for number, child in reversed(list(enumerate(node.children))):
            self.waiting.append((child, boards.copy(), moves + len(line), is_main and number == 0))

    def _tidy(self, node: SgfNode) -> None:
        try:
            tidy_points(node, self.size, self.repairs)
        except SgfRejected as problem:
            raise _Impossible(node, problem.reason, problem.detail) from None

    def _play_moves(self, boards: Any, line: list[tuple[SgfNode, int, int]], before: int) -> None:
        """Play a line; a move on the side's own stone says nothing, and is taken out of its node."""
        colours, cells = (np.array([move[axis] for move in line], np.int64) for axis in (1, 2))
        done = 0
        while done < len(line):
            played, why = play_line(boards, cells[done:], colours[done:], self.taken, self.may_suicide)
            done += played
            if done == len(line):
                return
            node, colour, cell = line[done]
            if why != REPEATED:
                move = f"move {before + done + 1}: {SIDES[colour]} {name_cell(self.size, cell)}"
                raise _Impossible(node, "illegal_move", f"{move}: {WHY[why]}")
            self.repairs.note("stone_repeated")
            del node.properties[SIDES[colour]]
            done += 1

    def _set_up(self, boards: Any, node: SgfNode) -> None:
        colours = np.where(boards[0].colour == 3, 0, boards[0].colour).astype(np.uint8)
        try:
            for point, side in stones_of(node).items():
                colours[read_cell(point, self.size)] = COLOURS[side]
        except SgfRejected as problem:
            raise _Impossible(node, problem.reason, problem.detail) from None
        choked = lay_out(boards, self.size, colours)
        if choked:
            raise _Impossible(node, "bad_setup", f"the chain on {name_cell(self.size, int(choked))} has no liberty")

    def _split(self, node: SgfNode, boards: Any) -> None:
        """End the main line before this node, and begin another game with the position that it makes."""
        self.repairs.note("split_at_setup")
        parent = next(one for one in self.root.main_line() if node in one.children)
        parent.children = []
        info = {name: values for name, values in self.root.properties.items() if name not in STONES}
        self.rest = SgfNode(
            info | {name: values for name, values in node.properties.items() if name not in STONES}, node.children
        )
        for colour, name in ((BLACK, "AB"), (WHITE, "AW")):
            cells = np.flatnonzero(boards[0].colour == colour)
            if cells.size:
                self.rest.properties[name] = sorted(write_point(self.size, int(cell)) for cell in cells)


class _Impossible(Exception):
    """A node that can't be played."""

    def __init__(self, node: SgfNode, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.node, self.reason, self.detail = node, reason, detail
