"""A score card: the two boards as columns, and what the dice are worth now."""

from __future__ import annotations

from typing import Any

from playmill.games.yatzy.hands import CATEGORIES, CATEGORY_COUNT, UPPER_COUNT, UPPER_GOAL, score


def draw_card(state: Any) -> str:
    """The card of a record. A state doesn't keep what each mark scored, so a category is open or done."""
    is_over = not any(state.avail)
    rows = [_row(name, *_cells(state, category)) for category, name in enumerate(CATEGORIES)]
    upper = _row("upper", *(f"{points} of {UPPER_GOAL}" for points in state.upper))
    total = _row("total", *(str(points) for points in state.total))
    head = _row("", "player 0", "player 1", "" if is_over else "now")
    return "\n".join([head, *rows[:UPPER_COUNT], upper, *rows[UPPER_COUNT:], total, _dice(state) + standing(state)])


def _dice(state: Any) -> str:
    return f"dice {' '.join(str(die) for die in state.dice)}, " if any(state.avail) else ""


def _row(name: str, first: str, second: str, now: str = "") -> str:
    return f"{name:<14}{first:>9} {second:>9} {now:>4}".rstrip()


def _cells(state: Any, category: int) -> list[str]:
    """Open or done on either board; then, where the mover has it open, what the dice would score."""
    now = str(score(tuple(int(die) for die in state.dice), category)) if is_open(state, int(state.mover), category) else ""
    return ["open" if is_open(state, player, category) else "done" for player in range(2)] + [now]


def is_open(state: Any, player: int, category: int) -> bool:
    """Whether the player may still mark the category."""
    return bool(int(state.avail[player]) >> (CATEGORY_COUNT - 1 - category) & 1)


def standing(state: Any) -> str:
    """Who is to move with how many rerolls left, or how it ended."""
    if any(state.avail):
        rerolls = "1 reroll" if state.rerolls == 1 else f"{state.rerolls} rerolls"
        return f"{rerolls} left, player {state.mover} to move"
    first, second = (int(points) for points in state.total)
    return "over: drawn" if first == second else f"over: player {int(second > first)} has won"
