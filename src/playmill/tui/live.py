"""The phase under way, drawn: bars, rates, batches, memory."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from playmill.runs.folder import PHASES, Manifest
from playmill.runs.phase_text import STAGES, UNITS, clock, phase_facts, phase_stages, sparks
from playmill.runs.status import Status
from playmill.runs.view import RunView

KEPT = 120  # rates and memory readings, one a second
GIB = 1 << 30
COLOURS = {"running": "bold cyan", "done": "bold green", "failed": "bold red", "stopped": "bold yellow"}


@dataclass
class Readings:
    """What the screen remembers of a run's last minutes."""

    phase: str | None = None
    rates: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    memory: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    _beat: int = 0

    def take(self, status: Status | None) -> None:
        """Read a new heartbeat, once."""
        if status is None or status.heartbeat_ms == self._beat:
            return
        self._beat = status.heartbeat_ms
        if status.phase != self.phase:
            self.phase = status.phase
            self.rates.clear()
        if status.rate is not None:
            self.rates.append(status.rate)
        self.memory.append(status.rss_bytes / GIB)


def draw_live(view: RunView, readings: Readings, width: int) -> RenderableType:
    """All that is known of this moment, in a panel so many characters wide."""
    state, status, manifest = view.state, view.status, view.manifest
    is_working = state.name == "running" and status is not None
    where = (
        f"iteration {min(status.iteration + 1, status.iterations)} of {status.iterations}"
        if is_working and status
        else state.text
    )
    parts: list[RenderableType] = [_state_line(state.name, where, width)]
    if status is None:
        return Group(*parts)
    parts.append(_phase_line(manifest, status.phases))
    if state.name == "running" and status.phase is not None and status.total:
        parts += [_bar(status), *_facts(status, readings, width)]
    parts += [_memory(status, readings, width)]
    if status.phase_seconds:
        parts.append(_seconds(status))
    return Group(*parts)


def _state_line(name: str, text: str, width: int) -> Text:
    line = Text("at work" if name == "running" else name, style=COLOURS.get(name, "bold"))
    if text != name:
        line.append(f"  {text.removeprefix(name).lstrip(': ')}", style="dim")
    line.truncate(max(width * 2, 20), overflow="ellipsis")
    return line


def _phase_line(manifest: Manifest, phases: tuple[str, ...]) -> Text:
    """The phases of an iteration: done, under way, to come."""
    line = Text()
    for stage, words in phase_stages(manifest, phases):
        mark, style = STAGES[stage]
        line.append(f"{mark} {words}  ", style=style)
    return line


def _bar(status: Status) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right")
    grid.add_column(justify="right", style="dim")
    left = status.seconds_left
    bar = ProgressBar(total=max(status.total, 1), completed=status.done, complete_style="cyan", finished_style="green")
    count = Text(f"{status.done:,}", style="bold").append(
        f" of {status.total:,} {UNITS[status.phase or 'selfplay']}", "not bold"
    )
    grid.add_row(bar, count, "" if left is None else f"{clock(left)} left")
    return grid


def _facts(status: Status, readings: Readings, width: int) -> list[RenderableType]:
    """Rates and losses, a few to a line, and the rate's way."""
    assert status.phase is not None
    line = Text()
    for label, value in phase_facts(status.phase, status).items():
        line.append(f"{label} ", style="dim").append(f"{value}  ")
    if len(readings.rates) < 2:
        return [line]
    shown = list(readings.rates)[-max(width - 12, 8) :]
    way = Text("rate      ", style="dim").append(sparks(shown, 0.0, max(shown)), style="cyan")
    return [line, way]


def _memory(status: Status, readings: Readings, width: int) -> Text:
    line = Text("memory    ", style="dim").append(f"{status.rss_bytes / GIB:.2f} GiB  ")
    shown = list(readings.memory)[-max(width - 24, 8) :]
    return line.append(sparks(shown, 0.0, max(shown)), style="magenta") if len(shown) > 1 else line


def _seconds(status: Status) -> Text:
    line = Text("took      ", style="dim")
    for name, seconds in status.phase_seconds.items():
        line.append(f"{PHASES.get(name, name)} ", style="dim").append(f"{clock(seconds)}  ")
    return line
