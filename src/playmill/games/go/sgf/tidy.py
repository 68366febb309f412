"""A game's nodes put right: comments out, points in one spelling, setup before the first move in the root."""

from __future__ import annotations

from playmill.games.go.sgf.points import OLD_PASS, read_cell, spread
from playmill.games.go.sgf.properties import LABELS, MARKS, MOVES, SETUP, STONES, TALK
from playmill.games.go.sgf.repairs import Repairs, SgfRejected
from playmill.games.go.sgf.tree import SgfNode

SIDES = {"b": "B", "black": "B", "1": "B", "w": "W", "white": "W", "2": "W"}
STONE_NAMES = {"AB": "B", "AW": "W", "AE": ""}


def strip_talk(root: SgfNode, repairs: Repairs) -> None:
    """Take all comments out."""
    for node in root.every_node():
        for name in TALK & node.properties.keys():
            del node.properties[name]
            repairs.note("comments")


def drop_empty_nodes(root: SgfNode) -> None:
    """Take out nodes without properties, but for the root and those at which variations begin."""
    for node in reversed(list(root.every_node())):
        node.children = [kept for child in node.children for kept in _instead_of(child)]


def _instead_of(node: SgfNode) -> list[SgfNode]:
    return [node] if node.properties or len(node.children) > 1 else node.children


def tidy_points(node: SgfNode, size: int, repairs: Repairs) -> None:
    """Write the points of a node as FF[4] does, lists one by one; a stone that is not on the board is refused."""
    for name in [name for name in node.properties if name in MOVES]:
        node.properties[name] = [_stone(name, value, size, repairs) for value in node.properties[name][:1]]
    for name in [name for name in node.properties if name in STONES]:
        _set(node, name, [_stone(name, point, size, repairs) for value in node.properties[name] for point in spread(value)])
    for name in [name for name in node.properties if name in MARKS]:
        _set(node, name, _on_board([point for value in node.properties[name] for point in spread(value)], size, repairs))
    for name in [name for name in node.properties if name in LABELS]:
        _set(node, name, _on_board(node.properties[name], size, repairs))
    if "PL" in node.properties:
        side = SIDES.get((node.text("PL") or "").strip().lower())
        _set(node, "PL", [side] if side else [])
        if not side:
            repairs.note("markup_dropped")


def _set(node: SgfNode, name: str, values: list[str]) -> None:
    if values:
        node.properties[name] = list(dict.fromkeys(values))
    else:
        del node.properties[name]


def _stone(name: str, value: str, size: int, repairs: Repairs) -> str:
    point = value.lower()
    if point != value:
        repairs.note("point_capitals")
    if name in MOVES and point in ("", OLD_PASS):
        return ""
    if read_cell(point, size) is None:
        raise SgfRejected("bad_point", f"{name}[{value[:20]}] is not on a board of {size} lines")
    return point


def _on_board(values: list[str], size: int, repairs: Repairs) -> list[str]:
    """The marks that are on points of the board; one of a list may be empty by intent."""
    kept = [value for value in values if not value or read_cell(value[:2], size) is not None]
    if len(kept) < len(values):
        repairs.note("markup_dropped")
    return kept


def gather_setup(root: SgfNode, size: int, repairs: Repairs) -> None:
    """Bring setup stones that stand before the first move into the root."""
    tidy_points(root, size, repairs)
    while len(root.children) == 1 and not root.properties.keys() & MOVES:
        child = root.children[0]
        if child.properties.keys() & MOVES or not child.properties.keys() & SETUP:
            return
        tidy_points(child, size, repairs)
        _set_stones(root, {**stones_of(root), **stones_of(child)})
        for name, values in child.properties.items():
            if name not in STONES:
                root.properties[name] = values
        root.children = child.children
        repairs.note("setup_after_root")


def stones_of(node: SgfNode) -> dict[str, str]:
    """The points that a node sets up, each with B, W or nothing."""
    found: dict[str, str] = {}
    for name, side in STONE_NAMES.items():
        for point in node.properties.get(name, ()):
            if found.setdefault(point, side) != side:
                raise SgfRejected("bad_setup", f"{point} is set up in two ways at once")
    return found


def _set_stones(node: SgfNode, stones: dict[str, str]) -> None:
    """Give a root these stones; emptied points need no word there."""
    for name in STONES:
        node.properties.pop(name, None)
    for name, side in STONE_NAMES.items():
        points = sorted(point for point, stone in stones.items() if stone == side)
        if points and side:
            node.properties[name] = points
