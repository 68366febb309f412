"""A run on one screen, drawn with Rich: how far it is, what is under way, what the last iterations came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli.measures import cells_of, columns_of, found_by, measures_of, words_of_games
from playmill.cli.results import MIN_WIDTH, have_met, results_cell, results_header
from playmill.runs.folder import PHASES

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from playmill.runs.folder import Iteration, Manifest
    from playmill.runs.status import Status
    from playmill.search.roles import Roles

UNITS = {"selfplay": "games", "train": "steps", "gate": "games", "measure": "games"}
ROWS = 8  # iterations in the table
WIDTH = 140
NAME_WIDTH = max(map(len, PHASES.values()))
NARROW = 70  # columns, under which the screen leaves things out
WIDTH_FOR = {"games/s": NARROW, "loss": NARROW, "interval": 90}  # what these columns of the table need
SPARKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Screen:
    """What is drawn."""

    run: Path
    manifest: Manifest
    status: Status
    foot: str
    roles: Roles  # of self-play's players
    colour: str = "cyan"


def draw(screen: Screen, width: int) -> RenderableType:
    """The screen for a terminal so many columns wide."""
    from rich.console import Group
    from rich.markup import escape
    from rich.panel import Panel
    from rich.text import Text

    manifest, status, is_narrow = screen.manifest, screen.status, width < NARROW
    parts: list[RenderableType] = [*_run_lines(manifest, status.iterations, is_narrow), _phase_line(manifest, status.phases)]
    if status.phase is not None and status.total:
        parts += [Text(), _bar(status.phase, status, is_narrow), _facts_line(status.phase, status, is_narrow)]
    if any(entry.selfplay for entry in manifest.iterations):
        parts += [Text(), _table(manifest, width, results_header(screen.roles))]
    parts += [part for line in (_strength_line(manifest), _games_line(manifest)) if line for part in (Text(), line)]
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

    current = manifest.iterations[-1] if manifest.iterations_done < len(manifest.iterations) else None
    line = Text()
    for name in phases:
        words = PHASES[name]
        is_done = manifest.phase == "done" or (current is not None and getattr(current, name) is not None)
        if is_done:
            line.append(f"✓ {words}   ", style="green")
        elif manifest.phase == name:
            line.append(f"● {words}   ", style="bold cyan")
        else:
            line.append(f"○ {words}   ", style="dim")
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
    for label, value in _facts(phase, status).items():
        line.append(f"{label} ", style="dim").append(f"{value}   ", style="bold" if label in ("loss", "win rate") else "")
    return line


def _facts(phase: str, status: Status) -> dict[str, str]:
    facts = status.facts
    speed = {} if status.rate is None else {f"{UNITS[phase]}/s": f"{status.rate:,.1f}"}
    if phase == "train":
        losses = {name.removeprefix("loss_"): f"{v:.4f}" for name, v in facts.items() if name.startswith("loss_")}
        samples = {"samples/s": f"{facts['samples_s']:,.0f}"} if "samples_s" in facts else speed
        return {**samples, **({"loss": losses.pop("total")} if losses else {}), **losses}
    if phase == "gate":
        test = {"sequential test": _test_words(facts)} if "ratio" in facts else {}
        return {"pairs": f"{status.done // 2:,}", **_win_rate(facts), **test, **speed}
    if phase == "measure":
        mean = {"mean score": f"{facts['mean_score']:.1f}"} if "mean_score" in facts else {}
        return {**mean, **_win_rate(facts), **speed}
    return speed


def _win_rate(facts: dict[str, float]) -> dict[str, str]:
    return {"win rate": f"{facts['win_rate']:.1%}"} if "win_rate" in facts else {}


def _test_words(facts: dict[str, float]) -> str:
    """Where the sequential test stands between its two bounds."""
    return f"{facts['ratio']:+.2f} in {facts['reject_at']:.2f} to {facts['accept_at']:.2f}"


def clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


# ------------------------------------------------------------------ the last iterations


def _table(manifest: Manifest, width: int, met: str) -> Table:
    """The last few iterations, the newest last; the one under way has what it has so far. `met` heads how players fared."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shown, measured = manifest.iterations[-ROWS:], columns_of(manifest)
    table = Table(box=SIMPLE_HEAD, expand=True, padding=(0, 1), header_style="dim", border_style="dim", show_edge=False)
    added = {column.header: column.min_width for _, column in measured}
    columns = ("", "games/s", met, "loss", "gate", "interval", *added, "promoted")
    needed = {**WIDTH_FOR, met: MIN_WIDTH if have_met(manifest) else width + 1, **added}
    kept = [i for i, column in enumerate(columns) if width >= needed.get(column, 0)]
    for i in kept:
        table.add_column(columns[i], justify="center" if columns[i] == "promoted" else "right")
    for entry in shown:
        row = _row(entry, cells_of(entry, measured))
        table.add_row(*(row[i] for i in kept), style="" if entry.number < manifest.iterations_done else "cyan")
    return table


def _row(entry: Iteration, measured: list[str]) -> list[str]:
    selfplay, train, gate = entry.selfplay, entry.train, entry.gate
    row = [
        str(entry.number + 1),
        f"{selfplay.games_s:,.1f}" if selfplay and selfplay.games_s else "",
        results_cell(entry),
        f"{train.losses['total']:.4f}" if train and "total" in train.losses else "",
        f"{gate.win_rate:.1%}" if gate else "",
        f"[dim]{gate.interval[0]:.0%} to {gate.interval[1]:.0%}[/dim]" if gate and gate.interval else "",
    ]
    return [*row, *measured, ("[green]✓[/green]" if gate.promote else "[dim]–[/dim]") if gate else ""]


def _strength_line(manifest: Manifest) -> Text | None:
    """The first measure's way, one block a measurement, from its lowest to the level it is compared with, or its highest."""
    from rich.text import Text

    measure = next((measure for measure in measures_of(manifest) if measure.curves), None)
    seen = [found for entry in manifest.iterations if measure and (found := found_by(measure, entry))]
    if measure is None or len(seen) < 2:
        return None
    curve = measure.curves[0]
    values = [curve.point(found).value for found in seen]
    top, aim = curve.reference(seen[-1]) if curve.reference else (max(values), "")
    low, top = min(values), max(top, *values)
    places = [int((value - low) / max(top - low, 1e-9) * len(SPARKS)) for value in values]
    sparks = "".join(SPARKS[min(max(place, 0), len(SPARKS) - 1)] for place in places[-48:])
    way = f"{curve.form.format(values[0])} to {curve.form.format(values[-1])} {curve.unit}".rstrip()
    words = f"{way}; {aim}" if aim else way
    return Text(f"{curve.title.lower():<9}  ", style="dim").append(f"{sparks}  ", style="green").append(words, style="dim")


def _games_line(manifest: Manifest) -> Text | None:
    """What the game's pack says of the last games of self-play."""
    from rich.text import Text

    played = [entry.selfplay for entry in manifest.iterations if entry.selfplay]
    words = words_of_games(played[-1], manifest.game) if played else ""
    return Text("games      ", style="dim").append(words) if words else None
