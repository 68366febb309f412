"""A histogram for the terminal: vertical bars of eighth blocks over a labelled axis."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

EIGHTHS = " ▁▂▃▄▅▆▇█"
FRAME = 8  # columns that the widest share and the frame take
MAX_CELL = 8  # columns of one bar; a few bars as wide as the page would look like a wall
BAR_STYLE, FRAME_STYLE, MARKER_STYLE = "cyan", "dim", "yellow"


def draw_histogram(
    counts: Mapping[int, int] | Sequence[int],
    *,
    width: int = 72,
    height: int = 10,
    title: str = "",
    markers: Mapping[str, float] | None = None,
    columns: int | None = None,
) -> Text:
    """The counts as bars, at most `width` columns and `height` rows of them; each bar's share can be read on the left.

    `columns` are those of the terminal, which nothing reaches beyond.

    `counts` maps a whole number to how often it was seen, or is a list of counts for 0, 1, 2, ... Neighbours share a bar
    where there are more numbers than columns. `markers` are names and places to point out below the axis.
    """
    text = Text(f"{title}\n" if title else "", no_wrap=True, overflow="ignore")
    text.stylize("bold")
    bars = _bars(counts, width if columns is None else max(min(width, columns - FRAME), 1))
    if bars is None:
        return text.append("(nothing counted)", FRAME_STYLE)
    for label, row in _rows(bars, height):
        text.append(label, FRAME_STYLE).append(f"{row}\n", BAR_STYLE)
    text.append(_axis(bars), FRAME_STYLE)
    for line in _marker_lines(bars, markers or {}, columns):
        text.append(f"\n{line}", MARKER_STYLE)
    return text


@dataclass(frozen=True)
class _Bars:
    """Shares of neighbouring numbers: bar i holds `step` of them from first + i * step on, and is `cell` columns wide."""

    first: int
    step: int
    cell: int
    shares: list[float]

    @property
    def columns(self) -> int:
        return self.cell * len(self.shares)

    @property
    def peak(self) -> float:
        return max(self.shares)

    @property
    def gutter(self) -> int:
        """Columns to the left of the frame: those of the widest label."""
        return len(_percent(self.peak))

    def column(self, value: float) -> int:
        """The middle of the bar that a number belongs to."""
        bar = min(max(int((value - self.first) // self.step), 0), len(self.shares) - 1)
        return bar * self.cell + (self.cell - 1) // 2


def _bars(counts: Mapping[int, int] | Sequence[int], width: int) -> _Bars | None:
    """The counts put into as many bars as fit, or None if there are none."""
    pairs = counts.items() if isinstance(counts, Mapping) else enumerate(counts)
    seen = {value: count for value, count in pairs if count > 0}
    if not seen:
        return None
    first, span, total = min(seen), max(seen) - min(seen) + 1, sum(seen.values())
    step = -(-span // width)
    shares = [0.0] * -(-span // step)
    for value, count in seen.items():
        shares[(value - first) // step] += count / total
    return _Bars(first, step, min(MAX_CELL, width // len(shares)), shares)


# ------------------------------------------------------------------ the bars, row by row


def _rows(bars: _Bars, height: int) -> Iterator[tuple[str, str]]:
    """From the top: each row's label with the frame, and its part of every bar."""
    labels = {height: _percent(bars.peak), height // 2: _percent(bars.peak * (height // 2) / height)}
    for row in range(height, 0, -1):
        frame = "┤" if row in labels else "│"
        blocks = "".join(_block(share / bars.peak * height, row, bars.cell) for share in bars.shares)
        yield f"{labels.get(row, ''):>{bars.gutter}}{frame}", blocks.rstrip()


def _block(level: float, row: int, cell: int) -> str:
    """One row, 1 the lowest, of a bar that is `level` rows high; a bar that holds anything at all is seen."""
    eighths = min(max(round(8 * (level - row + 1)), 0), 8)
    if row == 1 and level > 0:
        eighths = max(eighths, 1)
    gap = 1 if cell > 2 else 0
    return EIGHTHS[eighths] * (cell - gap) + " " * gap


def _percent(share: float) -> str:
    return f"{share:.1%} "


# ------------------------------------------------------------------ what stands below them


def _axis(bars: _Bars) -> str:
    """The axis and the numbers under it."""
    ticks = _ticks(bars)
    line = "".join("┬" if column in ticks else "─" for column in range(bars.columns))
    numbers = ""
    for column, value in ticks.items():
        label = f"{value:,}"
        numbers = numbers.ljust(max(bars.gutter + 1 + column - (len(label) - 1) // 2, 0)) + label
    return f"{' ' * bars.gutter}└{line}\n{numbers}"


def _ticks(bars: _Bars) -> dict[int, int]:
    """Round numbers by their columns, as close together as their labels allow."""
    last = bars.first + bars.step * len(bars.shares) - 1
    room = max(len(f"{bars.first:,}"), len(f"{last:,}")) + 2
    for size in itertools.count():
        for distance in (10**size, 2 * 10**size, 5 * 10**size):
            if distance * bars.cell >= room * bars.step:
                values = range(-(-bars.first // distance) * distance, last + 1, distance)
                return {bars.column(value): value for value in values} or {bars.column(bars.first): bars.first}
    raise AssertionError  # some distance is wide enough


def _marker_lines(bars: _Bars, markers: Mapping[str, float], columns: int | None) -> list[str]:
    """Arrows with their names, in as few lines as hold them without touching; a name stands left of its arrow at the edge."""
    lines: list[str] = []
    for name, value in sorted(markers.items(), key=lambda item: item[1]):
        start, label = bars.gutter + 1 + bars.column(value), f"▲ {name} {value:,.1f}"
        if columns is not None and start + len(label) > columns:
            label = f"{name} {value:,.1f} ▲"
            start -= len(label) - 1
        line = next((i for i, text in enumerate(lines) if len(text) + 2 <= start), len(lines))
        lines[line : line + 1] = [(lines[line] if line < len(lines) else "").ljust(start) + label]
    return lines
