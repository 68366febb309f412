"""A position and its orders as plain data, and the lines that they are drawn with."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playmill.games.diplomacy import draw_marks as marks
from playmill.games.diplomacy.draw_marks import UNIT
from playmill.games.diplomacy.draw_shapes import Shapes, Spot

NEUTRAL = "N"
HOLD_RING = UNIT + 7  # clears a fleet's bow
FLEET_GAP = UNIT + 8
CROSSES = (0.72, 0.65, 0.8, 0.58, 0.36, 0.28, 0.44, 0.2)  # where a line's cross may go; supports join a move at its middle
CLEAR = 12.0  # between a cross and the end of another line


@dataclass(frozen=True)
class Position:
    """What stands on the map. Locations are `par` or `stp/sc`; a unit is (power letter, "a" or "f").

    A centre that is not listed, or owned by "N", is neutral.
    """

    units: Mapping[str, tuple[str, str]]
    dislodged: Mapping[str, tuple[str, str]]
    centres: Mapping[str, str]
    caption: str = ""  # e.g. "Spring 1901, movement"
    beaten: frozenset[str] = frozenset()  # units that the orders drawn will dislodge


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
    is_stranded: bool = False  # a move that waited for a convoy in vain


@dataclass(frozen=True)
class MapSheet:
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
        return marks.arrow(start, self.shapes.spot(order.target), lean, (UNIT, self._gap(order.target)))

    @functools.cached_property
    def ends(self) -> list[Spot]:
        """Where the lines of all orders end."""
        lines = (self.line(order) for order in self.orders)
        return [line.end for line in lines if line is not None]

    def line(self, order: DrawnOrder) -> marks.Arrow | None:
        """The line of an order that points somewhere."""
        if order.kind in ("move", "retreat"):
            return self.route(order)
        if order.kind == "support_hold":
            return marks.arrow(self.stand(order.at), self.stand(order.aux), gaps=(UNIT, HOLD_RING))
        if order.kind not in ("support_move", "convoy"):
            return None
        lean = marks.CONVOY_BEND if order.kind == "convoy" else marks.ARROW_BEND
        return marks.arrow(self.stand(order.at), self.named_route(order).middle, lean, (UNIT, 0))

    def cross_at(self, line: marks.Arrow) -> float:
        """Where on a line its cross goes, as a share of its way: the first spot at which no other line ends, or the best."""
        others = [end for end in self.ends if end != line.end]
        room = {share: min((math.dist(line.at(share), end) for end in others), default=CLEAR) for share in CROSSES}
        return next((share for share, gap in room.items() if gap >= CLEAR), max(room, key=lambda share: room[share]))

    def _gap(self, target: str) -> float:
        """How far from a place an arrow stops: beside the unit and its ring, or where others want to go there, too."""
        at = self._unit_in(target)
        if any(is_same(ringed, target) for ringed in self._ringed()):
            return HOLD_RING + 4
        if at is not None:
            return FLEET_GAP if self.position.units[at][1] == "f" else UNIT + 4
        rivals = [order for order in self.orders if order.kind in ("move", "retreat") and is_same(order.target, target)]
        return UNIT if len(rivals) > 1 else 2.0

    def _ringed(self) -> list[str]:
        """Places with a ring around their unit."""
        held = [order.aux for order in self.orders if order.kind == "support_hold"]
        return held + [order.at for order in self.orders if order.kind == "hold"]

    def named_route(self, order: DrawnOrder) -> marks.Arrow:
        """The arrow that a support or a convoy speaks of: the mover's own if it moves so, else the one it would have had."""
        own = (o for o in self.orders if o.kind == "move" and is_same(o.at, order.aux) and is_same(o.target, order.target))
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
        letters = [letter for at, (letter, _) in units if is_same(at, order.at)]
        return marks.power(letters[0]).line if letters else marks.INK

    def builder(self, order: DrawnOrder) -> marks.Power:
        return marks.power(self.position.centres.get(province_of(order.at), NEUTRAL))

    def _unit_in(self, location: str) -> str | None:
        if location in self.position.units:
            return location
        return next((other for other in self.position.units if is_same(other, location)), None)


def province_of(location: str) -> str:
    return location.partition("/")[0]


def is_same(one: str, other: str) -> bool:
    """Whether two locations are in one province, whatever the coast."""
    return province_of(one) == province_of(other)
