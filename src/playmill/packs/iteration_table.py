"""The iterations of a run as a table for a terminal: which columns there are, and their cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from playmill.arena.measure import Column, Shown
from playmill.packs.shown import columns_of, found_by
from playmill.runs.folder import Iteration, Manifest
from playmill.runs.meetings import MIN_WIDTH, have_met, results_cell, results_header
from playmill.search.roles import Roles

NARROW = 70  # columns of a terminal, under which screens leave things out


@dataclass(frozen=True)
class TableColumn:
    """One column; cells may have Rich's markup in them."""

    header: str
    cell: Callable[[Iteration], str]
    min_width: int = 0  # of a terminal, in characters: on a narrower one the column is left out
    justify: Literal["right", "center"] = "right"


def shown_columns(manifest: Manifest, roles: Roles, width: int) -> list[TableColumn]:
    """Those for a terminal so wide: what all runs have, how players fared if any met, and what the game's pack brings."""
    met = [TableColumn(results_header(roles), results_cell, MIN_WIDTH)] if have_met(manifest) else []
    measured = [
        TableColumn(column.header, partial(_cell, shown, column), column.min_width) for shown, column in columns_of(manifest)
    ]
    columns = [
        TableColumn("", _number),
        TableColumn("games/s", _games_s, NARROW),
        *met,
        TableColumn("loss", _loss, NARROW),
        TableColumn("gate", _gate),
        TableColumn("interval", _interval, 90),
        *measured,
        TableColumn("promoted", _promoted, justify="center"),
    ]
    return [column for column in columns if width >= column.min_width]


def _cell(shown: Shown, column: Column, entry: Iteration) -> str:
    fields = found_by(shown, entry)
    return "" if fields is None else column.cell(fields)


def _number(entry: Iteration) -> str:
    return str(entry.number + 1)


def _games_s(entry: Iteration) -> str:
    return f"{entry.selfplay.games_s:,.1f}" if entry.selfplay and entry.selfplay.games_s else ""


def _loss(entry: Iteration) -> str:
    return f"{entry.train.losses['total']:.4f}" if entry.train and "total" in entry.train.losses else ""


def _gate(entry: Iteration) -> str:
    return f"{entry.gate.win_rate:.1%}" if entry.gate else ""


def _interval(entry: Iteration) -> str:
    interval = entry.gate.interval if entry.gate else None
    return f"[dim]{interval[0]:.0%} to {interval[1]:.0%}[/dim]" if interval else ""


def _promoted(entry: Iteration) -> str:
    if entry.gate is None:
        return ""
    return "[green]✓[/green]" if entry.gate.promote else "[dim]–[/dim]"
