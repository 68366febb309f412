"""Random games as raw records: what the promises of the contract are tried on.

Kernels trust their input, and here the kernels themselves are in doubt. So nothing that a kernel answered is used before it
was checked, and every array that a kernel may write has room to spare, in which a stray write shows.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import CHOICES, below, mix, mix_word
from playmill.games import kernels, one
from playmill.games.game import Game
from playmill.games.golden import MAX_PLIES
from playmill.games.kit.promise import GAMES_END, LEGAL_IN_ORDER, Breach, breach_error
from playmill.games.state import State

OUTCOMES_EACH = 16  # plies
SPARE = 64  # elements behind an array that a kernel fills
MOST_STRAY = 4096  # actions beyond `max_legal` that a `legal` in error may write and still be found out
UNTOUCHED = -123456789  # what stands there, and stays


@dataclass(frozen=True)
class Moment:
    """One record of an episode, and the action that was played in it: None in the last."""

    game: Game
    seed: int
    ply: int
    records: Any  # this record alone, shape [1]; nobody may write it
    action: int | None

    @property
    def record(self) -> Any:
        return self.records[0]

    def guarded(self) -> Any:
        """A copy in the middle of three records; the outer two are full of noise that must stay as it is."""
        trio = np.frombuffer(b"\xa5" * (3 * self.game.state.itemsize), self.game.state).copy()
        trio[1] = self.record
        return trio

    def state(self) -> State:
        return State(self.game, self.records.copy(), self.seed, self.ply)

    @property
    def asks_outcomes(self) -> bool:
        """Whether to list what may follow the action: that is long, so only now and then."""
        return self.action is not None and "outcomes" in self.game.kernels and self.ply % OUTCOMES_EACH == 0

    def breach(self, what: str) -> Breach:
        """What to raise if something is wrong here."""
        return Breach(self.game, what, self.record)


@dataclass(frozen=True)
class Episode:
    """One random game: `records` has one more row than there are `actions`."""

    game: Game
    seed: int
    records: Any
    actions: tuple[int, ...]

    def moments(self) -> Iterator[Moment]:
        for ply, action in enumerate((*self.actions, None)):
            yield Moment(self.game, self.seed, ply, self.records[ply : ply + 1], action)


@dataclass(frozen=True)
class Sample:
    """The random games of one check: number i is the episode `mix(seed, i)`."""

    seed: int
    episodes: tuple[Episode, ...]

    def moments(self, limit: int | None = None) -> Iterator[Moment]:
        """All moments in order, or about `limit` of them, evenly spread."""
        step = 1 if limit is None else max(1, self.size // limit)
        every = (moment for episode in self.episodes for moment in episode.moments())
        return (moment for number, moment in enumerate(every) if number % step == 0)

    def decisions(self, limit: int | None = None) -> Iterator[tuple[Moment, int]]:
        """The moments in which the game goes on, each with the action that was played."""
        return ((moment, moment.action) for moment in self.moments(limit) if moment.action is not None)

    @property
    def size(self) -> int:
        return sum(len(episode.records) for episode in self.episodes)


@functools.cache
def sample_games(game: Game, games: int, seed: int) -> Sample:
    """`games` random games; a game that can't even be played breaks a promise here."""
    return Sample(seed, tuple(play_randomly(game, mix(seed, number)) for number in range(games)))


def play_randomly(game: Game, seed: int) -> Episode:
    """One random game, by the same choices as `golden.random_action`."""
    records = game.records(1)
    one.start_one(game, records, np.uint64(seed))
    history = [records.copy()]
    actions: list[int] = []
    while not is_over(game, records):
        if len(actions) == MAX_PLIES:
            raise breach_error(game, GAMES_END, f"the random game of seed {seed} has no end after {MAX_PLIES} actions")
        legal = listed_actions(game, records)
        actions.append(legal[below(mix(mix(seed, CHOICES), len(actions)), len(legal))])
        one.play_one(game, records, actions[-1], np.uint64(seed))
        history.append(records.copy())
    return Episode(game, seed, np.concatenate(history), tuple(actions))


def is_over(game: Game, records: Any) -> bool:
    return bool(one.outcome_one(game, records, np.empty(game.players + SPARE)))


def listed_actions(game: Game, records: Any) -> list[int]:
    """The legal actions of an unfinished record, once they are known to be in order."""
    actions = np.full(_room(game), UNTOUCHED, np.int32)
    count = one.legal_one(game, records, actions, np.empty(game.players + SPARE))
    return _in_order(game, "legal", actions, count, records)


def distinct_actions(game: Game, records: Any) -> list[int]:
    """The distinct actions of an unfinished record, likewise."""
    actions = np.full(_room(game), UNTOUCHED, np.int32)
    count = distinct_one(game, records, actions)
    return _in_order(game, "distinct", actions, count, records)


def _room(game: Game) -> int:
    """As many as a kernel in error may list, within reason: some games have millions of actions."""
    return game.max_legal + min(game.actions, MOST_STRAY) + SPARE


def image_of(game: Game, records: Any, number: int) -> Any:
    """A copy of the record, seen under a symmetry; 0 is the record itself."""
    image = records.copy()
    if number > 0:
        symmetry_one(game, image, number)
    return image


def _in_order(game: Game, name: str, actions: Any, count: int, records: Any) -> list[int]:
    problem = _why_not_in_order(game, actions, count)
    if problem:
        raise breach_error(game, LEGAL_IN_ORDER, Breach(game, f"the kernel '{name}' {problem}", records[0]))
    listed: list[int] = actions[:count].tolist()
    return listed


def _why_not_in_order(game: Game, actions: Any, count: int) -> str | None:
    listed = actions[: max(count, 0)].tolist()
    if count < 1:
        return f"returned {count}, but an unfinished state has at least one action,"
    if count > game.max_legal or (actions[game.max_legal :] != UNTOUCHED).any():
        return f"wrote more than max_legal = {game.max_legal} actions"
    if listed != sorted(set(listed)):
        return f"must list actions in ascending order, got {listed}"
    if listed[0] < 0 or listed[-1] >= game.actions:
        return f"must list actions of 0..{game.actions - 1}, got {listed}"
    return None


# ------------------------------------------------------------------ kernels that the Python face has no need for


@kernel
def chance_key_one(game: Any, states: Any) -> Any:
    return kernels.chance_key(game, states[0])


@kernel
def decision_one(game: Any, states: Any) -> Any:
    return kernels.decision(game, states[0])


@kernel
def distinct_one(game: Any, states: Any, actions: Any) -> Any:
    return kernels.distinct(game, states[0], actions)


@kernel
def points_one(game: Any, states: Any, out: Any) -> Any:
    kernels.points(game, states[0], out)


@kernel
def afterstate_one(game: Any, states: Any, action: Any) -> Any:
    kernels.afterstate(game, states[0], action)


@kernel
def symmetry_one(game: Any, states: Any, number: Any) -> Any:
    kernels.symmetry(game, states[0], number)


@kernel
def symmetry_action_one(game: Any, states: Any, action: Any, number: Any) -> Any:
    return kernels.symmetry_action(game, states[0], action, number)


@kernel
def play_word(game: Any, states: Any, action: Any, chance: Any) -> Any:
    """Play in states[0] with this very chance word."""
    kernels.play(game, states[0], action, chance)


@kernel
def replay(game: Any, records: Any, actions: Any, seed: Any) -> Any:
    """Fill records[0..actions.size], zeroed, with an episode: all in compiled code, as a search or a playout does."""
    kernels.start(game, records[0], mix_word(seed, one.START_EVENT))
    for i in range(actions.size):
        records[i + 1] = records[i]
        kernels.play(game, records[i + 1], actions[i], mix_word(seed, kernels.chance_key(game, records[i])))
