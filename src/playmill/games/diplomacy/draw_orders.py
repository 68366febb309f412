"""How each kind of order is drawn."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from playmill.core.errors import unknown_name
from playmill.games.diplomacy import draw_marks as marks
from playmill.games.diplomacy.draw_marks import UNIT
from playmill.games.diplomacy.draw_shapes import Spot
from playmill.games.diplomacy.draw_sheet import HOLD_RING, DrawnOrder, MapSheet, is_same

DASHES, DOTS, STEPS, STRANDED = "8 5", "0.1 6.5", "11 4 3 4", "1 7"


def draw_lines(sheet: MapSheet) -> str:
    """The orders that lie below the units: all that point somewhere."""
    return "".join(_draw(sheet, order) for order in sheet.orders if order.kind not in SIGNS)


def draw_signs(sheet: MapSheet) -> str:
    """The orders that lie on top: units that come and go."""
    return "".join(_draw(sheet, order) for order in sheet.orders if order.kind in SIGNS)


def _draw(sheet: MapSheet, order: DrawnOrder) -> str:
    if order.kind not in DRAWERS:
        raise unknown_name("order kind", order.kind, DRAWERS)
    colour = sheet.colour(order)
    drawing, spot = DRAWERS[order.kind](sheet, order, colour)
    line = sheet.line(order)
    if not order.ok and line is not None:
        spot = line.at(sheet.cross_at(line))
    failure = "" if order.ok or spot is None else marks.cross(spot)
    return f'<g stroke="{colour}"><title>{escape(_words(order))}</title>{drawing}{failure}</g>'


def _words(order: DrawnOrder) -> str:
    parts = [order.at, order.kind.replace("_", " "), order.aux, f"- {order.target}" if order.target else ""]
    return " ".join(part for part in parts if part) + ("" if order.ok else ", failed")


# A drawer gives the marks and, where there is no line that it could be on, the spot for the cross of a failed order.
Drawing = tuple[str, Spot | None]


def _move(sheet: MapSheet, order: DrawnOrder, colour: str) -> Drawing:
    route = sheet.route(order)
    if order.is_stranded:
        went, missed = route.parts(sheet.cross_at(route))
        return marks.bent(went) + marks.bent(missed, STRANDED), None
    return marks.pointed(route, colour, STEPS if order.kind == "retreat" else ""), None


def _hold(sheet: MapSheet, order: DrawnOrder, colour: str) -> Drawing:
    """A ring; a unit that did not hold is marked itself, and arrows come from all sides, so there is no cross."""
    return marks.ring(sheet.stand(order.at), HOLD_RING), None


def _support_hold(sheet: MapSheet, order: DrawnOrder, colour: str) -> Drawing:
    ring = marks.ring(sheet.stand(order.aux), HOLD_RING, DASHES)
    return marks.bent(_line(sheet, order), DASHES) + ring, None


def _support_move(sheet: MapSheet, order: DrawnOrder, colour: str) -> Drawing:
    link = _line(sheet, order)
    return marks.bent(link, DASHES) + marks.dot(link.end, colour), None


def _convoy(sheet: MapSheet, order: DrawnOrder, colour: str) -> Drawing:
    link = _line(sheet, order)
    return marks.bent(link, DOTS) + marks.dot(link.end, colour), None


def _line(sheet: MapSheet, order: DrawnOrder) -> marks.Arrow:
    line = sheet.line(order)
    assert line is not None
    return line


def _disband(sheet: MapSheet, order: DrawnOrder, colour: str) -> Drawing:
    is_beaten = any(is_same(at, order.at) for at in sheet.position.dislodged)
    spot = sheet.shapes.retreat(order.at) if is_beaten else sheet.stand(order.at)
    return marks.cross(spot, UNIT), spot


def _build(sheet: MapSheet, order: DrawnOrder, colour: str) -> Drawing:
    x, y = sheet.shapes.spot(order.at)
    new = marks.unit((x, y), sheet.builder(order), order.unit)
    return f"{marks.ring((x, y), HOLD_RING, DASHES)}{marks.framed(new)}{marks.plus((x + 15, y - 15))}", (x - 15, y - 15)


DRAWERS: dict[str, Callable[[MapSheet, DrawnOrder, str], Drawing]] = {
    "hold": _hold,
    "move": _move,
    "support_hold": _support_hold,
    "support_move": _support_move,
    "convoy": _convoy,
    "retreat": _move,
    "disband": _disband,
    "remove": _disband,
    "build": _build,
}
SIGNS = frozenset({"disband", "remove", "build"})
