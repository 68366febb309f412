"""Plots of Braille dots: two by four in a character."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from rich.text import Text

from playmill.packs.plot_lines import PlotLine

ACROSS, DOWN = 2, 4  # dots of a character
FIRST = 0x2800
BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
LINE, BAND, LEVEL = "bold cyan", "blue", "green"
ROOM = 0.06  # of the height, above and below
LEAST = 24, 9  # columns and lines of one plot among others


@dataclass
class Canvas:
    """Dots, the upper left one being (0, 0), in layers that have a style each; the first of them that has a dot says it."""

    width: int
    height: int
    layers: dict[str, set[tuple[int, int]]] = field(default_factory=dict)

    def dot(self, style: str, x: int, y: int) -> None:
        if 0 <= x < self.width * ACROSS and 0 <= y < self.height * DOWN:
            self.layers.setdefault(style, set()).add((x, y))

    def line(self, style: str, start: tuple[int, int], end: tuple[int, int]) -> None:
        """A straight line, both ends with it."""
        (x, y), (to_x, to_y) = start, end
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        for step in range(steps + 1):
            self.dot(style, x + round((to_x - x) * step / steps), y + round((to_y - y) * step / steps))

    def rows(self, styles: tuple[str, ...]) -> Iterator[Text]:
        for row in range(self.height):
            text = Text()
            for column in range(self.width):
                text.append(*self._character(row, column, styles))
            yield text

    def _character(self, row: int, column: int, styles: tuple[str, ...]) -> tuple[str, str]:
        bits, shown = 0, ""
        for style in styles:
            dots = self.layers.get(style, set())
            own = sum(BITS[x][y] for x in range(ACROSS) for y in range(DOWN) if (column * ACROSS + x, row * DOWN + y) in dots)
            shown = shown or (style if own else "")
            bits |= own
        return chr(FIRST + bits) if bits else " ", shown


def draw_plot(line: PlotLine, width: int, height: int) -> Text:
    """The line in so many characters: its title and last value, then the dots between two labels of the axis."""
    low, high = _range(line)
    labels = line.form.format(high), line.form.format(low)
    margin = max(map(len, labels)) + 1
    canvas = Canvas(max(width - margin, 1), max(height - 2, 1))
    _draw(canvas, line, low, high)
    text = _title(line, width)
    for number, row in enumerate(canvas.rows((LINE, BAND, LEVEL))):
        label = labels[0] if number == 0 else labels[1] if number == canvas.height - 1 else ""
        text.append(f"\n{label:>{margin - 1}} ", style="dim").append(row)
    first, last = line.points[0][0], line.points[-1][0]
    text.append(f"\n{'':>{margin}}{first:<{max(canvas.width - len(str(last)), 1)}}{last}", style="dim")
    return text


def _title(line: PlotLine, width: int) -> Text:
    value = f"{line.form.format(line.points[-1][1].value)} {line.unit}".rstrip()
    text = Text().append(line.title, style="bold").append(f"  {value}", style=LINE)
    if line.reference and line.reference[1]:
        text.append(f"  {line.reference[1]}", style=LEVEL)
    text.truncate(width, overflow="ellipsis")
    return text


def _range(line: PlotLine) -> tuple[float, float]:
    """The lowest and the highest that is drawn, with a little room; a reference far off is left out."""
    seen = [value for _, point in line.points for value in (point.value, point.low, point.high) if value is not None]
    low, high = min(seen), max(seen)
    if line.reference and low - (high - low) <= line.reference[0] <= high + 2 * (high - low):
        low, high = min(low, line.reference[0]), max(high, line.reference[0])
    room = (high - low) * ROOM or abs(high) * ROOM or 1.0
    return low - room, high + room


def _draw(canvas: Canvas, line: PlotLine, low: float, high: float) -> None:
    across, down = canvas.width * ACROSS - 1, canvas.height * DOWN - 1
    first, last = line.points[0][0], line.points[-1][0]

    def place(number: float, value: float) -> tuple[int, int]:
        return round((number - first) / max(last - first, 1) * across), round((high - value) / (high - low) * down)

    if line.reference and low <= line.reference[0] <= high:
        for x in range(0, across + 1, 3):
            canvas.dot(LEVEL, x, place(first, line.reference[0])[1])
    for number, point in line.points:
        if point.low is not None and point.high is not None:
            canvas.line(BAND, place(number, point.low), place(number, point.high))
    places = [place(number, point.value) for number, point in line.points]
    for start, end in pairwise(places):
        canvas.line(LINE, start, end)


def in_a_grid(lines: list[PlotLine], width: int, height: int) -> Text:
    """As many side by side as there is room for, the others in rows below; more rows than there is room for are scrolled."""
    if not lines:
        return Text("plots come with the second iteration", style="dim")
    across = max(1, min(len(lines), width // LEAST[0]))
    rows = [lines[start : start + across] for start in range(0, len(lines), across)]
    each = max(height // len(rows), min(LEAST[1], height))
    return Text("\n").join(_row(row, width // across - 2, each) for row in rows)


def _row(lines: list[PlotLine], width: int, height: int) -> Text:
    drawn = [draw_plot(line, width, height).split("\n") for line in lines]
    text = Text()
    for number, cells in enumerate(zip(*drawn, strict=False)):
        text.append("\n" if number else "")
        for cell in cells:
            cell.pad_right(max(width + 2 - cell.cell_len, 0))
            text.append(cell)
    return text
