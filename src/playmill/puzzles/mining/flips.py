"""Which group changed hands between two positions of a game, or hangs on who plays first, by the engine's ownership."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import place_of
from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.mining.katago_settings import HuntSettings


def find_flipped(
    board: Any, before: Analysis, after: Analysis, loser: int, settings: HuntSettings, share: float = 1.0
) -> tuple[int, ...]:
    """The lowest cells of the board's chains that a side lost: its own died, or the other's live after all.

    A chain is lost if its points were rather the side's before and are rather the other's after, and `share` of `min_swing`
    lies between. Of both colours the one with more such stones counts, and of its chains those near the largest.
    """
    swing = share * settings.min_swing
    lost = {head: cells for head, cells in _chains(board).items() if _is_lost(before, after, cells, loser, swing)}
    sides = {colour: [head for head in lost if board.colour[head] == colour] for colour in (BLACK, WHITE)}
    heads = max(sides.values(), key=lambda side: sum(len(lost[head]) for head in side))
    group = _near_the_largest(int(board.width), {head: lost[head] for head in heads}, settings.group_reach)
    return group if sum(len(lost[head]) for head in group) >= settings.min_stones else ()


def find_unsettled(board: Any, looked: dict[int, Analysis], settings: HuntSettings) -> list[int]:
    """The lowest cells of chains that belong to whichever side plays first, the largest of each group that are near each other.

    `looked` has the answers by the side to play. Chains of both colours that hang together, as in a race, are one group.
    """
    least = settings.unsettled_fate
    open_chains = {
        head: cells
        for head, cells in _chains(board).items()
        if _mean(looked[BLACK], cells, BLACK) >= least and _mean(looked[WHITE], cells, WHITE) >= least
    }
    found = []
    while open_chains:
        group = _near_the_largest(int(board.width), open_chains, settings.group_reach)
        largest = max(group, key=lambda head: (len(open_chains[head]), -head))
        if len(open_chains[largest]) >= settings.min_stones:
            found.append(largest)
        open_chains = {head: cells for head, cells in open_chains.items() if head not in group}
    return sorted(found)


def _chains(board: Any) -> dict[int, list[int]]:
    return {head: np.flatnonzero(board.head == head).tolist() for head in np.unique(board.head[board.head > 0]).tolist()}


def _is_lost(before: Analysis, after: Analysis, cells: list[int], loser: int, swing: float) -> bool:
    had, has = _mean(before, cells, loser), _mean(after, cells, loser)
    return had > 0 > has and had - has >= swing


def _mean(analysis: Analysis, cells: list[int], colour: int) -> float:
    return sum(analysis.owns(cell, colour) for cell in cells) / len(cells)


def _near_the_largest(size: int, chains: dict[int, list[int]], reach: int) -> tuple[int, ...]:
    """The chains that are a few lines from the largest, or from one that is."""
    if not chains:
        return ()
    group = [max(chains, key=lambda head: (len(chains[head]), -head))]
    for head in group:
        group += [
            other for other in sorted(chains) if other not in group and _distance(size, chains[head], chains[other]) <= reach
        ]
    return tuple(sorted(group))


def _distance(size: int, one: list[int], other: list[int]) -> int:
    places, others = ([place_of(size, cell) for cell in cells] for cells in (one, other))
    return min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in places for b in others)
