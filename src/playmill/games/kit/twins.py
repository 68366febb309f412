"""A twin: the same rules, written a second time as plain Python, and compared with the kernels and the Python face."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.seeds import START, mix
from playmill.games.game import Game
from playmill.games.kit.samples import Episode, Moment, Sample, chance_key_one, is_over, listed_actions
from playmill.games.one import to_move_one
from playmill.games.state import State

METHODS = ("start", "legal", "play", "outcome", "to_move")
TOLERANCE = 1e-9


class Twin(Protocol):
    """What the kit asks of a twin. `chance` is a Python integer of 64 bits, from which the rules draw as the kernels do."""

    def start(self, chance: int) -> None:
        """Begin a game."""

    def legal(self) -> list[int]:
        """The legal actions, ascending."""

    def play(self, action: int, chance: int) -> None:
        """Play one of them."""

    def outcome(self) -> list[float] | None:
        """The scores, or None while the game goes on."""

    def to_move(self) -> int:
        """Whose turn it is."""


def check_state(game: Game, sample: Sample) -> None:
    """Walk through every game of the sample with the State beside it."""
    for episode in sample.episodes:
        _check_state(game, episode)


def check_twin(game: Game, twin: Any, sample: Sample) -> None:
    """Walk through every game of the sample with the twin beside it.

    `twin` is an object or a class; a class is made anew for each game.
    """
    _check_methods(game, twin)
    for episode in sample.episodes:
        _check_episode(game, twin() if isinstance(twin, type) else twin, episode)


def _check_methods(game: Game, twin: Any) -> None:
    missing = [name for name in METHODS if not callable(getattr(twin, name, None))]
    if missing:
        raise UsageError(f"{game.name}: the twin has no method {', '.join(missing)}; a twin has {', '.join(METHODS)}")


def _check_state(game: Game, episode: Episode) -> None:
    """The Python face, applying the same actions from the same seed, gives the kernels' records and answers."""
    state = game.new(episode.seed)
    for moment in episode.moments():
        _compare(moment, "record", state.record.tobytes().hex(), moment.record.tobytes().hex(), "State")
        _compare(moment, "outcome", state.is_over, is_over(game, moment.records), "State")
        if moment.action is not None:
            _compare(moment, "legal", list(state.legal_actions), listed_actions(game, moment.records), "State")
            _compare(moment, "to_move", state.to_move, to_move_one(game, moment.records), "State")
            state = state.apply(moment.action)


def _check_episode(game: Game, twin: Twin, episode: Episode) -> None:
    twin.start(mix(episode.seed, START))
    for moment in episode.moments():
        state = moment.state()
        _compare_scores(moment, twin.outcome(), state)
        if moment.action is not None:
            _compare(moment, "legal", [int(action) for action in twin.legal()], list(state.legal_actions), "the twin")
            _compare(moment, "to_move", int(twin.to_move()), state.to_move, "the twin")
            twin.play(moment.action, mix(episode.seed, int(chance_key_one(game, moment.records))))


def _compare_scores(moment: Moment, scores: list[float] | None, state: State) -> None:
    expected = list(state.returns) if state.is_over else None
    if scores is None or expected is None or not np.allclose(scores, expected, rtol=0, atol=TOLERANCE):
        _compare(moment, "outcome", scores, expected, "the twin")


def _compare(moment: Moment, what: str, theirs: Any, ours: Any, who: str) -> None:
    if theirs != ours:
        raise moment.breach(f"{what} of seed {moment.seed}, ply {moment.ply}: {who} says {theirs}, the kernels {ours}")
