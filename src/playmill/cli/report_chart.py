"""Charts as inline SVG: lines with bands, and gates with their intervals. Colours are CSS variables of the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

LEFT, RIGHT, TOP, BOTTOM = 52, 14, 12, 34
TICKS = 5
TONES = 8  # of lines on one sheet; after that they come again
MAX_DOTS = 60  # more of them hide the line

Form = Callable[[float], str]


@dataclass(frozen=True)
class Point:
    """A measurement at `x`, with its interval if it has one and the words a pointer gets."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    words: str = ""
    is_filled: bool = True


@dataclass(frozen=True)
class Axes:
    """How numbers become places on a sheet of `width` x `height`."""

    xs: tuple[float, float]
    ys: tuple[float, float]
    width: int
    height: int

    def x(self, value: float) -> float:
        low, high = self.xs
        return LEFT + (value - low) / (high - low) * (self.width - LEFT - RIGHT)

    def y(self, value: float) -> float:
        low, high = self.ys
        return self.height - BOTTOM - (value - low) / (high - low) * (self.height - TOP - BOTTOM)


@dataclass(frozen=True)
class Sheet:
    """What a chart looks like apart from its points."""

    x_name: str
    form: Form
    reference: tuple[float, str] | None = None  # a dashed line and its name
    limits: tuple[float, float] | None = None  # of y, where there are natural ones
    size: tuple[int, int] = (480, 270)
    tone: str = "a"
    has_whole_x: bool = True  # there is nothing between two iterations


def line_chart(points: Sequence[Point], sheet: Sheet) -> str:
    """A line through the points, over the band of their intervals."""
    axes = _axes(points, sheet)
    dots = "".join(_dot(axes, point, 2.6) for point in points) if len(points) <= MAX_DOTS else _dot(axes, points[-1], 3.2)
    path = " ".join(f"{axes.x(p.x):.1f},{axes.y(p.y):.1f}" for p in points)
    return _svg(sheet, axes, f'{_band(axes, points)}<polyline class="line" points="{path}"/>{dots}')


def lines_chart(series: Sequence[tuple[str, Sequence[Point]]], sheet: Sheet) -> str:
    """Several lines with their bands on one sheet: (name, points), each in its own tone; names stand in `legend`."""
    axes = _axes([point for _, points in series for point in points], sheet)
    lines = []
    for number, (_, points) in enumerate(series):
        path = " ".join(f"{axes.x(p.x):.1f},{axes.y(p.y):.1f}" for p in points)
        dots = points if len(points) <= MAX_DOTS else points[-1:]
        marks = "".join(_dot(axes, point, 2.4) for point in dots)
        lines.append(
            f'<g class="line-{number % TONES}">{_band(axes, points)}<polyline class="line" points="{path}"/>{marks}</g>'
        )
    return _svg(sheet, axes, "".join(lines))


def legend(names: Sequence[str]) -> str:
    """Which line is whose, in the tones of `lines_chart`."""
    items = "".join(f'<li class="line-{number % TONES}">{escape(name)}</li>' for number, name in enumerate(names))
    return f'<ul class="legend">{items}</ul>'


def gate_chart(points: Sequence[Point], sheet: Sheet) -> str:
    """A dot a gate, filled if it promoted, with its interval as a bar."""
    axes = _axes(points, sheet)
    bars = "".join(
        f'<line class="bar" x1="{axes.x(p.x):.1f}" x2="{axes.x(p.x):.1f}" y1="{axes.y(p.low):.1f}" y2="{axes.y(p.high):.1f}"/>'
        for p in points
        if p.low is not None and p.high is not None
    )
    radius = 3.4 if len(points) <= MAX_DOTS else 2.2
    return _svg(sheet, axes, bars + "".join(_dot(axes, point, radius) for point in points))


def share_bar(shares: Sequence[tuple[str, float, str]]) -> str:
    """One bar cut into named shares: (name, amount, words)."""
    total = sum(amount for _, amount, _ in shares) or 1.0
    parts = "".join(
        f'<span class="tone-{i}" style="width:{100 * amount / total:.2f}%" title="{escape(words)}"></span>'
        for i, (_, amount, words) in enumerate(shares)
    )
    legend = "".join(f'<li class="tone-{i}">{escape(words)}</li>' for i, (_, _, words) in enumerate(shares))
    return f'<div class="share">{parts}</div><ul class="legend">{legend}</ul>'


def bar_chart(bars: Sequence[tuple[str, float]], size: tuple[int, int]) -> str:
    """Shares as bars, each with its label: (label, share)."""
    width, height = size
    step, room, top = width / len(bars), height - TOP - BOTTOM, max(share for _, share in bars) or 1.0
    marks = []
    for i, (label, share) in enumerate(bars):
        tall, x = room * share / top, i * step
        words = f"<title>{escape(label)}: {share:.1%}</title>"
        marks.append(
            f'<rect class="bar" x="{x + step * 0.1:.1f}" y="{TOP + room - tall:.1f}" width="{step * 0.8:.1f}" '
            f'height="{tall:.1f}">{words}</rect>'
            f'<text class="tick mid" x="{x + step / 2:.1f}" y="{height - BOTTOM + 16}">{escape(label)}</text>'
        )
    return f'<svg class="chart tone-c" viewBox="0 0 {width} {height}" role="img">{"".join(marks)}</svg>'


def short_number(value: float) -> str:
    """For an axis: thousands as k, millions as M."""
    return f"{value / 1e6:g}M" if value >= 1e6 else f"{value / 1e3:g}k" if value >= 1e3 else f"{value:g}"


def nice_ticks(low: float, high: float, count: int = TICKS) -> list[float]:
    """About `count` round numbers from `low` to `high`."""
    step = 10 ** math.floor(math.log10((high - low) / count))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= count)
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 10) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _axes(points: Sequence[Point], sheet: Sheet) -> Axes:
    xs = [point.x for point in points]
    ys = [y for p in points for y in (p.y, p.low, p.high) if y is not None]
    ys += [sheet.reference[0]] if sheet.reference else []
    limits = sheet.limits or _with_room(min(ys), max(ys))
    return Axes((0.0, max(xs)), limits, *sheet.size)


def _with_room(low: float, high: float) -> tuple[float, float]:
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    return (max(0.0, low - room) if low >= 0 else low - room), high + room


def _svg(sheet: Sheet, axes: Axes, marks: str) -> str:
    width, height = sheet.size
    return (
        f'<svg class="chart tone-{sheet.tone}" viewBox="0 0 {width} {height}" role="img">'
        f"{_grid(sheet, axes)}{marks}{_reference(sheet, axes)}</svg>"
    )


def _grid(sheet: Sheet, axes: Axes) -> str:
    lines = []
    for value in nice_ticks(*axes.ys):
        y = axes.y(value)
        lines.append(f'<line class="grid" x1="{LEFT}" x2="{axes.width - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text class="tick end" x="{LEFT - 7}" y="{y + 4:.1f}">{escape(sheet.form(value))}</text>')
    base = axes.height - BOTTOM
    for value in nice_ticks(*axes.xs, count=axes.width // 60):
        if sheet.has_whole_x and value != int(value):
            continue
        lines.append(f'<text class="tick mid" x="{axes.x(value):.1f}" y="{base + 16}">{value:g}</text>')
    lines.append(f'<text class="tick end name" x="{axes.width - RIGHT}" y="{axes.height - 4}">{escape(sheet.x_name)}</text>')
    return "".join(lines)


def _reference(sheet: Sheet, axes: Axes) -> str:
    if sheet.reference is None:
        return ""
    value, name = sheet.reference
    y = axes.y(value)
    return (
        f'<line class="reference" x1="{LEFT}" x2="{axes.width - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="reference" x="{LEFT + 4}" y="{y - 5:.1f}">{escape(name)}</text>'
    )


def _band(axes: Axes, points: Sequence[Point]) -> str:
    known = [p for p in points if p.low is not None and p.high is not None]
    if len(known) < 2:
        return ""
    there = [f"{axes.x(p.x):.1f},{axes.y(p.high):.1f}" for p in known if p.high is not None]
    back = [f"{axes.x(p.x):.1f},{axes.y(p.low):.1f}" for p in reversed(known) if p.low is not None]
    return f'<polygon class="band" points="{" ".join(there + back)}"/>'


def _dot(axes: Axes, point: Point, radius: float) -> str:
    kind = "dot" if point.is_filled else "dot hollow"
    place = f'cx="{axes.x(point.x):.1f}" cy="{axes.y(point.y):.1f}" r="{radius}"'
    return f'<circle class="{kind}" {place}><title>{escape(point.words)}</title></circle>'
