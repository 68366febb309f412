"""Which pairs of games say something new: bots that draw nothing play the same pair again from the same opening.

A repetition is no evidence, so it must not narrow an interval or move a sequential test. Where a bot draws its moves, equal
games on different seeds are independent all the same, and count.
"""

from __future__ import annotations

import numpy as np

from playmill.arena.match import Match
from playmill.search.decisions import Array

GameKey = tuple[int | bytes, ...]


class Repeats:
    """Keeps what was played in a gate, and tells pairs that repeat it from new ones."""

    def __init__(self, is_paired: bool) -> None:
        """`is_paired`: the two games of a pair share their opening, so the pair is looked at as one."""
        self._is_paired = is_paired
        self._seen: set[tuple[GameKey, ...]] = set()
        self._games: set[GameKey] = set()

    @property
    def distinct_games(self) -> int:
        """How many games differ in what was played after the opening, in the dice, or in who sat where."""
        return len(self._games)

    def drop(self, match: Match) -> Match:
        """The match without the pairs that repeat an earlier one of it, or of a match that was looked at before."""
        played = _keys(match)
        self._games.update(played)
        # The same seed gives a bot the same draws; another seed doesn't.
        seeds = match.seeds.tolist() if match.draws else [0] * len(played)
        keys = [(*key, seed) for key, seed in zip(played, seeds, strict=True)]
        is_new = np.array([self._is_new(keys[i], keys[i + 1]) for i in range(0, len(keys), 2)], np.bool_)
        return match if is_new.all() else match.take(np.repeat(is_new, 2))

    def _is_new(self, first: GameKey, second: GameKey) -> bool:
        """Whether a pair is new, which it then is no longer; unpaired games must both be new."""
        parts = {(first, second)} if self._is_paired else {(first,), (second,)}
        is_new = not parts & self._seen
        self._seen |= parts
        return is_new


def _keys(match: Match) -> list[GameKey]:
    """One a game: who sat where, the moves that were not drawn for an opening, the last record, which tells dice apart."""
    first = np.minimum(match.offsets[:-1] + match.opening, match.offsets[1:])
    ends: Array = match.finals.view(np.uint8).reshape(match.seeds.size, -1)
    moves = [match.actions[a:b].tobytes() for a, b in zip(first.tolist(), match.offsets[1:].tolist(), strict=True)]
    return list(zip((row.tobytes() for row in match.seats), moves, (end.tobytes() for end in ends), strict=True))
