"""One whole game that was played, whatever file it lies in: its states, who decided, and what was known about each move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from playmill.core.errors import IllegalAction, PlaymillError
from playmill.games.game import Game
from playmill.games.state import State


@dataclass(frozen=True)
class MoveNote:
    """What a file says about a move besides the action; a search's part is empty where none was recorded."""

    who: str = ""
    values: tuple[float, ...] = ()  # what the search expected for each player, counted from the mover
    policy: tuple[tuple[int, float], ...] = ()  # the search's, best first


NoteOf = Callable[[State], MoveNote]


@dataclass(frozen=True)
class RecordedMove:
    """One move, and what it did."""

    state: State  # before it
    action: int
    text: str
    told: str  # "" where its name says it all
    note: MoveNote

    def value_to(self, seat: int) -> float | None:
        """What the search expected of the position for whoever sits there."""
        players = self.state.game.players
        place = (seat - self.state.to_move) % players
        if self.note.values and self.state.game.is_two_player_zero_sum:
            return self.note.values[0] * (-1 if place else 1)
        return self.note.values[place] if place < len(self.note.values) else None

    def facts(self, best: int | None = None) -> dict[str, Any]:
        """For programs; of the policy the `best` entries, or all."""
        policy = [
            {"action": action, "text": self.state.action_text(action), "policy": share}
            for action, share in self.note.policy[:best]
        ]
        return {
            "ply": self.state.ply, "to_move": self.state.to_move, "who": self.note.who, "position": self.state.line,
            "action": self.action, "text": self.text, "told": self.told,
            "value": self.value_to(self.state.to_move), "policy": policy,
        }  # fmt: skip


@dataclass(frozen=True)
class RecordedGame:
    """The game: `moves[i]` leads from state i to state i + 1."""

    game: Game
    number: int
    seed: int
    seats: tuple[str, ...]  # who sat there; "" where the file doesn't say
    moves: tuple[RecordedMove, ...]
    final: State  # after the last move; the game need not be over
    source: str = ""  # where it came from, for people
    facts: dict[str, Any] = field(default_factory=dict)  # what else the file says

    @property
    def states(self) -> tuple[State, ...]:
        return (*(move.state for move in self.moves), self.final)

    def picture(self, ply: int) -> str | None:
        """The board after so many moves, the last of them marked; None for games without pictures."""
        if not ply:
            return self.states[0].svg()
        move = self.moves[ply - 1]
        return self.game.svg_after(move.state.record, move.action, self.states[ply].record)

    @property
    def returns(self) -> tuple[float, ...] | None:
        """How it ended; None if it did not."""
        return self.final.returns if self.final.is_over else None

    def mover_text(self, move: RecordedMove) -> str:
        """Who made a move, as far as the file says it."""
        seat = move.state.to_move
        return self.seats[seat] or (f"player {seat}, {move.note.who}" if move.note.who else f"player {seat}")

    def result_text(self) -> str:
        """How it ended, in words."""
        returns = self.returns
        if returns is None:
            return f"unfinished after {len(self.moves)} moves"
        best = [seat for seat, value in enumerate(returns) if value == max(returns)]
        who = "a draw" if len(best) == len(returns) > 1 else " and ".join(f"player {seat}" for seat in best) + " won"
        return f"{who} after {len(self.moves)} moves"


def record_game(
    where: str, game: Game, number: int, seed: int, actions: Sequence[int], note: NoteOf, **others: Any
) -> RecordedGame:
    """Play the actions again in the episode `seed`; one that the rules forbid is refused, with its place in `where`.

    `note` says what is known of the move from a state.
    """
    state, moves = game.new(seed), []
    for action in actions:
        try:
            after = state.apply(action)
        except IllegalAction as error:
            raise PlaymillError(f"{where}: move {state.ply + 1} can't be played again: {error}") from None
        told = game.told(state.record, action, after.record)
        moves.append(RecordedMove(state, action, state.action_text(action), told, note(state)))
        state = after
    return RecordedGame(game, number, seed, moves=tuple(moves), final=state, **others)
