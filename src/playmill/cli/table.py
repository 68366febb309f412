"""What everybody at the table of `playmill play` knows: the game so far, who sits where, where it is kept."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

import typer

from playmill.cli.kept_game import KeptGame
from playmill.core.terminal import columns, painted
from playmill.games.game import Game
from playmill.games.state import State
from playmill.play.recorder import points_in
from playmill.replay.saved_game import Opponent, SavedGame

MINE, THEIRS, SOFT, GOOD, BAD = "1;32", "1;35", "2", "1;32", "1;31"
STUCK = "\u00a0"


def unbroken(name: str) -> str:
    """The name in a way that `say_wrapped` doesn't break it."""
    return name.replace(" ", STUCK)


def say_wrapped(words: str, indent: str = "  ", head: str = "", colour: str = "") -> None:
    """Say words in lines that fit the terminal, further ones indented; `head`, with which they begin, in a colour."""
    lines = textwrap.wrap(words, columns() - 1, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True)
    text = "\n".join(lines).replace(STUCK, " ")
    typer.echo(painted(head, colour) + text.removeprefix(head) if head and text.startswith(head) else text)


@dataclass
class PlayTable:
    """The game of one person against bots; `states[i]` is the one before `actions[i]`."""

    game: Game
    seed: int
    seat: int
    names: tuple[str, ...]  # by seat
    against: Opponent
    kept: KeptGame
    states: list[State] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    script: list[int] = field(default_factory=list)  # what is only played again
    asked: list[int] = field(default_factory=list)  # plies at which the person decided

    def begin(self, script: list[int]) -> None:
        """The game starts anew, with these moves that are known already."""
        self.states, self.actions, self.asked, self.script = [self.game.new(self.seed)], [], [], script

    def take_back(self, ply: int) -> list[int]:
        """Forget what came after a ply; the moves that are left."""
        del self.states[ply + 1 :], self.actions[ply:]
        self.save()
        return list(self.actions)

    @property
    def state(self) -> State:
        return self.states[-1]

    def play(self, action: int) -> None:
        """A move is made; what is not only played again is told, and kept."""
        before = self.state
        if before.to_move == self.seat:
            self.asked.append(before.ply)
        self.states.append(before.apply(action))
        self.actions.append(action)
        if len(self.actions) > len(self.script):
            self._tell(before, action)
            self.save()

    def save(self) -> None:
        self.kept.write(self.saved())

    def saved(self) -> SavedGame:
        return SavedGame.of(self.states, self.actions, seats=self.names, person=self.seat, against=self.against)

    def _tell(self, before: State, action: int) -> None:
        told = self.game.told(before.record, action, self.state.record)
        is_own = before.to_move == self.seat
        if told or not is_own:
            say_wrapped(f"{self._name(before.to_move)}: {before.action_text(action)}{told and ', '}{told}")

    def _name(self, seat: int) -> str:
        return painted(self.names[seat], MINE if seat == self.seat else THEIRS)

    def opening_line(self) -> str:
        others = sorted({name for seat, name in enumerate(self.names) if seat != self.seat})
        return (
            f"{self.game.name}: you have seat {self.seat} against {', '.join(others) or 'nobody'}; help lists what you can say"
        )

    def moves(self) -> list[str]:
        """The game so far, a line a move."""
        lines = []
        for before, action, after in zip(self.states, self.actions, self.states[1:], strict=False):
            told = self.game.told(before.record, action, after.record)
            who = self.names[before.to_move]
            lines.append(f"{before.ply + 1:>3}. {who}: {before.action_text(action)}{told and ', '}{told}")
        return lines

    def ending(self) -> str:
        """How the game ended for the person."""
        own, others = self.state.returns[self.seat], [u for seat, u in enumerate(self.state.returns) if seat != self.seat]
        best = max(others, default=own)
        word = "you won" if own > best else "you lost" if own < best else "a draw"
        records = self.game.records(1)
        records[0] = self.state.record
        points = points_in(self.game, records)[0]
        tail = ": " + " to ".join(f"{p:g}" for p in points) if points.any() else ""
        return f"the game is over, {painted(word, GOOD if own > best else BAD if own < best else '1')}{tail}"
