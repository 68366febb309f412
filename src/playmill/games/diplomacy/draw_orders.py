"""A position and its orders as plain data, and how each kind of order is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from playmill.core.errors import unknown_name
from playmill.games.diplomacy import draw_marks as marks
from playmill.games.diplomacy.draw_marks import UNIT
from playmill.games.diplomacy.draw_shapes import Shapes, Spot

NEUTRAL = "N"
HOLD_RING = UNIT + 7  # clears a fleet's bow
DASHES, DOTS, STEPS = "8 5", "0.1 6.5", "11 4 3 4"


@dataclass(frozen=True)
class Position:
    """What stands on the map. Locations are `par` or `stp/sc`; a unit is (power letter, "a" or "f").

    A centre that is not listed, or owned by "N", is neutral.
    """

    units: Mapping[str, tuple[str, str]]
    dislodged: Mapping[str, tuple[str, str]]
    centres: Mapping[str, str]
    caption: str = ""  # e.g. "Spring 1901, movement"


@dataclass(frozen=True)
class DrawnOrder:
    """One order and how it ended. `kind` is a key of DRAWERS.

    `aux` is where the supported or convoyed unit stands; `target` is where the moving, the supported or the convoyed unit
    goes. A build says its `unit`, "a" or "f".
    """

    kind: str
    at: str
    aux: str = ""
    target: str = ""
    ok: bool = True
    via_convoy: bool = False
    unit: str = ""


@dataclass(frozen=True)
class Sheet:
    """All that the drawing of one order may look at."""

    shapes: Shapes
    position: Position
    orders: Sequence[DrawnOrder]

    def stand(self, location: str) -> Spot:
        """Where the unit of this province stands: `stp` finds the fleet on `stp/sc`."""
        return self.shapes.spot(self._unit_in(location) or location)

    def route(self, order: DrawnOrder) -> marks.Arrow:
        lean = marks.CONVOY_BEND if order.via_convoy else marks.ARROW_BEND
        start = self.shapes.retreat(order.at) if order.kind == "retreat" else self.stand(order.at)
        gap = UNIT + 4 if self._unit_in(order.target) else 2.0
        return marks.arrow(start, self.shapes.spot(order.target), lean, (UNIT, gap))

    def named_route(self, order: DrawnOrder) -> marks.Arrow:
        """The arrow that a support or a convoy speaks of: the mover's own if it moves so, else the one it would have had."""
        own = (o for o in self.orders if o.kind == "move" and _same(o.at, order.aux) and _same(o.target, order.target))
        return self.route(next(own, DrawnOrder("move", order.aux, target=order.target, via_convoy=order.kind == "convoy")))

    def colour(self, order: DrawnOrder) -> str:
        """Of the power whose unit it is, or whose centre builds; red for what failed."""
        if not order.ok:
            return marks.FAILED
        if order.kind == "build":
            return self.builder(order).line
        units = [*self.position.units.items(), *self.position.dislodged.items()]
        if order.kind in ("retreat", "disband"):
            units.reverse()  # two units share the province now, and the order is for the beaten one
        letters = [letter for at, (letter, _) in units if _same(at, order.at)]
        return marks.power(letters[0]).line if letters else marks.INK

    def builder(self, order: DrawnOrder) -> marks.Power:
        return marks.power(self.position.centres.get(province_of(order.at), NEUTRAL))

    def _unit_in(self, location: str) -> str | None:
        if location in self.position.units:
            return location
        return next((other for other in self.position.units if _same(other, location)), None)


def draw_lines(sheet: Sheet) -> str:
    """The orders that lie below the units: all that point somewhere."""
    return "".join(_draw(sheet, order) for order in sheet.orders if order.kind not in SIGNS)


def draw_signs(sheet: Sheet) -> str:
    """The orders that lie on top: units that come and go."""
    return "".join(_draw(sheet, order) for order in sheet.orders if order.kind in SIGNS)


def province_of(location: str) -> str:
    return location.partition("/")[0]


def _same(one: str, other: str) -> bool:
    """Whether two locations are in one province, whatever the coast."""
    return province_of(one) == province_of(other)


def _draw(sheet: Sheet, order: DrawnOrder) -> str:
    if order.kind not in DRAWERS:
        raise unknown_name("order kind", order.kind, DRAWERS)
    colour = sheet.colour(order)
    drawing, tip = DRAWERS[order.kind](sheet, order, colour)
    failure = "" if order.ok else marks.cross(tip)
    return f'<g stroke="{colour}"><title>{escape(_words(order))}</title>{drawing}{failure}</g>'


def _words(order: DrawnOrder) -> str:
    parts = [order.at, order.kind.replace("_", " "), order.aux, f"- {order.target}" if order.target else ""]
    return " ".join(part for part in parts if part) + ("" if order.ok else ", failed")


# A drawer gives the marks and the spot for the cross of a failed order.
Drawing = tuple[str, Spot]


def _move(sheet: Sheet, order: DrawnOrder, colour: str) -> Drawing:
    route = sheet.route(order)
    return marks.pointed(route, colour, STEPS if order.kind == "retreat" else ""), route.end


def _hold(sheet: Sheet, order: DrawnOrder, colour: str) -> Drawing:
    x, y = sheet.stand(order.at)
    return marks.ring((x, y), HOLD_RING), (x + 14, y - 14)


def _support_hold(sheet: Sheet, order: DrawnOrder, colour: str) -> Drawing:
    held = sheet.stand(order.aux)
    link = marks.arrow(sheet.stand(order.at), held, gaps=(UNIT, HOLD_RING))
    return marks.bent(link, DASHES) + marks.ring(held, HOLD_RING, DASHES), link.end


def _support_move(sheet: Sheet, order: DrawnOrder, colour: str) -> Drawing:
    link = marks.arrow(sheet.stand(order.at), sheet.named_route(order).middle, gaps=(UNIT, 0))
    return marks.bent(link, DASHES) + marks.dot(link.end, colour), link.end


def _convoy(sheet: Sheet, order: DrawnOrder, colour: str) -> Drawing:
    link = marks.arrow(sheet.stand(order.at), sheet.named_route(order).middle, marks.CONVOY_BEND, (UNIT, 0))
    return marks.bent(link, DOTS) + marks.dot(link.end, colour), link.end


def _disband(sheet: Sheet, order: DrawnOrder, colour: str) -> Drawing:
    is_beaten = any(_same(at, order.at) for at in sheet.position.dislodged)
    spot = sheet.shapes.retreat(order.at) if is_beaten else sheet.stand(order.at)
    return marks.cross(spot, UNIT), spot


def _build(sheet: Sheet, order: DrawnOrder, colour: str) -> Drawing:
    x, y = sheet.shapes.spot(order.at)
    new = marks.unit((x, y), sheet.builder(order), order.unit)
    return f"{marks.ring((x, y), HOLD_RING, DASHES)}{marks.framed(new)}{marks.plus((x + 15, y - 15))}", (x - 15, y - 15)


DRAWERS: dict[str, Callable[[Sheet, DrawnOrder, str], Drawing]] = {
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
