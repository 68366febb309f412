"""The counts of a file of puzzles as one picture: scores in their ranks, tags, and shares."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.cli.report_chart import nice_ticks
from playmill.games.svg import FAINT, INK, LINE, sheet, tag, text
from playmill.puzzles.puzzle import RANKS
from playmill.puzzles.stats import Counts, PuzzleStats

WIDTH, MARGIN, GAP = 960.0, 32.0, 48.0
TOP, TALL = 112.0, 190.0  # of the scores' bars
BINS = 50
ROW, NAME = 21.0, 128.0  # height of a row of bars, room for its name
NARROW = 300.0  # the right column
# From easy to hard: light to dark, so that it is told apart without colours, too.
SHADES = ("#9bd0c8", "#7fc1b8", "#62b1a7", "#46a196", "#2c9085", "#1d7f76", "#146d66", "#0f5b56", "#0b4a47", "#083a38")
TONES = ("#0f766e", "#d55e00", "#7a8591")


def draw_stats(stats: PuzzleStats, name: str) -> str:
    """The picture as the text of an SVG."""
    body = TOP + TALL + 92
    left = _rows("Tags", stats.tag, stats.puzzles, MARGIN, body, WIDTH - 2 * MARGIN - NARROW - GAP)
    right = _column(stats, WIDTH - MARGIN - NARROW, body)
    height = body + max(len(stats.tag) * ROW + 30, 318.0) + 16
    head = text(MARGIN, 44, f"{stats.puzzles:,} puzzles", 24, font_weight="bold") + text(
        MARGIN, 66, _subtitle(stats, name), 13, FAINT
    )
    return sheet(WIDTH, height, f"{name}: {stats.puzzles:,} puzzles", head, _scores(stats), left, right)


def _subtitle(stats: PuzzleStats, name: str) -> str:
    if stats.score is None:
        return name
    around = f"difficulty {stats.score['min']:g} to {stats.score['max']:g}, median {stats.score['median']:g}"
    return f"{name}: {around}; from {len(stats.source):,} {'source' if len(stats.source) == 1 else 'sources'}"


# ------------------------------------------------------------------ scores in the bands of their ranks


def _scores(stats: PuzzleStats) -> str:
    counts = [0] * BINS
    for score in stats.scores:
        counts[min(int(score * BINS / 100), BINS - 1)] += 1
    left, wide, base = MARGIN + 30, WIDTH - 2 * MARGIN - 30, TOP + TALL
    most = max(max(counts), 1)
    ticks = [tick for tick in nice_ticks(0, most, 4) if tick == int(tick)]
    lines = "".join(_grid(left, wide, base - TALL * tick / most, f"{tick:,.0f}") for tick in ticks)
    step = wide / BINS
    bars = "".join(
        _bar(left + i * step + 1, base - TALL * count / most, step - 2, TALL * count / most, SHADES[i * len(RANKS) // BINS])
        for i, count in enumerate(counts)
        if count
    )
    return text(MARGIN, TOP - 14, "Difficulty", 15, font_weight="bold") + lines + bars + _bands(stats, left, wide, base)


def _bands(stats: PuzzleStats, left: float, wide: float, base: float) -> str:
    """Under the bars: each rank with its count, and the scores where it begins and ends."""
    band, parts = wide / len(RANKS), []
    for number, rank in enumerate(RANKS):
        x = left + number * band
        parts.append(tag("rect", x=x + 1, y=base + 4, width=band - 2, height=5, rx=2, fill=SHADES[number]))
        parts.append(text(x + band / 2, base + 27, rank, 14, text_anchor="middle", font_weight="bold"))
        parts.append(text(x + band / 2, base + 43, f"{stats.difficulty[rank]:,}", 12, FAINT, text_anchor="middle"))
    return "".join(parts)


def _grid(left: float, wide: float, y: float, words: str) -> str:
    line = tag("path", d=f"M{left:g},{y:.1f}H{left + wide:g}", stroke=LINE, stroke_width=1)
    return line + text(left - 8, round(y + 4, 1), words, 11, FAINT, text_anchor="end")


def _bar(x: float, y: float, width: float, height: float, fill: str) -> str:
    return tag("rect", x=round(x, 1), y=round(y, 1), width=round(width, 1), height=round(height, 1), rx=1.5, fill=fill)


# ------------------------------------------------------------------ rows of bars, and shares


def _rows(title: str, counts: Counts, total: int, x: float, y: float, width: float) -> str:
    """A bar for each count, as long as its share of all puzzles."""
    parts = [text(x, y, title, 15, font_weight="bold")]
    room = width - NAME - 92
    for number, (name, count) in enumerate(counts.items()):
        line = y + 26 + number * ROW
        share = count / total
        parts.append(text(x + NAME - 10, line, name, 13, INK, text_anchor="end"))
        parts.append(_bar(x + NAME, line - 11, room, 13, "#eef1f4"))
        parts.append(_bar(x + NAME, line - 11, max(room * share, 1), 13, TONES[0]))
        parts.append(text(x + NAME + room + 8, line, f"{count:,}", 12, INK))
        parts.append(text(x + width, line, f"{share:.0%}", 12, FAINT, text_anchor="end"))
    return "".join(parts)


def _column(stats: PuzzleStats, x: float, y: float) -> str:
    """Shares of what has few values, then the means of the difficulty's parts."""
    named = (("Verification", stats.verification), ("Side to play", stats.side), ("Goal", stats.goal), ("Review", stats.review))
    parts, line = [], y
    for title, counts in named:
        parts.append(_share(title, list(counts.items()), stats.puzzles, x, line))
        line += 50
    parts.append(text(x, line + 4, "Parts of the difficulty, means", 13, font_weight="bold"))
    for number, (name, (_, mean)) in enumerate(stats.parts.items()):
        at = line + 26 + number * 16
        parts.append(text(x + 82, at, name, 12, INK, text_anchor="end"))
        parts.append(_bar(x + 90, at - 9, NARROW - 130, 10, "#eef1f4"))
        parts.append(_bar(x + 90, at - 9, (NARROW - 130) * mean, 10, TONES[0]))
        parts.append(text(x + NARROW, at, f"{mean:.2f}", 12, FAINT, text_anchor="end"))
    return "".join(parts)


def _share(title: str, counts: Sequence[tuple[str, int]], total: int, x: float, y: float) -> str:
    """One bar cut into shares, with the words above it."""
    words = ", ".join(f"{name} {count:,}" for name, count in counts)
    parts = [text(x, y, title, 13, font_weight="bold"), text(x + NARROW, y, words, 12, FAINT, text_anchor="end")]
    at = x
    for number, (_, count) in enumerate(counts):
        wide = NARROW * count / total
        parts.append(_bar(at, y + 8, max(wide - 1, 1), 12, TONES[number % len(TONES)]))
        at += wide
    return "".join(parts)
