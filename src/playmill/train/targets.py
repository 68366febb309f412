"""What each head of a network is taught: columns of the replay's targets, mixed with what the search expected."""

from __future__ import annotations

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.game import Game
from playmill.games.heads import Head, heads_of
from playmill.replay.tables import Array
from playmill.train import kernels


class HeadTargets:
    """Picks the targets of a network's heads out of replay rows, as `games/heads.py` has them."""

    def __init__(self, game: Game, heads: tuple[str, ...], names: tuple[str, ...], bootstrap: float) -> None:
        """`names` are the replay's columns; a head whose outcome is not among them can't be taught, which is an error."""
        self.game, self.bootstrap = game, bootstrap
        self._lessons = [(head, *_columns_of(head, game, names)) for head in heads_of(heads)]

    def __call__(self, targets: Array) -> Array:
        """Float32 [n, columns of the heads] out of the replay's [n, targets]; NaN where there is nothing to learn."""
        picked = []
        for head, outcome, expected in self._lessons:
            lesson = head.as_outcome(self.game, targets[:, outcome])
            if expected:
                lesson = mixed(lesson, head.as_expected(self.game, targets[:, expected]), self.bootstrap)
            picked.append(lesson)
        return np.concatenate(picked, axis=1).astype(np.float32, copy=False)


def mixed(outcome: Array, expected: Array, bootstrap: float) -> Array:
    """(1 - bootstrap) * outcome + bootstrap * expected; where one of them is NaN, the other alone. Float32 [n, columns]."""
    found = np.empty(outcome.shape, np.float32)
    kernels.mix(outcome, expected, bootstrap, found)
    return found


def _columns_of(head: Head, game: Game, names: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """Where a head's columns stand: those of the outcome, and those of the search, none if they are not all there."""
    outcome, expected = tuple(head.outcome(game)), tuple(head.expected(game))
    for name in outcome:
        if name not in names:
            raise PlaymillError(f"training: the head '{head.name}' expects a target '{name}' in the replay, got {list(names)}")
    is_there = set(expected) <= set(names)
    return [names.index(name) for name in outcome], [names.index(name) for name in expected] if is_there else []
