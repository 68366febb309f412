"""SVG in a few words: what the games' pictures are made of. The same input gives the same bytes."""

from __future__ import annotations

from html import escape

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
PAPER, INK, FAINT, LINE = "#ffffff", "#1d2733", "#7a8591", "#d5dbe1"
# Of the first two players, after the Okabe-Ito palette, whose colours stay apart for colour-blind eyes.
FIRST, SECOND, HIGHLIGHT = "#d55e00", "#0a6db3", "#f0c419"


def tag(name: str, *inside: str, **attributes: float | str) -> str:
    """An element; attributes are written with hyphens for underscores, numbers as short as they are."""
    words = "".join(f' {key.strip("_").replace("_", "-")}="{_written(value)}"' for key, value in attributes.items())
    return f"<{name}{words}>{''.join(inside)}</{name}>" if inside else f"<{name}{words}/>"


def text(x: float, y: float, words: str, size: float = 13, fill: str = INK, **attributes: float | str) -> str:
    """Words whose line stands on y."""
    return tag("text", escape(words), x=x, y=y, font_size=size, fill=fill, **attributes)


def sheet(width: float, height: float, title: str, *parts: str) -> str:
    """A whole picture on a white card, which is readable on a dark page too; screen readers say the title."""
    card = tag("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=10, fill=PAPER, stroke=LINE)
    inside = (tag("title", escape(title)), card, *parts)
    box, space = f"0 0 {width:g} {height:g}", "http://www.w3.org/2000/svg"
    return tag("svg", *inside, xmlns=space, width=width, height=height, viewBox=box, role="img", font_family=FONT) + "\n"


def caption(middle: float, y: float, words: str, colour: str | None = None) -> str:
    """A line of words around the middle, with a dot of a player's colour before it."""
    dot = "" if colour is None else tag("tspan", "\u25cf\u00a0", fill=colour)
    return tag("text", dot, escape(words), x=middle, y=y, font_size=14, fill=INK, text_anchor="middle")


def side_of(standing: str) -> str:
    """The letter of the side that a line such as "x to move" or "over: o has won" is about; of a draw, none that plays."""
    return standing.removeprefix("over: ")[:1]


def _written(value: float | str) -> str:
    return escape(value, quote=True) if isinstance(value, str) else f"{value:g}"
