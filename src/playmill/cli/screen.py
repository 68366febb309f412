"""A run on one screen, drawn with Rich: how far it is, what is under way, what the last iterations came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.packs.iteration_table import NARROW, shown_columns
from playmill.packs.plot_lines import strength_of
from playmill.packs.shown import words_of, words_of_games
from playmill.runs.folder import PHASES
from playmill.runs.phase_text import STAGES, UNITS, clock, phase_facts, phase_stages, sparks

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

    from playmill.runs.folder import Manifest
    from playmill.runs.status import Status
    from playmill.search.roles import Roles

ROWS, FEWEST_ROWS = 8, 2  # iterations in the table
WIDTH = 140
NAME_WIDTH = max(map(len, PHASES.values()))


@dataclass(frozen=True)
class Screen:
    """What is drawn."""

    run: Path
    manifest: Manifest
    status: Status
    foot: str
    roles: Roles  # of self-play's players
    colour: str = "cyan"


def fitted(screen: Screen, console: Console) -> RenderableType:
    """The screen for a terminal: where that is too low for all, the table has fewer iterations."""
    whole = draw(screen, console.width)
    over = len(console.render_lines(whole)) - console.height
    shown = min(ROWS, len(screen.manifest.iterations))
    return whole if over <= 0 else draw(screen, console.width, max(FEWEST_ROWS, shown - over))


def draw(screen: Screen, width: int, rows: int = ROWS) -> RenderableType:
    """The screen for a terminal so many columns wide, with at most so many iterations."""
    from rich.console import Group
    from rich.markup import escape
    from rich.panel import Panel
    from rich.text import Text

    manifest, status, is_narrow = screen.manifest, screen.status, width < NARROW
    parts: list[RenderableType] = [*_run_lines(manifest, status.iterations, is_narrow), _phase_line(manifest, status.phases)]
    if status.phase is not None and status.total:
        parts += [Text(), _bar(status.phase, status, is_narrow), _facts_line(status.phase, status, is_narrow)]
    if any(entry.selfplay for entry in manifest.iterations):
        parts += [Text(), _table(manifest, width, screen.roles, rows)]
    lines = (_strength_line(manifest), _measured_line(manifest), _games_line(manifest))
    parts += [part for line in lines if line for part in (Text(), line)]
    title = f"[bold]playmill [/bold]· {manifest.game} · {screen.run}"
    return Panel(
        Group(*parts), title=title, title_align="left", subtitle=f"[dim]{escape(screen.foot)}[/dim]", subtitle_align="right",
        border_style=screen.colour, padding=(0, 1) if is_narrow else (1, 2), width=min(WIDTH, width),
    )  # fmt: skip


def _run_lines(manifest: Manifest, total: int, is_narrow: bool) -> list[RenderableType]:
    """How far the whole run is, on one line where there is room."""
    done = manifest.iterations_done
    current = "finished" if done == total else f"iteration [bold]{done + 1} [/bold]of {total}"
    facts = f"{manifest.selfplay_games:,} games, {manifest.train_steps:,} steps, best {(manifest.best or 'none')[:8]}"
    return [current, f"[dim]{facts}[/dim]"] if is_narrow else [_sides(current, f"[dim]{facts}[/dim]")]


def _sides(left: str, right: str) -> Table:
    from rich.table import Table

    grid = Table.grid(expand=True)
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_row(left, right)
    return grid


def _phase_line(manifest: Manifest, phases: Sequence[str]) -> Text:
    """The phases of an iteration: done, under way, to come."""
    from rich.text import Text

    line = Text()
    for stage, words in phase_stages(manifest, phases):
        mark, style = STAGES[stage]
        line.append(f"{mark} {words}   ", style=style)
    return line


def _bar(phase: str, status: Status, is_narrow: bool) -> Table:
    """The phase's name, a bar, what is done and how long the rest takes; a narrow one has just the bar and the count."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    left = status.seconds_left
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(width=NAME_WIDTH)
    grid.add_column(ratio=1)
    grid.add_column(justify="right")
    grid.add_column(justify="right", width=11, style="dim")
    bar = ProgressBar(total=max(status.total, 1), completed=status.done, complete_style="cyan", finished_style="green")
    count = f"[bold]{status.done:,} [/bold]of {status.total:,} {UNITS[phase]}"
    grid.add_row(PHASES[phase], bar, count, "" if left is None else f"{clock(left)} left")
    if is_narrow:
        del grid.columns[3], grid.columns[0]
    return grid


def _facts_line(phase: str, status: Status, is_narrow: bool) -> Text:
    """What can be said of the phase so far: its speed, and its losses or its score."""
    from rich.text import Text

    line = Text("" if is_narrow else " " * (NAME_WIDTH + 2))
    for label, value in phase_facts(phase, status).items():
        line.append(f"{label} ", style="dim").append(f"{value}   ", style="bold" if label in ("loss", "win rate") else "")
    return line


# ------------------------------------------------------------------ the last iterations


def _table(manifest: Manifest, width: int, roles: Roles, rows: int) -> Table:
    """The last few iterations, the newest last; the one under way has what it has so far."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, expand=True, padding=(0, 1), header_style="dim", border_style="dim", show_edge=False)
    columns = shown_columns(manifest, roles, width)
    for column in columns:
        table.add_column(column.header, justify=column.justify)
    for entry in manifest.iterations[-rows:]:
        style = "" if entry.number < manifest.iterations_done else "cyan"
        table.add_row(*(column.cell(entry) for column in columns), style=style)
    return table


def _strength_line(manifest: Manifest) -> Text | None:
    """The first measure's way, one block a measurement, from its lowest to the level it is compared with, or its highest."""
    from rich.text import Text

    line = strength_of(manifest)
    if line is None or len(line.points) < 2:
        return None
    values = [point.value for _, point in line.points]
    top, aim = line.reference or (max(values), "")
    shown = sparks(values[-48:], min(values), max(top, *values))
    way = f"{line.form.format(values[0])} to {line.form.format(values[-1])} {line.unit}".rstrip()
    words = f"{way}; {aim}" if aim else way
    return Text(f"{line.title.lower():<9}  ", style="dim").append(f"{shown}  ", style="green").append(words, style="dim")


def _measured_line(manifest: Manifest) -> Text | None:
    """What the last measurement came to, with its intervals."""
    measured = [entry.measure for entry in manifest.iterations if entry.measure]
    return _said("measured", words_of(measured[-1], manifest.game) if measured else "")


def _games_line(manifest: Manifest) -> Text | None:
    """What the game's pack says of the last games of self-play."""
    played = [entry.selfplay for entry in manifest.iterations if entry.selfplay]
    return _said("games", words_of_games(played[-1], manifest.game) if played else "")


def _said(label: str, words: str) -> Text | None:
    from rich.text import Text

    return Text(f"{label:<9}  ", style="dim").append(words) if words else None
