"""A recorded game in lines of text; the terminal and screens show them."""

from __future__ import annotations

from playmill.replay.recorded_game import RecordedGame, RecordedMove

BEST = 5  # moves of a policy


def title(record: RecordedGame) -> str:
    """What was played, who sat where, and how it ended."""
    seats = ", ".join(f"player {seat}: {name}" for seat, name in enumerate(record.seats) if name)
    return f"{record.game.name}, {record.source}, seed {record.seed}: {record.result_text()}{seats and '; '}{seats}"


def move_line(record: RecordedGame, move: RecordedMove, with_effect: bool = True) -> str:
    """A move with its number, who made it, and what it did."""
    told = f", {move.told}" if move.told and with_effect else ""
    return f"{move.state.ply + 1}. {record.mover_text(move)}: {move.text}{told}"


def thoughts(move: RecordedMove) -> str:
    """What the search thought, in a line: the value, then its best moves with their share."""
    value = move.value_to(move.state.to_move)
    shares = [f"{move.state.action_text(action)} {share:.0%}" for action, share in move.note.policy[:BEST]]
    worth = "" if value is None else f"worth {value:+.3f} to the mover; "
    return f"search: {worth}{', '.join(shares)}"


class GamePages:
    """A `ShownGame` of a game of the contract."""

    def __init__(self, record: RecordedGame) -> None:
        self.record = record

    @property
    def title(self) -> str:
        return title(self.record)

    @property
    def last(self) -> int:
        return len(self.record.moves)

    def board(self, place: int) -> str:
        return str(self.record.states[place])

    def lines(self, place: int) -> list[str]:
        moves, lines = self.record.moves, []
        if place:
            lines.append(f"last:   {move_line(self.record, moves[place - 1])}")
        if place == self.last:
            return [*lines, f"the end: {self.record.result_text()}"]
        lines.append(f"next:   {move_line(self.record, moves[place], with_effect=False)}")
        return [*lines, thoughts(moves[place])] if moves[place].note.policy else lines
