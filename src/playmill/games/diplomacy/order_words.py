"""The words of an order as people write them: `A par-bur`, `army Paris -> Burgundy`, `F stp(sc) holds`.

Capitals, dots and spaces don't matter. A place is its three letters, an alias or its full name; a coast follows it after a
slash, in brackets or as a word of its own.
"""

from __future__ import annotations

import re

from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import ALIASES, ARMY, FLEET, HAS_COASTS, INDEX, NAMES, PROVINCES
from playmill.games.diplomacy.places import read_place

ARROW = "-"
KINDS = {"a": ARMY, "army": ARMY, "f": FLEET, "fleet": FLEET}
VERBS = {
    "H": ("h", "hold", "holds"),
    "-": ("-", "to", "m", "move", "moves"),
    "S": ("s", "support", "supports"),
    "C": ("c", "convoy", "convoys"),
    "R": ("r", "retreat", "retreats"),
    "D": ("d", "disband", "disbands", "remove", "removes"),
    "B": ("b", "build", "builds"),
    "W": ("w", "waive", "waives"),
}
VERB_OF = {word: verb for verb, words in VERBS.items() for word in words}
SHOWN = 60  # letters of a text in a message

_ARROWS = "–—−→-"  # the hyphen last, as it would mean a range inside a set
_PIECES = re.compile(rf"[-=]>|[{_ARROWS}]|[/()]|[^\s./(),{_ARROWS}]+")
_SIDES = {"n": "nc", "s": "sc", "e": "ec", "w": "wc"}
_COASTS = {
    **{coast: coast for coast in _SIDES.values()},
    **{f"{side} coast": f"{side[0]}c" for side in ("north", "south", "east", "west")},
}
_NAMED_COASTS = {**_COASTS, **_SIDES, **{side.removesuffix(" coast"): coast for side, coast in _COASTS.items()}}


def _spaced(name: str) -> str:
    """A name as its words with one space between them; a hyphen inside a name is a space."""
    return " ".join(name.lower().replace("-", " ").replace(".", "").split())


_PLACES = {
    **{_spaced(full): name for name, full in zip(PROVINCES, NAMES, strict=True)},
    **{_spaced(alias): name for alias, name in ALIASES.items()},
    **{name: name for name in PROVINCES},
}
_MOST_WORDS = 2 + max(name.count(" ") for name in _PLACES)  # one more, for the hyphen that a name may have


def shortened(text: str, width: int = SHOWN) -> str:
    """A text that may be of any length, for a message."""
    return text if len(text) <= width else text[: width - 3] + "..."


class Unreadable(UsageError):
    """An order that can't be read: `problem` is the message without the order's own number and text."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}, {problem}")
        self.problem = problem


class Words:
    """The words of one order, taken from the left; `number` is the order's, for messages."""

    def __init__(self, text: str, number: int = 1) -> None:
        self.text = shortened(" ".join(text.split()))
        self._where = f"orders: order {number} '{self.text}'"
        self._words = [_arrow(word) for word in _PIECES.findall(text)]
        self._at = 0

    def peek(self) -> str:
        """The next word in small letters; empty at the end."""
        return self._words[self._at].lower() if self._at < len(self._words) else ""

    def skip(self, *words: str) -> bool:
        """Take the next words if they are these."""
        found = tuple(word.lower() for word in self._words[self._at : self._at + len(words)])
        if found == words:
            self._at += len(words)
        return found == words

    def verb(self) -> str:
        """The letter of the next word if that is a verb, or else an empty text; nothing is taken."""
        return VERB_OF.get(self.peek(), "")

    def take_verb(self, letters: str) -> str:
        """The letter of the next word, which must be one of these verbs."""
        verb = self.verb()
        if not verb or verb not in letters:
            self.fail(" or ".join(filter(None, (", ".join(letters[:-1]), letters[-1]))))
        self._at += 1
        if verb in "-R":
            self.skip("to")  # moves to, retreats to
        return verb

    def unit(self) -> tuple[int, int]:
        """A unit that must say what it is."""
        if self.peek() not in KINDS:
            self.fail("A or F")
        return self.helped()

    def helped(self) -> tuple[int, int]:
        """A unit that may be named by its place alone; its kind is then 0."""
        kind = KINDS.get(self.peek(), 0)
        self._at += kind != 0
        return kind, self.place()

    def place(self) -> int:
        """The longest name that fits, with its coast."""
        for count in range(_MOST_WORDS, 0, -1):
            taken = self._words[self._at : self._at + count]
            name = _PLACES.get(_spaced(" ".join(taken))) if taken and ARROW not in (taken[0], taken[-1]) else None
            if name is not None:
                self._at += len(taken)
                return self._with_coast(name)
        if not self.peek():
            self.fail("a province")
        self._at += 1
        return self._located(self._words[self._at - 1])

    def _with_coast(self, name: str) -> int:
        if self.skip("/"):
            coast = self._coast(_NAMED_COASTS) or self.peek()
        elif self.peek() == "(":
            coast = self._coast_in_brackets()
        else:
            coast = self._coast(_COASTS) if HAS_COASTS[INDEX[name]] else ""
        return self._located(f"{name}/{coast}" if coast else name)

    def _coast_in_brackets(self) -> str:
        before = self._at
        self._at += 1
        coast = self._coast(_NAMED_COASTS)
        if not (coast and self.skip(")")):
            self._at = before  # something else is in them, such as (via convoy)
            return ""
        return coast

    def _coast(self, known: dict[str, str]) -> str:
        for count in (2, 1):
            words = " ".join(self._words[self._at : self._at + count]).lower()
            if words in known:
                self._at += count
                return known[words]
        return ""

    def _located(self, name: str) -> int:
        try:
            return read_place(shortened(name))
        except UsageError as error:
            raise Unreadable(self._where, f"word {self._at}: {error}") from None

    def end(self) -> None:
        if self.peek():
            self.fail("the end of the order")

    def fail(self, expected: str) -> None:
        got = repr(shortened(self._words[self._at])) if self.peek() else "the end"
        raise Unreadable(self._where, f"word {self._at + 1}: expected {expected}, got {got}")


def _arrow(word: str) -> str:
    return ARROW if word in _ARROWS or word in ("->", "=>") else word
