"""What `playmill simulate` shows to people."""

from __future__ import annotations

import textwrap
from typing import Any

from rich.console import Console
from rich.table import Table

from playmill.cli.histogram import draw_histogram

ENDINGS = {
    "NO_MOVES": "nothing left to play",
    "MAX_EVENTS": "--max-events",
    "TIME_LIMIT": "--time-limit",
    "STOPPED": "an interrupt",
}


def show(facts: dict[str, Any], console: Console | None = None) -> None:
    """Traces if there are any, then a table of facts and the histogram of lengths."""
    console = console or Console()
    for number, trace in enumerate(facts.get("traces", [])):
        _show_trace(console, number, trace)
    console.print(_headline(facts), highlight=False)
    if facts["count"]:
        console.print(_table(facts))
        histogram, markers = facts["histogram"], _markers(facts)
        console.print(draw_histogram(histogram, title="actions per playout", markers=markers, columns=console.width))


def _show_trace(console: Console, number: int, trace: list[dict[str, Any]]) -> None:
    console.print(f"[bold]playout {number}[/bold]", highlight=False)
    for step in trace:
        board = textwrap.indent(step["board"], " " * 6)
        console.print(f"{step['ply']:4d}{board[4:]}", highlight=False, markup=False, soft_wrap=True)
        if step["text"] is not None:
            console.print(f"      -> {step['text']}", style="cyan", highlight=False, markup=False)
    console.print()


def _headline(facts: dict[str, Any]) -> str:
    partial = " [yellow](interrupted: partial)[/yellow]" if facts["partial"] else ""
    return (
        f"[bold]{facts['game']}[/bold]  {facts['count']:,} playouts{partial}, {facts['policy']}, seed {facts['seed']}: "
        f"{facts['seconds']:.2f} s, {facts['playouts_per_s']:,.0f} playouts/s on {facts['workers']} threads"
    )


def _table(facts: dict[str, Any]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    spread = " ".join(f"P{p} {value}" for p, value in facts["percentiles"].items())
    around = f"mean {facts['mean_applied']:.3f}, sd {facts['standard_deviation']:.3f}"
    table.add_row("length", f"{around}, {facts['min_applied']} to {facts['max_applied']}")
    table.add_row("percentiles", spread)
    table.add_row("ended by", _endings(facts))
    if facts["finished"]:
        table.add_row("won by", _winners(facts))
    if facts["rejected"]:
        table.add_row("rejected", f"{facts['rejected']:,} candidates")
    if "transposition_hit_rate" in facts:
        table.add_row("seen before", f"{facts['transposition_hit_rate']:.1%} of states")
    table.add_row("digest", facts["digest"][:16])
    return table


def _endings(facts: dict[str, Any]) -> str:
    """Why playouts ended, and how many of their games did not."""
    words = [f"{ENDINGS[name]} {count:,}" for name, count in facts["reasons"].items() if count]
    unfinished = facts["count"] - facts["finished"]
    return ", ".join(words) + (f"; {unfinished:,} games unfinished" if unfinished else "")


def _markers(facts: dict[str, Any]) -> dict[str, float]:
    """What to point out below the axis; nothing where all playouts are about as long."""
    if facts["max_applied"] - facts["min_applied"] < 10:
        return {}
    return {"P5": facts["percentiles"]["5"], "mean": facts["mean_applied"], "P95": facts["percentiles"]["95"]}


def _winners(facts: dict[str, Any]) -> str:
    total = facts["finished"]
    names = {**{str(p): f"player {p}" for p in range(len(facts["wins"]) - 1)}, "shared": "drawn"}
    return ", ".join(f"{names[who]} {count / total:.1%}" for who, count in facts["wins"].items())
