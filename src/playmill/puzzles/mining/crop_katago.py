"""The localizer of the engine: as few stones around the marked chains as keep their fate, whichever side plays first.

Crops are tried from the smallest on, each in its frame at a glance: the lines around the marked chains, then the chains that
touch them as well. A crop that cuts off what a group lives by, or what its enemies do, changes what becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import place_of
from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.katago.analyst import Analyst
from playmill.puzzles.katago.frame import Frame, NoFrame, make_frame
from playmill.puzzles.mining.candidate import Candidate
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.katago_settings import JudgeSettings
from playmill.puzzles.mining.komi import even_out
from playmill.puzzles.mining.tree_katago import fate
from playmill.puzzles.solver.problem import Tsumego, make_problem

SNAP = 2  # lines from an edge to which the box is snapped
GLANCE = 1  # visits: the network's own opinion
Cells = frozenset[int]


def localize(candidate: Candidate, settings: JudgeSettings, analyst: Analyst, label: str) -> Frame | Rejection:
    """The first crop, in its frame, in which the marked chains are the side's that plays first."""
    last = Rejection("crop_changed", "a chain has no liberty without the stones that were cut off")
    for problem in crops(candidate, settings):
        try:
            frame = balanced(make_frame(problem, settings.margin), settings, analyst, label)
        except NoFrame:
            last = Rejection("no_frame", "the board has no room for a frame around it")
            continue
        if frame is not None:
            return frame
        last = Rejection("crop_changed", "who plays first does not decide the marked chains' fate in the cropped position")
    return last


def balanced(frame: Frame, settings: JudgeSettings, analyst: Analyst, label: str) -> Frame | None:
    """The frame under a komi by which the marked chains decide the game; None if who plays first does not decide their fate."""

    def is_won(looked: Analysis) -> bool:
        return fate(looked, frame.problem) >= settings.crop_fate

    query, first, passed = even_out(frame.query(GLANCE, label), analyst, is_won)
    is_open = is_won(first) and fate(passed, frame.problem) <= -settings.crop_fate
    return frame.at_komi(query.komi) if is_open else None


def crops(candidate: Candidate, settings: JudgeSettings) -> Iterator[Tsumego]:
    """The candidate with ever more of the stones around its marked chains; each position comes once."""
    whole, seen = candidate.problem(), set[Cells]()
    tries = [(whole.marked, padding) for padding in settings.paddings]
    for around, padding in [*tries, (_active(whole), settings.active_padding)]:
        kept = _in_box(candidate, around, padding)
        if kept in seen:
            continue
        seen.add(kept)
        stones = {
            BLACK: [cell for cell in candidate.black if cell in kept],
            WHITE: [cell for cell in candidate.white if cell in kept],
        }
        try:
            yield make_problem(candidate.size, stones, candidate.marked, candidate.to_play, "cropped")
        except UsageError:
            continue  # a chain has no liberty


def _active(whole: Tsumego) -> Cells:
    """The marked chains and those that touch them, at a corner of a stone or at its side."""
    board, places = whole.boards[0], [place_of(whole.size, cell) for cell in whole.marked]
    near = {
        int(board.head[cell])
        for cell in np.flatnonzero(board.head).tolist()
        if any(max(abs(row - r), abs(column - c)) <= 1 for row, column in [place_of(whole.size, cell)] for r, c in places)
    }
    return frozenset(np.flatnonzero(np.isin(board.head, sorted(near - {0}))).tolist())


def _in_box(candidate: Candidate, around: Iterable[int], padding: int) -> Cells:
    """The stones in the box of some cells with so many lines more, snapped to near edges."""
    size, places = candidate.size, [place_of(candidate.size, cell) for cell in around]
    bounds = []
    for axis in (0, 1):
        low, high = (limit(place[axis] for place in places) for limit in (min, max))
        low, high = low - padding, high + padding
        bounds.append((0 if low <= SNAP else low, size - 1 if high >= size - 1 - SNAP else high))
    return frozenset(
        cell
        for cell in (*candidate.black, *candidate.white)
        if all(low <= line <= high for line, (low, high) in zip(place_of(size, cell), bounds, strict=True))
    )
