"""The action that a person means by a text, for games that don't read texts in a way of their own."""

from __future__ import annotations

from playmill.core.errors import IllegalAction
from playmill.games.state import State

SHOWN = 12  # actions in a line
QUOTED = 40  # characters of what came
MOST_DIGITS = 12


def read_by_name(state: State, text: str) -> int:
    """The legal action of this name, however it is spaced and capitalised; of those named alike, the first.

    Part of a name will do if it is that of one action alone, and an action's number: as #4 always, as 4 where no name has
    numbers in it (column 4 need not be action 4). What means no action is refused with those that begin alike.
    """
    word, names = plain(text), named_actions(state)
    if word in names:
        return names[word]
    found = [name for name in names if word and (name.startswith(word) or word in name.split())]
    if len(found) == 1:
        return names[found[0]]
    has_numbers = any(part.isdigit() for name in names for part in name.split())
    if (number := _number(word, has_numbers)) in state.legal_actions:
        return number
    raise IllegalAction(f"{state.game.name}: '{word[:QUOTED]}' {_why(state, word, found or list(names))}")


def _number(word: str, needs_sign: bool) -> int:
    """The action's number that a word is; -1 if it is none."""
    digits = word.removeprefix("#")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < MOST_DIGITS
    return int(digits) if is_number and (word[0] == "#" or not needs_sign) else -1


def plain(text: str) -> str:
    """Small letters, and one space where there are any."""
    return " ".join(text.lower().split())


def named_actions(state: State) -> dict[str, int]:
    """The legal actions by their names; of those that read alike, the first."""
    named: dict[str, int] = {}
    for action in state.legal_actions:
        named.setdefault(plain(state.action_text(action)), action)
    return named


def _why(state: State, word: str, names: list[str]) -> str:
    if state.is_over:
        return f"can't be played, the game is over in '{state.line}'"
    most = max(_shared(word, name) for name in names)
    near = [name for name in names if _shared(word, name) == most]
    more = f" and {len(near) - SHOWN} more" if len(near) > SHOWN else ""
    return f"is no legal action: expected the name or number of one, such as {', '.join(near[:SHOWN])}{more}"


def _shared(one: str, other: str) -> int:
    """How many characters two texts have in common from their beginning."""
    differ = (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differ, min(len(one), len(other)))
