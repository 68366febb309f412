"""What is said at the table of `playmill play`: a person who is asked, and what the others do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from playmill.games.game import Game
from playmill.games.state import State
from playmill.play.player import Ask, Moves, PlainPlayer, Player
from playmill.play.recorder import Games, points_in
from playmill.search.decisions import Array

LEAVING = ("q", "quit", "exit")
Say = Callable[[str], Any]


class Left(Exception):
    """The person went away; the game is not over."""


class Person(PlainPlayer):
    """Shows the position and reads an action, by its number or its name, until there is a legal one. It has one lane."""

    name = "you"
    draws = True

    def __init__(self, game: Game, say: Say, read: Callable[[], str]) -> None:
        self.game, self.say, self.read = game, say, read

    def pick(self, ask: Ask) -> Array:
        state = State(self.game, ask.records, 0, int(ask.plies[0]))  # nobody but the cohort knows the episode's seed
        choices = self._choices(state)
        self.say(f"\n{state}\n")
        self.say("  ".join(f"{action}: {text}" for text, action in choices.items()))
        return np.array([self._read(choices)], np.int32)

    def _choices(self, state: State) -> dict[str, int]:
        """The actions by their names; of those that read alike, the first."""
        named: dict[str, int] = {}
        for action in state.legal_actions:
            named.setdefault(state.action_text(action), action)
        return named

    def _read(self, choices: dict[str, int]) -> int:
        by_word = {**{str(action): action for action in choices.values()}, **{text.lower(): a for text, a in choices.items()}}
        while True:
            self.say("your move: ")
            line = self.read()
            word = " ".join(line.lower().split())
            if not line or word in LEAVING:
                raise Left
            if word in by_word:
                return by_word[word]
            self.say(f"expected one of the actions above, by number or name, or q to leave; got '{word[:40]}'")


class Narrator:
    """A recorder that says what the others play, and how the game ends."""

    def __init__(self, game: Game, players: Sequence[Player], seat: int, say: Say) -> None:
        self.game, self.players, self.seat, self.say = game, players, seat, say
        self.plies = 0

    def began(self, lanes: Array, games: Games) -> None:
        others = {self.players[number].name for number in games.seats[0].tolist() if number}
        self.say(f"{self.game.name}: you have seat {self.seat} against {', '.join(sorted(others)) or 'nobody'}")

    def decided(self, player: int, ask: Ask, moves: Moves) -> None:
        self.plies += 1
        if player:
            text = self.game.action_text(ask.records[0], int(moves.actions[0]))
            self.say(f"{self.players[player].name}: {text}")

    def ended(self, lanes: Array, utilities: Array, records: Array) -> None:
        own, others = utilities[0, self.seat], np.delete(utilities[0], self.seat)
        best = others.max() if others.size else own
        word = "you won" if own > best else "you lost" if own < best else "a draw"
        self.say(f"\n{self.game.board(records[0])}\n")
        points = points_in(self.game, records)[0]
        tail = ": " + " to ".join(f"{p:g}" for p in points) if points.any() else ""
        self.say(f"the game is over, {word}{tail}")
