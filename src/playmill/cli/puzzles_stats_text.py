"""What `playmill puzzles stats` shows to people."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.table import Table
from rich.text import Text

from playmill.cli.histogram import draw_histogram
from playmill.cli.output import print_table, table_console
from playmill.puzzles.levels import Agreement
from playmill.puzzles.stats import Counts, PuzzleStats

MOST_SOURCES = 10
BAR = 30  # columns of the longest bar of a count


def show_stats(stats: PuzzleStats, file: Path) -> None:
    """A headline, the scores as a histogram, and a line of counts for each thing that is counted."""
    console = table_console()
    console.print(Text(f"{file}: {stats.puzzles:,} puzzles", style="bold"))
    if stats.score is None:
        return
    scores = Counter(int(score) for score in stats.scores)
    markers = {name: stats.score[name] for name in ("median",)}
    console.print(draw_histogram(scores, title="difficulty, 0 to 100", height=6, markers=markers, columns=console.width))
    console.print()
    print_table(_bars("difficulty", stats.difficulty, stats.puzzles), console)
    console.print()
    print_table(_bars("tag", stats.tag, stats.puzzles), console)
    console.print()
    print_table(_facts(stats), console)


def _bars(name: str, counts: Counts, total: int) -> Table:
    """Counts with a bar each; a puzzle may have several tags, so shares are of the puzzles."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(name, no_wrap=True)
    table.add_column("puzzles", justify="right")
    table.add_column("share", justify="right")
    table.add_column("")
    most = max(counts.values(), default=1) or 1
    for label, count in counts.items():
        bar = "█" * (max(1, round(BAR * count / most)) if count else 0)
        table.add_row(Text(label), f"{count:,}", f"{count / total:.1%}", Text(bar, style="cyan"))
    return table


def _facts(stats: PuzzleStats) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    rows = ("verification", "side", "goal", "review")
    for name in rows:
        table.add_row(name, Text(_listed(getattr(stats, name))))
    table.add_row("source", Text(_listed(stats.source, MOST_SOURCES)))
    table.add_row("parts", Text(", ".join(f"{name} {mean:.2f}" for name, (_, mean) in stats.parts.items()) + " (means)"))
    return table


def _listed(counts: Counts, most: int | None = None) -> str:
    shown = list(counts.items())[:most]
    rest = len(counts) - len(shown)
    return ", ".join(f"{name} {count:,}" for name, count in shown) + (f", and {rest:,} more" if rest else "")


def show_agreement(known: Agreement) -> None:
    """The rank correlations, the score's first."""
    console = table_console()
    parts = ", ".join(f"{name} {_coefficient(value)}" for name, value in known.parts.items())
    console.print(
        Text(
            f"\nagainst the known levels of {known.puzzles:,} puzzles, Spearman's rank correlation: {_coefficient(known.score)}"
        )
    )
    console.print(Text(f"each part alone: {parts}"))


def _coefficient(value: float | None) -> str:
    return "none, as all are equal" if value is None else f"{value:+.2f}"
