"""What is said at the table of `playmill play`: a person who is asked, and a recorder that tells what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import typer

from playmill.arena.table import Left, PlayTable, Rewind, TableRecorder
from playmill.cli import table_commands as commands
from playmill.cli.table import SOFT, ending_line, say_wrapped, tell_move
from playmill.core.errors import IllegalAction, PlaymillError
from playmill.core.terminal import painted
from playmill.play.player import Ask, Moves, PlainPlayer
from playmill.search.decisions import Array

LEAVING = ("q", "quit", "exit")
Read = Callable[[str], str]  # asks with a prompt; a line, or "" at the end of input


class Person(PlainPlayer):
    """Shows the position and reads until there is a legal move; all else that is said is answered. It has one lane."""

    name = "you"
    draws = True

    def __init__(self, table: PlayTable, read: Read, adviser: commands.Adviser) -> None:
        self.table, self.read, self.adviser = table, read, adviser
        self._answers: dict[str, Callable[[str], Any]] = {
            **dict.fromkeys(("?", "hint", "hints"), self._hint),
            **dict.fromkeys(("opinion", "eval"), lambda _: self.adviser.show(self.table.state, self.table.seat)),
            "undo": self._undo,
            "board": lambda _: self._show_board(),
            "moves": lambda _: commands.show_moves(self.table),
            "save": lambda place: commands.save_game(self.table, place),
            **dict.fromkeys(("help", "h"), lambda _: commands.show_help(self.table.game)),
        }

    def pick(self, ask: Ask) -> Array:
        self._show_board()
        while True:
            line = self._line("your move (? for hints): ")
            if not line:  # Enter alone says nothing
                continue
            try:
                return np.array([self.table.state.read_action(line)], np.int32)
            except IllegalAction as illegal:
                if not self._answer(line):
                    say_wrapped(str(illegal).removeprefix(f"{self.table.game.name}: "))

    def talk_after_the_end(self) -> None:
        """Answer until the person has nothing more to say."""
        while line := self._line("undo, moves, save FILE; Enter leaves: ", is_over=True):
            if not self._answer(line):
                say_wrapped(f"the game is over, so '{line[:40]}' can't be played; undo takes your last decision back")

    def _line(self, prompt: str, is_over: bool = False) -> str:
        """What is said, without spaces around it; whoever leaves an unfinished game raises."""
        line = self.read(painted(prompt, SOFT))
        if not is_over and not line:
            raise Left
        words = line.strip()
        if words.lower() in LEAVING:
            if is_over:
                return ""
            raise Left
        return words

    def _answer(self, line: str) -> bool:
        """Do what was said if it is none of the moves; whether it was understood."""
        word, _, rest = line.partition(" ")
        if word.startswith("?") and len(word) > 1:
            word, rest = "?", word[1:]
        answer = self._answers.get(word.lower())
        if answer is None:
            return False
        try:
            answer(rest.strip())
        except PlaymillError as error:
            say_wrapped(str(error))
        return True

    def _show_board(self) -> None:
        typer.echo(f"\n{self.table.state}\n")
        if not self.table.state.is_over and (line := commands.short_list(self.table.state)):
            say_wrapped(line, "")

    def _hint(self, part: str) -> None:
        commands.show_hints(self.table.state, part.lower())

    def _undo(self, _: str) -> None:
        if not self.table.asked:
            say_wrapped("there is nothing to take back: it is your first decision")
            return
        raise Rewind(self.table.asked[-1])


class Narrator(TableRecorder):
    """Keeps the table's game, and tells it."""

    def decided(self, player: int, ask: Ask, moves: Moves) -> None:
        before, action = self.table.state, int(moves.actions[0])
        if self.table.play(action):
            tell_move(self.table, before, action)

    def ended(self, lanes: Array, utilities: Array, records: Array) -> None:
        typer.echo(f"\n{self.table.game.board(records[0])}\n")
        typer.echo(ending_line(self.table))
