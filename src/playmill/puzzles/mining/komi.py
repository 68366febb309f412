"""Komi under which a fight decides the game, as the engine counts.

A frame's komi is reckoned by its points and supposes that nothing but the marked chains is in doubt. Around a real fight there
is more, and an engine to which the game is won or lost anyhow does not care about a group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from playmill.games.go.board import BLACK
from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.katago.analyst import Analyst
from playmill.puzzles.katago.frame import LEAD, Frame
from playmill.puzzles.katago.query import MOST_KOMI, Query
from playmill.puzzles.mining.tree_katago import fate
from playmill.puzzles.solution_tree import PASS

ROUNDS = 3  # looks at most until the komi is right
EVEN = 3.0  # points by which an even game, or a lead, may be off


def even_out(
    query: Query, analyst: Analyst, has_won: Callable[[Analysis], bool] = lambda looked: False
) -> tuple[Query, Analysis, Analysis]:
    """The query under a komi halfway between what playing first and passing are worth, with the answers to both.

    Where playing first wins the fight, the komi is the one with which it then leads by LEAD.
    """
    side = query.to_play
    for number in range(ROUNDS):
        first, passed = analyst.analyse_all([query, query.after(PASS)])
        off = first.lead(side) - LEAD if has_won(first) else (first.lead(side) + passed.lead(side)) / 2
        if abs(off) <= EVEN or number == ROUNDS - 1:
            break
        query = replace(query, komi=moved(query.komi, side, off))
    return query, first, passed


def give_lead(frame: Frame, visits: int, clear_fate: float, analyst: Analyst, label: str) -> Frame:
    """The frame under a komi with which the side to play leads by LEAD where it succeeds; as it was where it does not."""
    side = frame.problem.to_play
    for _ in range(ROUNDS - 1):
        looked = analyst.analyse(frame.query(visits, label))
        off = looked.lead(side) - LEAD
        if fate(looked, frame.problem) < clear_fate or abs(off) <= EVEN:
            break
        frame = frame.at_komi(moved(frame.komi, side, off))
    return frame


def moved(komi: float, side: int, points: float) -> float:
    """The komi with which a side has so many points less, as far as the engine's limits go."""
    komi += round(points) if side == BLACK else -round(points)
    return max(0.5 - MOST_KOMI, min(MOST_KOMI - 0.5, komi))
