"""A recorded game as text: all of it, or step by step."""

from __future__ import annotations

import time
from typing import Any

import typer

from playmill.cli.prompt import read_line
from playmill.cli.table import GOOD, SOFT, say_wrapped
from playmill.core.terminal import painted
from playmill.replay.game_text import move_line, thoughts, title
from playmill.replay.recorded_game import RecordedGame, RecordedMove

PAUSE_S = 0.8  # between two moves that are played on
KEYS = "Enter or n: next, b: back, a number: that move, p: play on, q: quit"
NEXT, BACK, ON, QUIT = ("", "n", "next"), ("b", "back"), ("p", "play", "on"), ("q", "quit", "exit")


def record_facts(record: RecordedGame) -> dict[str, Any]:
    """The whole game for programs."""
    return {
        "game": record.game.name, "ruleset": record.game.ruleset, "number": record.number, "seed": record.seed,
        "seats": record.seats, **record.facts, "returns": record.returns, "result": record.result_text(),
        "moves": [move.facts() for move in record.moves], "final": record.final.line,
    }  # fmt: skip


def print_all(record: RecordedGame) -> None:
    """Every position and every move."""
    say_wrapped(title(record))
    for place in range(len(record.moves) + 1):
        show_place(record, place)


def show_place(record: RecordedGame, place: int) -> None:
    """The board after so many moves, what led to it, and what comes next."""
    count = len(record.moves)
    typer.echo(f"\n{painted(f'after {place} of {count} moves', SOFT)}\n")
    typer.echo(f"{record.states[place]}\n")
    if place:
        _say_move("last", record, record.moves[place - 1])
    if place < count:
        move = record.moves[place]
        _say_move("next", record, move, with_effect=False)
        if move.note.policy:
            say_wrapped(thoughts(move), "        ", "search: ", SOFT)
    else:
        say_wrapped(f"the end: {record.result_text()}", head="the end", colour=GOOD)


def _say_move(label: str, record: RecordedGame, move: RecordedMove, with_effect: bool = True) -> None:
    say_wrapped(f"{label + ':':<7} {move_line(record, move, with_effect)}", "        ", f"{label}:", SOFT)


# ------------------------------------------------------------------ step by step


def step_through(record: RecordedGame) -> None:
    """Show the game as somebody wants to see it, from its start."""
    say_wrapped(title(record))
    place, last = 0, len(record.moves)
    while True:
        show_place(record, place)
        line = read_line(painted(f"[{place}/{last}] {KEYS}: ", SOFT))
        if not line or (word := line.strip().lower()) in QUIT:
            return
        place = _play_on(record, place) if word in ON else _next_place(word, place, last)


def _next_place(word: str, place: int, last: int) -> int:
    """Where a word leads; one that nobody knows is answered."""
    if word in NEXT:
        return min(place + 1, last)
    if word in BACK:
        return max(place - 1, 0)
    number = word.removeprefix("jump").strip()
    if number.isascii() and number.isdecimal() and int(number[:12]) <= last:
        return int(number[:12])
    say_wrapped(f"expected {KEYS}, with a number from 0 to {last}; got '{word[:40]}'")
    return place


def _play_on(record: RecordedGame, place: int) -> int:
    """Show the rest, a move at a time; the end's place."""
    last = len(record.moves)
    for shown in range(place + 1, last):
        show_place(record, shown)
        time.sleep(PAUSE_S)
    return last
