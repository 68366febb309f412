"""Pictures of one game, one after the other, as the parts that they share: what stays is there once, however long the game.

A picture's parts are the elements right below its <svg>. They are put in one order that all pictures agree with; parts that
come and go together make one group. So a game of 300 moves is little larger than its moves.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

SPACE = "http://www.w3.org/2000/svg"
OWN = ("width", "height", "viewBox", "role")  # attributes of a picture that are not handed on to its parts

Part = tuple[str, int]  # an element's text, and which of several equal ones it is


@dataclass(frozen=True)
class Group:
    """Elements that are shown in the same pictures."""

    content: str
    shown: frozenset[int]  # numbers of the pictures


@dataclass(frozen=True)
class Film:
    """All pictures: the groups from the back to the front."""

    width: float
    height: float
    attributes: dict[str, str]  # of the pictures' own <svg>, such as the font
    groups: tuple[Group, ...]
    count: int

    def opening(self, is_inside: bool = False) -> str:
        """The beginning of the <svg> that holds the pictures; inside another one it has a size."""
        size = {"width": f"{self.width:g}", "height": f"{self.height:g}"} if is_inside else {}
        box = {"viewBox": f"0 0 {self.width:g} {self.height:g}", **size, **self.attributes}
        return "<svg" + "".join(f' {name}="{escape(value)}"' for name, value in box.items()) + ">"

    def groups_of(self, picture: int) -> list[int]:
        """Which groups a picture is made of."""
        return [i for i, group in enumerate(self.groups) if picture in group.shown]


def make_film(pictures: Sequence[str]) -> Film:
    """Take the texts of SVG pictures apart; at least one."""
    roots = [ET.fromstring(picture) for picture in pictures]
    sizes = [_size(root) for root in roots]
    shown = _shown_in([_elements(root) for root in roots])
    groups = tuple(
        Group("".join(text for (text, _), _ in parts), frames)
        for frames, parts in ((frames, list(parts)) for frames, parts in groupby(shown.items(), key=lambda item: item[1]))
    )
    own = {name: value for name, value in roots[0].attrib.items() if name not in OWN}
    return Film(max(width for width, _ in sizes), max(height for _, height in sizes), own, groups, len(roots))


def _size(root: ET.Element) -> tuple[float, float]:
    """A picture's size in its own units."""
    box = root.get("viewBox", "").split()
    width, height = box[2:] if len(box) == 4 else (root.get("width", "100"), root.get("height", "100"))
    return float(width), float(height)


def _elements(root: ET.Element) -> list[str]:
    """The elements of a picture; its title is none of them, since a film has one of its own."""
    return [_text(child) for child in root if child.tag != f"{{{SPACE}}}title"]


def _text(element: ET.Element) -> str:
    ET.register_namespace("", SPACE)
    element.tail = None
    return ET.tostring(element, encoding="unicode").replace(f' xmlns="{SPACE}"', "")


def _shown_in(pictures: list[list[str]]) -> dict[Part, frozenset[int]]:
    """Every part from the back to the front, with the pictures that show it."""
    order: list[Part] = []
    shown: dict[Part, set[int]] = {}
    for number, texts in enumerate(pictures):
        at, place = -1, {part: i for i, part in enumerate(order)}
        after: list[tuple[int, Part]] = []  # new parts, and behind which of the known ones they stand
        for text in texts:
            part = _next_part(text, at, place, shown, number)
            if part in place:
                at = place[part]
            else:
                after.append((at, part))
            shown.setdefault(part, set()).add(number)
        for behind, part in reversed(after):
            order.insert(behind + 1, part)
    return {part: frozenset(shown[part]) for part in order}


def _next_part(text: str, at: int, place: dict[Part, int], shown: dict[Part, set[int]], number: int) -> Part:
    """The first part of this text that stands before `at` in no picture, and is not used in this one yet."""
    copy = 0
    while True:
        part = (text, copy)
        if part not in shown or (number not in shown[part] and place.get(part, -1) > at):
            return part
        copy += 1
