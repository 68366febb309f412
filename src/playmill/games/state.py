"""The Python face of every game: an immutable State that checks what kernels take for granted, and raises."""

from __future__ import annotations

import operator
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from playmill.core.errors import IllegalAction, UsageError, require_seed
from playmill.games import one
from playmill.games.game import Game

_HEADER = np.dtype([("seed", "<u8"), ("ply", "<u4")])


class State:
    """One moment of one episode: the record, the episode's seed, and how many actions led here.

    A value: nothing changes it, `apply` returns another one. All randomness comes from `seed`: the same state and the same
    action give the same next state, always.
    """

    def __init__(self, game: Game, records: Any, seed: int, ply: int) -> None:
        """Take over `records`, one record that nobody else may write. Use `Game.new`, `apply` or `from_bytes` instead."""
        self.game = game
        self.seed = seed
        self.ply = ply
        self._records = records

    @classmethod
    def new(cls, game: Game, seed: int = 0) -> State:
        """The first state of the episode `seed`."""
        records = game.records(1)
        one.start_one(game, records, np.uint64(require_seed(seed)))
        return cls(game, records, seed, 0)

    # ------------------------------------------------------------------ what can be asked

    @cached_property
    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions, ascending; none if the game is over."""
        actions = np.empty(self.game.max_legal, np.int32)
        count = one.legal_one(self.game, self._records, actions, np.empty(self.game.players))
        return tuple(actions[:count].tolist())

    @cached_property
    def is_over(self) -> bool:
        return bool(one.outcome_one(self.game, self._records, np.empty(self.game.players)))

    @cached_property
    def returns(self) -> tuple[float, ...]:
        """The final scores, one per player; asking an unfinished game is an error."""
        scores = np.zeros(self.game.players)
        if not one.outcome_one(self.game, self._records, scores):
            raise UsageError(f"{self.game.name}: returns need a finished game, but it goes on in '{self.line}'")
        return tuple(scores.tolist())

    @cached_property
    def to_move(self) -> int:
        """The player whose turn it is."""
        return int(one.to_move_one(self.game, self._records))

    @cached_property
    def key(self) -> int:
        """A 64-bit key of the position: equal for equal records, whatever the seed and the way there."""
        return int(one.key_one(self.game, self._records))

    @property
    def line(self) -> str:
        """The state on one line, for errors and lists; `str` is the board."""
        return self.game.text(self._records[0])

    @property
    def record(self) -> Any:
        """The record itself, as a copy: `state.record.dice`."""
        return self._records.copy()[0]

    def features(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What a network sees, float32 in the game's shape."""
        planes = np.empty(self.game.feature_count, np.float32)
        one.encode_one(self.game, self._records, planes)
        return planes.reshape(self.game.features)

    def action_text(self, action: int) -> str:
        """An action of this state as people read it."""
        return self.game.action_text(self.record, action)

    def read_action(self, text: str) -> int:
        """The legal action that a text means, by its name or its number."""
        return self.game.action_meant(self, text)

    # ------------------------------------------------------------------ other states

    def apply(self, action: int) -> State:
        """The state after `action`; an illegal one is an error that names the legal ones."""
        number = self._checked(action)
        records = self._records.copy()
        one.play_one(self.game, records, number, np.uint64(self.seed))
        return State(self.game, records, self.seed, self.ply + 1)

    def chance_outcomes(self, action: int) -> list[tuple[float, State]]:
        """All states that `action` may lead to, each with its probability; one alone where chance has no say.

        For games that list them (`outcomes` kernel), and for games without chance.
        """
        number, game = self._checked(action), self.game
        if not one.meets_chance_one(game, self._records, number):
            return [(1.0, self.apply(number))]
        if "outcomes" not in game.kernels:
            raise UsageError(f"{game.name}: the game does not list its outcomes; it has no 'outcomes' kernel")
        records, probabilities = game.records(game.max_outcomes), np.zeros(game.max_outcomes)
        count = one.outcomes_one(game, self._records, number, records, probabilities)
        rows = [State(game, records[i : i + 1].copy(), self.seed, self.ply + 1) for i in range(count)]
        return list(zip(probabilities[:count].tolist(), rows, strict=True))

    def reseeded(self, seed: int) -> State:
        """The same position in another episode: what comes next is drawn from `seed`."""
        return State(self.game, self._records, require_seed(seed), self.ply)

    def swapped(self) -> State:
        """The same position with the seats exchanged, for games that define `swap`."""
        records = self._records.copy()
        one.swap_one(self.game, records)
        return State(self.game, records, self.seed, self.ply)

    def _checked(self, action: int) -> int:
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if number not in self.legal_actions:
            name = self.game.name
            if self.is_over:
                raise IllegalAction(f"{name}: action {action!r} can't be played, the game is over in '{self.line}'")
            legal = list(self.legal_actions)
            raise IllegalAction(f"{name}: action {action!r} is illegal in '{self.line}'; legal actions are {legal}")
        return number

    # ------------------------------------------------------------------ as a value

    def __bytes__(self) -> bytes:
        """Everything that makes this state: seed, ply, record (`docs/formats.md`)."""
        header = np.array((self.seed, self.ply), _HEADER)
        return bytes(header.tobytes() + self._records.tobytes())

    @classmethod
    def from_bytes(cls, game: Game, data: bytes) -> State:
        """The state that `bytes(state)` wrote."""
        expected = _HEADER.itemsize + game.state.itemsize
        if len(data) != expected:
            raise UsageError(f"{game.name}: a stored state has {expected} bytes, got {len(data)}")
        header = np.frombuffer(data, _HEADER, count=1)[0]
        records = np.frombuffer(data, game.state, offset=_HEADER.itemsize).copy()
        return cls(game, records, int(header["seed"]), int(header["ply"]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game is other.game and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash((self.key, self.seed, self.ply))

    def __str__(self) -> str:
        """The board, on as many lines as it needs."""
        return self.game.board(self._records[0])

    def __repr__(self) -> str:
        return f"<{self.game.name} ply {self.ply}: {self.line}>"

    def svg(self) -> str | None:
        """The state as a picture, the text of an SVG; None where the game has none."""
        return self.game.svg(self._records[0])

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return self.svg()

    def _repr_html_(self) -> str | None:
        """What a notebook shows of a game without a picture: the board as text."""
        return None if self.svg() is not None else f"<pre>{escape(str(self))}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        from playmill.games.registry import address_of, get_game

        return (_restore, (get_game, address_of(self.game), bytes(self)))


def _restore(find: Any, name: str, data: bytes) -> State:
    return State.from_bytes(find(name), data)
