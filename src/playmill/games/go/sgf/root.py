"""What the root says about the whole game, put right: which game, which board, which komi."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playmill.games.go.geometry import MAX_SIZE, MIN_SIZE
from playmill.games.go.sgf.points import read_place, spread
from playmill.games.go.sgf.properties import INFO, MOVES, ROOT, STONES
from playmill.games.go.sgf.repairs import Repairs, SgfRejected
from playmill.games.go.sgf.tree import SgfNode

GO = "1"
USUAL = (9, 13, 19)
SURE = 20  # moves inside a smaller board's corner that tell that the board is no larger
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d*)?|[-+]?[.,]\d+")
HALVES = {"½": ".5", "¼": ".25", "¾": ".75"}
MOST_KOMI = 100  # points; more is in other units
TENTHS = (45, 55, 65, 75, 85)
DIGITS = 6  # of a number that is read


def gather_info(root: SgfNode, repairs: Repairs) -> None:
    """Bring to the root what later nodes of the main line say about the whole game, where the root is silent."""
    for node in root.main_line():
        if node is root:
            continue
        for name in [name for name in node.properties if name in ROOT or name in INFO]:
            values = node.properties.pop(name)
            root.properties.setdefault(name, values)
            repairs.note("info_after_root")


def require_go(root: SgfNode) -> None:
    """Refuse another game; no number means Go."""
    game = (root.text("GM") or GO).strip()
    if game.isdigit() and game.lstrip("0") != GO:
        raise SgfRejected("other_game", f"GM: expected 1 (Go), got {game[:DIGITS]}")


def board_size(root: SgfNode, repairs: Repairs) -> int:
    """The size that SZ says, else the one that the moves tell."""
    text = (root.text("SZ") or "").strip()
    sides = re.split(r"\s*[:xX*]\s*", text)
    if not all(side.isascii() and side.isdigit() and len(side) <= DIGITS for side in sides) or int(sides[0]) == 0:
        repairs.note("size_missing")
        return _size_by_moves(root)
    if len({int(side) for side in sides}) > 1 or not MIN_SIZE <= int(sides[0]) <= MAX_SIZE:
        raise SgfRejected("board_size", f"SZ: expected a square of {MIN_SIZE} to {MAX_SIZE} lines, got {text[:20]}")
    return int(sides[0])


def _size_by_moves(root: SgfNode) -> int:
    """19, unless many moves keep to the corner of a smaller usual board."""
    places = [place for node in root.main_line() for place in _places(node)]
    needed = max((max(place) + 1 for place in places), default=0)
    if len(places) < SURE:
        return USUAL[-1]
    return next((size for size in USUAL if needed <= size), USUAL[-1])


def _places(node: SgfNode) -> Iterator[tuple[int, int]]:
    for name in MOVES | STONES:
        for value in node.properties.get(name, ()):
            for point in spread(value):
                place = read_place(point.lower())
                if place is not None and point.lower() != "tt":
                    yield place


# ------------------------------------------------------------------ komi


def set_komi(root: SgfNode, repairs: Repairs) -> float | None:
    """Write the komi in points into the root and return it; None where it is unknown, and taken out."""
    text = root.text("KM")
    if text is None:
        return None
    number = _number(text)
    komi = None if number is None else komi_in_points(number)
    if komi is None:
        del root.properties["KM"]
        if text.strip():
            repairs.note("komi_dropped")
        return None
    if komi != number or NUMBER.fullmatch(text.strip()) is None:
        repairs.note("komi_units")
    root.set_text("KM", f"{komi:g}")
    return komi


def komi_in_points(number: float) -> float | None:
    """Points for a number in points, in tenths (65), in hundredths (650), or in stones (3.75, 375), which count twice."""
    if abs(number) >= MOST_KOMI:
        number /= 100
    elif number in TENTHS:
        number /= 10
    if number * 4 % 2 == 1:
        number *= 2  # only a count of stones has quarters: the difference of the two sides is twice that
    return number if abs(number) < MOST_KOMI and number * 2 % 1 == 0 else None


def _number(text: str) -> float | None:
    """The one number in a text such as 6.5, 6,5, 5½ or 6.5 points."""
    for sign, digits in HALVES.items():
        text = text.replace(sign, digits)
    found = NUMBER.findall(text)
    if len(found) != 1 or len(found[0]) > DIGITS:
        return None
    return float(found[0].replace(",", "."))
