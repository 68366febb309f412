"""A text that was meant to be SGF, as SGF that a strict parser takes.

A pass over the text finds parentheses, semicolons, names and values, leaves out what stands between them, and puts in what is
missing. If anything is, a second pass doubts the brackets, too: one ends a text only where something follows that can follow,
so `C[Tom [3k]: hi]` is one comment. Where that leads nowhere (no end in the rest of the file), brackets are taken at their
word from there on, so that a pass stays linear.
"""

from __future__ import annotations

import re

from playmill.games.go.sgf.properties import (
    KNOWN,
    MOVES,
    ONE_TEXT,
    POINTS,
    SETUP,
    SHORT,
    STONES,
    TALK,
    is_plausible,
    normal_name,
)
from playmill.games.go.sgf.repairs import Repairs, SgfRejected

NAME = r"[A-Za-z]{1,20}"
UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufffe\ud800-\udfff]")
GAME = re.compile(rf"\(\s*(?:;|(?={NAME}\s*\[))")
LOOSE_NODE = re.compile(rf";\s*{NAME}\s*\[")
TOKEN = re.compile(rf"\s*(?:(?P<mark>[();])|(?P<name>{NAME})\s*(?=\[))")
NEXT = re.compile(rf"[();]|{NAME}\s*\[")
POINT_END = re.compile(r"[\];()\[]")
TEXT_MARK = re.compile(r"[\\\[\]]")
AFTER_TEXT = re.compile(rf"\s*(?:\Z|\)\s*(?:\Z|[();])|\(\s*;|;\s*(?:\Z|[;()]|{NAME}\s*\[)|(?P<name>{NAME})\s*\[|(?P<more>\[))")
CLOSE = re.compile(r"\s*\)")
SPACE = re.compile(r"\s*")
# What stands before a bracket that can only begin a new property: the text before it lacks its own closing bracket.
MOVE_BEFORE = re.compile(r";\s*[BW]\s*\Z")
LINE_BEFORE = re.compile(rf"\n\s*({NAME})\s*\Z")
POINT_AFTER = re.compile(r"\[[a-tA-T]{0,2}[\];\s]")
STRUCTURE = {"junk_inside", "missing_parenthesis", "extra_parenthesis", "missing_semicolon", "missing_bracket"}
MOST_PASSES = 5
LOOK_BACK = 40
LOOK_AT = 60  # characters of a file that is refused


def mend(text: str, repairs: Repairs) -> list[str]:
    """The games of a text, each as strict SGF; what had to be done is noted."""
    if UNWANTED.search(text):
        repairs.note("control_characters")
        text = UNWANTED.sub("", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise SgfRejected("empty", "there is nothing but white space in the file")
    games = _passes(text, repairs)
    return [_settled(game) for game in games] if STRUCTURE & set(repairs.codes) else games


def _passes(text: str, repairs: Repairs) -> list[str]:
    """The games after one pass, or two."""
    notes = Repairs()
    games = _Mender(text, notes, is_literal=True).games()
    if STRUCTURE & set(notes.codes):
        notes = Repairs()
        games = _Mender(text, notes, is_literal=False).games()
    for code in notes.codes:
        repairs.note(code)
    return games


def _settled(game: str) -> str:
    """A mended game once more, until nothing is left to mend: what was put in may show a text in another light."""
    for _ in range(MOST_PASSES):
        notes = Repairs()
        game = _passes(game, notes)[0]
        if not STRUCTURE & set(notes.codes):
            break
    return game


class _Mender:
    """The pass over a text: `at` is where it is, `out` what the game at hand has become, `depth` its open parentheses."""

    def __init__(self, text: str, repairs: Repairs, is_literal: bool) -> None:
        self.text, self.repairs, self.at = text, repairs, 0
        self.out: list[str] = []
        self.depth = 0
        self.node: set[str] | None = None  # the names in the node at hand; None: no node is begun
        self.is_root = True
        self.is_literal = is_literal  # brackets are taken at their word

    def games(self) -> list[str]:
        found: list[str] = []
        while self._find_game(is_first=not found):
            self._read_game()
            found.append("".join(self.out))
        if len(found) > 1:
            self.repairs.note("several_games")
        return found

    def _find_game(self, is_first: bool) -> bool:
        """Go to where the next game begins; the first one may lack its parenthesis."""
        start = GAME.search(self.text, self.at)
        if start is None and is_first:
            start = LOOSE_NODE.search(self.text)
            if start is None:
                shown = " ".join(self.text[: 4 * LOOK_AT].split())[:LOOK_AT]
                raise SgfRejected("not_sgf", f"expected a game such as (;GM[1]...), got '{shown}'")
            self.repairs.note("missing_parenthesis")
            self._begin()
        elif start is not None:
            self._begin()
        if start is None:
            return False
        if self.text[self.at : start.start()].strip():
            self.repairs.note("junk_before" if is_first else "junk_inside")
        self.at = start.start() + (start[0][0] == "(")
        return True

    def _begin(self) -> None:
        self.out, self.depth, self.node, self.is_root = ["("], 1, None, True

    # ------------------------------------------------------------------ the marks of a tree

    def _read_game(self) -> None:
        while self.depth or self._goes_on():
            token = TOKEN.match(self.text, self.at)
            if token is None:
                if not self._skip_junk():
                    break
            elif token["name"]:
                self.at = token.end()
                self._read_property(token["name"])
            else:
                self.at = token.end()
                self._take_mark(token["mark"])
        if self.depth:
            self.repairs.note("missing_parenthesis")
            self._require_node()
            self.out.append(")" * self.depth)
            self.depth = 0

    def _goes_on(self) -> bool:
        """Whether a node follows the parenthesis that closed the game: then it was one too many."""
        return self.text.startswith(";", SPACE.match(self.text, self.at).end())  # type: ignore[union-attr]

    def _skip_junk(self) -> bool:
        """Go to the next mark; False at the end."""
        following = NEXT.search(self.text, self.at)
        end = len(self.text) if following is None else following.start()
        if self.text[self.at : end].strip():
            self.repairs.note("junk_inside")
        self.at = end
        return following is not None

    def _take_mark(self, mark: str) -> None:
        if mark == ";":
            self._begin_node()
            return
        self._require_node()
        if mark == "(":
            self.depth += 1
            self.node = None
        else:
            self.depth -= 1
        self.out.append(mark)

    def _begin_node(self) -> None:
        while self.out[-1] == ")":
            self.out.pop()
            self.depth += 1
            self.repairs.note("extra_parenthesis")
        self.is_root = len(self.out) == 1
        self.out.append(";")
        self.node = set()

    def _require_node(self) -> None:
        """A parenthesis must be followed by a node, and a property needs one."""
        if self.node is None:
            self.repairs.note("missing_semicolon")
            self._begin_node()

    # ------------------------------------------------------------------ properties

    def _read_property(self, name: str) -> None:
        normal = normal_name(name)
        if normal != name:
            self.repairs.note("property_name")
        values = self._read_values(normal)
        if normal == "PL" and self.node is not None and self.node & MOVES:
            return  # the move says the same
        if values:
            self._place(normal)
            self.out.append(normal + "".join(f"[{value}]" for value in values))

    def _place(self, name: str) -> None:
        """See to it that the node at hand may have this property."""
        if self.node is None or self.out[-1] == ")":
            self.repairs.note("missing_semicolon")
            self._begin_node()
        node = self.node
        assert node is not None
        is_crowded = bool(node & (MOVES | SETUP)) or self.is_root if name in MOVES else name in STONES and bool(node & MOVES)
        if is_crowded:
            self.repairs.note("move_apart")
            self._begin_node()
        assert self.node is not None
        self.node.add(name)

    def _read_values(self, name: str) -> list[str]:
        values = []
        while self.text.startswith("[", self.at):
            self.at += 1
            value = self._read_points() if name in POINTS else self._read_text(name)
            if value is not None:
                values.append(value)
            if name in ONE_TEXT:
                break
            following = SPACE.match(self.text, self.at)
            assert following is not None
            self.at = following.end()
        return values if name not in MOVES else self._moves_apart(name, values)

    def _moves_apart(self, name: str, values: list[str]) -> list[str]:
        """A move has one value: all but the last become nodes of their own."""
        for value in values[:-1]:
            self._place(name)
            self.out.append(f"{name}[{value}]")
        return values[-1:]

    def _read_points(self) -> str | None:
        """A value that has no brackets and parentheses in it; None if nothing is left of it."""
        end = POINT_END.search(self.text, self.at)
        value = "".join(self.text[self.at : len(self.text) if end is None else end.start()].split())
        if end is not None and end[0] == "]":
            self.at = end.end()
            return value.replace("\\", "")
        self.repairs.note("missing_bracket")
        self.at = len(self.text) if end is None else end.start()
        return value.replace("\\", "") if len(value) == 2 or (value and end is not None) else None

    def _read_text(self, name: str) -> str | None:
        """A text up to the bracket that ends it, its own brackets escaped; None if nothing of it is there."""
        begin, at, first, last = self.at, self.at, -1, -1
        while (mark := TEXT_MARK.search(self.text, at)) is not None:
            at = mark.end()
            if mark[0] == "\\":
                at += 1
            elif mark[0] == "[":
                cut = self._forgotten_end(name, begin, mark.start())
                if cut is not None:
                    return self._end_text(begin, cut, cut, "missing_bracket")
            elif self.is_literal or name in SHORT or self._ends(name, at):
                return self._end_text(begin, mark.start(), at)
            else:
                first = mark.start() if first < 0 else first
                last = mark.start() if CLOSE.match(self.text, at) else last
        self.is_literal = True
        end = last if last >= 0 else first
        if end >= 0:
            return self._end_text(begin, end, end + 1)
        return self._end_text(begin, len(self.text), len(self.text), "missing_bracket")

    def _ends(self, name: str, at: int) -> bool:
        """Whether what follows a bracket can follow the end of a value."""
        after = AFTER_TEXT.match(self.text, at)
        if after is None:
            return False
        if after["more"]:
            return name not in ONE_TEXT
        word = after["name"]
        return word is None or word in KNOWN or (self.text.startswith("[", after.end("name")) and is_plausible(word))

    def _forgotten_end(self, name: str, begin: int, bracket: int) -> int | None:
        """Where the text should have ended, if this bracket can only belong to the next property."""
        before = self.text[max(begin, bracket - LOOK_BACK) : bracket]
        found = MOVE_BEFORE.search(before) if POINT_AFTER.match(self.text, bracket) else None
        if found is None and name not in TALK:
            line = LINE_BEFORE.search(before)
            found = line if line is not None and line[1] in KNOWN else None
        return None if found is None else bracket - len(before) + found.start()

    def _end_text(self, begin: int, end: int, next_at: int, repair: str = "") -> str | None:
        self.at = next_at
        if repair:
            self.repairs.note(repair)
        raw = self.text[begin:end]
        parts = re.findall(r"\\.|\\\Z|[^\\]", raw, re.DOTALL) if "\\" in raw or "]" in raw else [raw]
        if "]" in raw:
            if "]" in parts:
                self.repairs.note("unescaped_bracket")
            parts = ["\\]" if part == "]" else part for part in parts]
        return "".join(part for part in parts if part != "\\")
