"""What is said of the game at the table of `playmill play`, in lines that fit the terminal."""

from __future__ import annotations

import textwrap

import typer

from playmill.arena.table import PlayTable
from playmill.core.terminal import columns, painted
from playmill.games.state import State

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


def opening_line(table: PlayTable) -> str:
    others = sorted({name for seat, name in enumerate(table.names) if seat != table.seat})
    return f"{table.game.name}: you have seat {table.seat} against {', '.join(others) or 'nobody'}; help lists what you can say"


def tell_move(table: PlayTable, before: State, action: int) -> None:
    """Say what a move did, unless it was the person's own and its name says it all."""
    told = table.game.told(before.record, action, table.state.record)
    is_own = before.to_move == table.seat
    if told or not is_own:
        name = painted(table.names[before.to_move], MINE if is_own else THEIRS)
        say_wrapped(f"{name}: {before.action_text(action)}{told and ', '}{told}")


def ending_line(table: PlayTable) -> str:
    """How the game ended for the person."""
    lead, points = table.lead(), table.points()
    word = "you won" if lead > 0 else "you lost" if lead < 0 else "a draw"
    tail = ": " + " to ".join(f"{p:g}" for p in points) if points else ""
    return f"the game is over, {painted(word, GOOD if lead > 0 else BAD if lead < 0 else '1')}{tail}"
