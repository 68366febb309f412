"""The Diplomacy map as a self-contained SVG: provinces by owner, units, and orders. The same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from playmill.games.diplomacy import draw_marks as marks
from playmill.games.diplomacy.draw_marks import INK, POWERS
from playmill.games.diplomacy.draw_orders import draw_lines, draw_signs
from playmill.games.diplomacy.draw_shapes import (
    IMPASSABLE,
    Shapes,
    Spot,
    closed_curve,
    load_shapes,
    number,
    open_curve,
    xy,
)
from playmill.games.diplomacy.draw_sheet import NEUTRAL, DrawnOrder, MapSheet, Position

HEADER, LEGEND = 44, 46  # heights, in units of the map
SEA, SHALLOWS, SEA_LINE = "#e4eff6", "#cbdfec", "#a9c3d4"
LAND, UNOWNED, ISLAND, LAND_LINE, COAST = "#efe8d6", "#fdfaf0", "#e2ddd0", "#8f8a7c", "#51585e"

__all__ = ["DrawnOrder", "Position", "draw_svg"]


def draw_svg(position: Position, orders: Sequence[DrawnOrder] = (), width: int = 800, title: str = "") -> str:
    """The map as the text of an SVG file, `width` pixels wide; with a title or a caption it gets a header."""
    shapes = load_shapes()
    sheet = MapSheet(shapes, position, orders)
    top = HEADER if title or position.caption else 0
    across, down = shapes.size[0], shapes.size[1] + top + LEGEND
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{round(width * down / across)}" '
        f'viewBox="0 {-top} {across} {down}" role="img" font-family="{marks.FONT}">',
        f"<title>{escape(title or position.caption or 'Diplomacy')}</title>{_definitions()}",
        f'<rect y="{-top}" width="{across}" height="{down}" fill="#ffffff"/>',
        f'<svg width="{across}" height="{shapes.size[1]}" overflow="hidden">',  # cuts off the coasts that leave the sheet
        _areas(shapes, position),
        _decoration(shapes),
        _orders("orders", draw_lines(sheet)),
        _labels(shapes),
        _coasts(shapes),
        _centres(shapes, position),
        _units(sheet),
        _orders("signs", draw_signs(sheet)),
        f'<rect width="{across}" height="{shapes.size[1]}" fill="none" stroke="{COAST}" stroke-width="2"/></svg>',
        _header(title, position.caption, across) if top else "",
        _legend(shapes, position),
        "</svg>\n",
    )
    return "\n".join(part for part in parts if part)


def _definitions() -> str:
    return (
        '<defs><pattern id="diplomacy-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="7" height="7" fill="#e6e1d3"/><path d="M0,0V7" stroke="#a39d8c" stroke-width="3"/></pattern></defs>'
    )


def _areas(shapes: Shapes, position: Position) -> str:
    seas = "".join(_area(shapes, name, SEA, position) for name in shapes.places if name in shapes.seas)
    lands = "".join(
        _area(shapes, name, _fill(name, shapes, position), position) for name in shapes.places if name not in shapes.seas
    )
    blocked = (
        f'<path d="{shapes.outline(IMPASSABLE)}" fill="url(#diplomacy-hatch)"><title>Switzerland, impassable</title></path>'
    )
    coast = f'<path d="{shapes.coast()}"/>'
    return (
        f'<g stroke="{SEA_LINE}" stroke-width="1.4">{seas}</g>\n'
        f'<g fill="none" stroke="{SHALLOWS}" stroke-width="11" stroke-linecap="round">{coast}{_islands(shapes)}</g>\n'
        f'<g stroke="{LAND_LINE}" stroke-width="1.2" stroke-linejoin="round">{lands}{blocked}</g>\n'
        f'<g fill="none" stroke="{COAST}" stroke-width="1.7" stroke-linecap="round">{coast}</g>'
    )


def _area(shapes: Shapes, name: str, fill: str, position: Position) -> str:
    return f'<path d="{shapes.outline(name)}" fill="{fill}"><title>{escape(_words(shapes, name, position))}</title></path>'


def _words(shapes: Shapes, name: str, position: Position) -> str:
    here = shapes.places[name]
    owner = f", {_owner(position.centres.get(name, NEUTRAL))}" if here.centre else ""
    return f"{here.name} ({name}){owner}"


def _fill(name: str, shapes: Shapes, position: Position) -> str:
    if shapes.places[name].centre is None:
        return LAND
    letter = position.centres.get(name, NEUTRAL)
    return UNOWNED if letter == NEUTRAL else marks.power(letter).tint


def _decoration(shapes: Shapes) -> str:
    """Islands nobody can enter, lakes, and the straits inside Denmark, Constantinople and Naples."""
    lakes = "".join(f'<path d="{closed_curve(points)}"/>' for points in shapes.lakes.values())
    straits = "".join(f'<path d="M{xy(points[0])}{open_curve(points)}"/>' for points in shapes.straits.values())
    return (
        f'<g fill="{ISLAND}" stroke="{LAND_LINE}" stroke-width="1.2">{_islands(shapes)}</g>\n'
        f'<g fill="none" stroke="{COAST}" stroke-width="6.5">{straits}</g>\n'
        f'<g fill="{SEA}" stroke="{COAST}" stroke-width="1.5">{lakes}</g>\n'
        f'<g fill="none" stroke="{SEA}" stroke-width="3.5" stroke-linecap="square">{straits}</g>'
    )


def _islands(shapes: Shapes) -> str:
    return "".join(f'<path d="{closed_curve(points)}"/>' for points in shapes.islands.values())


def _labels(shapes: Shapes) -> str:
    land = "".join(_label(name, here.label) for name, here in shapes.places.items() if name not in shapes.seas)
    seas = "".join(_label(name, here.label) for name, here in shapes.places.items() if name in shapes.seas)
    return (
        f'<g font-size="15" text-anchor="middle" stroke-width="3" stroke-opacity=".75" paint-order="stroke" '
        f'stroke-linejoin="round"><g fill="{INK}" stroke="#ffffff">{land}</g>'
        f'<g fill="#3f627a" stroke="{SEA}" font-style="italic">{seas}</g></g>'
    )


def _coasts(shapes: Shapes) -> str:
    """The names of coasts, where a province has two."""
    spots = [(coast, spot) for here in shapes.places.values() for coast, spot in here.coast_labels.items()]
    words = "".join(f'<text x="{number(x)}" y="{number(y + 4)}">{coast}</text>' for coast, (x, y) in spots)
    style = 'font-size="12" font-style="italic" text-anchor="middle" stroke-width="3" stroke-opacity=".75" paint-order="stroke"'
    return f'<g class="coasts" fill="{COAST}" stroke="#ffffff" {style} stroke-linejoin="round">{words}</g>'


def _label(name: str, spot: Spot) -> str:
    return f'<text x="{number(spot[0])}" y="{number(spot[1] + 5)}">{name.capitalize()}</text>'


def _centres(shapes: Shapes, position: Position) -> str:
    dots = []
    for name, here in shapes.places.items():
        if here.centre is not None:
            letter = position.centres.get(name, NEUTRAL)
            colour = "#ffffff" if letter == NEUTRAL else marks.power(letter).unit
            dots.append(marks.centre(here.centre, colour, f"{here.name}: {_owner(letter)}"))
    return f'<g class="centres" fill="#ffffff" stroke="{INK}" stroke-width="1.3">{"".join(dots)}</g>'


def _units(sheet: MapSheet) -> str:
    shapes, position = sheet.shapes, sheet.position
    standing = [_unit(shapes.spot(at), unit) for at, unit in position.units.items() if at not in position.beaten]
    beaten = [_unit(shapes.spot(at), unit, ", dislodged") for at, unit in position.units.items() if at in position.beaten]
    beaten += [_unit(shapes.retreat(at), unit, ", dislodged") for at, unit in position.dislodged.items()]
    return (
        f'<g class="units">{marks.framed("".join(standing))}</g>\n'
        f'<g class="dislodged">{marks.framed("".join(beaten), marks.FAILED, "4 2", 2.6)}</g>'
    )


def _unit(spot: Spot, unit: tuple[str, str], words: str = "") -> str:
    return marks.unit(spot, marks.power(unit[0]), unit[1], words)


def _orders(name: str, drawn: str) -> str:
    return f'<g class="{name}" fill="none" stroke-width="3" stroke-linecap="round">{drawn}</g>' if drawn else ""


def _header(title: str, caption: str, across: int) -> str:
    middle = -HEADER / 2 + 7
    return (
        f'<g fill="{INK}"><text x="14" y="{middle:g}" font-size="23" font-weight="bold">{escape(title or caption)}</text>'
        f'<text x="{across - 14}" y="{middle:g}" font-size="20" text-anchor="end">{escape(caption if title else "")}</text></g>'
    )


def _legend(shapes: Shapes, position: Position) -> str:
    """The powers in their order, each with its number of centres, and how many are still nobody's."""
    across, down = shapes.size
    owners = [position.centres.get(name, NEUTRAL) for name, here in shapes.places.items() if here.centre]
    rows = [(owner.name, owner.tint, owner.unit, owners.count(letter)) for letter, owner in POWERS.items()]
    rows.append(("Neutral", UNOWNED, "#ffffff", owners.count(NEUTRAL)))
    step = across / len(rows)
    entries = "".join(_entry(14 + i * step, down + LEGEND / 2, *row) for i, row in enumerate(rows))
    return f'<g class="legend" font-size="18" fill="{INK}">{entries}</g>'


def _entry(x: float, y: float, name: str, tint: str, dot: str, count: int) -> str:
    left, top = number(x), number(y - 10)
    return (
        f'<rect x="{left}" y="{top}" width="24" height="20" rx="4" fill="{tint}" stroke="{LAND_LINE}"/>'
        f'<circle cx="{number(x + 12)}" cy="{number(y)}" r="5" fill="{dot}" stroke="{INK}" stroke-width="1.2"/>'
        f'<text x="{number(x + 31)}" y="{number(y + 6)}">{name} <tspan font-weight="bold">{count}</tspan></text>'
    )


def _owner(letter: str) -> str:
    return "neutral" if letter == NEUTRAL else marks.power(letter).name
