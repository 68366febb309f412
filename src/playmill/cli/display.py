"""What `playmill run` shows while it works: a live screen on a terminal, else a line for each phase that is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from playmill.pipeline.folder import PHASES

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

    from playmill.pipeline.folder import Iteration, Manifest
    from playmill.pipeline.settings import RunSettings
    from playmill.pipeline.watcher import Tell, Watcher

UNITS = {"selfplay": "games", "train": "steps", "gate": "games", "oracle": "games"}
ROWS = 8  # iterations in the table
REFRESH_HZ = 6
WIDTH = 100
NARROW = 70  # columns, under which the screen leaves things out
WIDTH_FOR = {"games/s": NARROW, "loss": NARROW, "regret": NARROW, "interval": 90}  # what these columns of the table need
SPARKS = "▁▂▃▄▅▆▇█"


def open_display(run: Path) -> Plain | Live:
    """A live screen where stderr is a terminal, else lines."""
    return Live(run) if sys.stderr.isatty() else Plain()


# ------------------------------------------------------------------ words


def closing_line(name: str, entry: dict[str, Any]) -> str:
    """What a phase came to, in a line."""
    return {"selfplay": _selfplay_words, "train": _train_words, "gate": _gate_words, "oracle": _oracle_words}[name](entry)


def _selfplay_words(entry: dict[str, Any]) -> str:
    rate = "all of them played before" if entry["games_s"] is None else f"{entry['games_s']:,.1f} games/s"
    return f"{entry['games']:,} games, {entry['samples']:,} samples, {rate}"


def _train_words(entry: dict[str, Any]) -> str:
    return f"{entry['steps']:,} steps, {entry['samples_s']:,.0f} samples/s; losses: {_losses(entry)}"


def _losses(facts: dict[str, Any]) -> str:
    losses = {name.removeprefix("loss_"): value for name, value in facts.items() if name.startswith("loss_")}
    return ", ".join(f"{name} {value:.4f}" for name, value in losses.items())


def _gate_words(entry: dict[str, Any]) -> str:
    verdict = "promoted" if entry["promote"] else "not promoted"
    return f"{entry['win_rate']:.1%} of {entry['games']:,} games, {verdict}: {entry['reason']}"


def _oracle_words(entry: dict[str, Any]) -> str:
    regret = entry["choices"]["all"]["mean_regret"]
    return f"{_points(entry)} points a game without luck, {regret:.4f} given away a decision"


def _points(entry: dict[str, Any]) -> str:
    fair = entry["boards"]["fair"]
    return f"{fair['mean']:.2f} ± {fair['high'] - fair['mean']:.2f}"


# ------------------------------------------------------------------ lines


class Plain:
    """A line on stderr for each phase that is done."""

    def begin(self, manifest: Manifest, settings: RunSettings) -> None:
        self.manifest, self.settings = manifest, settings

    @contextmanager
    def phase(self, name: str, total: int, done: int = 0) -> Iterator[Tell]:
        yield lambda done, **facts: None

    def finished(self, name: str, entry: dict[str, Any]) -> None:
        where = f"iteration {self.manifest.iterations_done + 1}/{self.settings.iterations} {PHASES[name]}"
        print(f"{where}: {closing_line(name, entry)}", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


# ------------------------------------------------------------------ the live screen


@dataclass
class Work:
    """A phase under way."""

    name: str
    total: int
    before: int  # done by an earlier process
    began: float
    done: int = 0
    facts: dict[str, float] = field(default_factory=dict)

    def rate(self, now: float) -> float | None:
        """So many a second, None before anything was done."""
        made = self.done - self.before
        return made / (now - self.began) if made > 0 and now > self.began else None

    def seconds_left(self, now: float) -> float | None:
        rate = self.rate(now)
        return (self.total - self.done) / rate if rate else None


class Live:
    """The whole run on one screen, on stderr. Threads tell it things; Rich's own thread draws it."""

    def __init__(self, run: Path, console: Console | None = None) -> None:
        from rich.console import Console
        from rich.live import Live as RichLive

        self.run = run
        self.manifest: Manifest | None = None
        self.settings: RunSettings | None = None
        self.work: Work | None = None
        self.began = time.monotonic()
        self.console = console or Console(stderr=True)
        self._live = RichLive(get_renderable=self.render, console=self.console, refresh_per_second=REFRESH_HZ)

    def begin(self, manifest: Manifest, settings: RunSettings) -> None:
        self.manifest, self.settings = manifest, settings

    @contextmanager
    def phase(self, name: str, total: int, done: int = 0) -> Iterator[Tell]:
        self.work = work = Work(name, total, done, time.monotonic(), done)

        def tell(done: int, **facts: float) -> None:
            work.done = done
            work.facts.update(facts)

        yield tell

    def finished(self, name: str, entry: dict[str, Any]) -> None:
        self.work = None

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def render(self) -> RenderableType:
        """The screen as it is now."""
        from rich.console import Group
        from rich.panel import Panel
        from rich.text import Text

        if self.manifest is None or self.settings is None:
            return Text(f"{self.run}: opening the run …", style="dim")
        now, is_narrow = time.monotonic(), self.console.width < NARROW
        parts: list[RenderableType] = [
            *_run_lines(self.manifest, self.settings, is_narrow),
            _phase_line(self.manifest, self.settings),
        ]
        if self.work is not None:
            parts += [Text(), _bar(self.work, now, is_narrow), _facts_line(self.work, self.settings, now, is_narrow)]
        if any(entry.selfplay for entry in self.manifest.iterations):
            parts += [Text(), _table(self.manifest, self.console.width)]
        if line := _strength_line(self.manifest):
            parts += [Text(), line]
        title = f"[bold]playmill [/bold]· {self.manifest.game} · {self.run}"
        clock = f"[dim]running for {_clock(now - self.began)}[/dim]"
        return Panel(
            Group(*parts), title=title, title_align="left", subtitle=clock, subtitle_align="right", border_style="cyan",
            padding=(0, 1) if is_narrow else (1, 2), width=min(WIDTH, self.console.width),
        )  # fmt: skip


def _run_lines(manifest: Manifest, settings: RunSettings, is_narrow: bool) -> list[RenderableType]:
    """How far the whole run is, on one line where there is room."""
    done, total = manifest.iterations_done, settings.iterations
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


def _phase_line(manifest: Manifest, settings: RunSettings) -> Text:
    """The phases of an iteration: done, under way, to come."""
    from rich.text import Text

    current = manifest.iterations[-1] if manifest.iterations_done < len(manifest.iterations) else None
    line = Text()
    for name, words in _phases_of(manifest, settings).items():
        is_done = manifest.phase == "done" or (current is not None and getattr(current, name) is not None)
        if is_done:
            line.append(f"✓ {words}   ", style="green")
        elif manifest.phase == name:
            line.append(f"● {words}   ", style="bold cyan")
        else:
            line.append(f"○ {words}   ", style="dim")
    return line


def _phases_of(manifest: Manifest, settings: RunSettings) -> dict[str, str]:
    """Those that this run has: not every game is solved."""
    is_measured = manifest.game == "yatzy" and settings.oracle.games > 0
    return {name: words for name, words in PHASES.items() if name != "oracle" or is_measured}


def _bar(work: Work, now: float, is_narrow: bool) -> Table:
    """The phase's name, a bar, what is done and how long the rest takes; a narrow one has just the bar and the count."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    left = work.seconds_left(now)
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(width=9)
    grid.add_column(ratio=1)
    grid.add_column(justify="right")
    grid.add_column(justify="right", width=11, style="dim")
    bar = ProgressBar(total=max(work.total, 1), completed=work.done, complete_style="cyan", finished_style="green")
    count = f"[bold]{work.done:,} [/bold]of {work.total:,} {UNITS[work.name]}"
    grid.add_row(PHASES[work.name], bar, count, "" if left is None else f"{_clock(left)} left")
    if is_narrow:
        del grid.columns[3], grid.columns[0]
    return grid


def _facts_line(work: Work, settings: RunSettings, now: float, is_narrow: bool) -> Text:
    """What can be said of the phase so far: its speed, and its losses or its score."""
    from rich.text import Text

    line = Text("" if is_narrow else " " * 11)
    for label, value in _facts(work, settings, now).items():
        line.append(f"{label} ", style="dim").append(f"{value}   ", style="bold" if label in ("loss", "win rate") else "")
    return line


def _facts(work: Work, settings: RunSettings, now: float) -> dict[str, str]:
    facts, rate = work.facts, work.rate(now)
    speed = {} if rate is None else {f"{UNITS[work.name]}/s": f"{rate:,.1f}"}
    if work.name == "train":
        samples = facts.get("samples_s", (rate or 0.0) * settings.train.batch_size)
        losses = {name.removeprefix("loss_"): f"{v:.4f}" for name, v in facts.items() if name.startswith("loss_")}
        return {"samples/s": f"{samples:,.0f}", **({"loss": losses.pop("total")} if losses else {}), **losses}
    if work.name == "gate":
        test = {"sequential test": _test_words(facts["ratio"], settings)} if "ratio" in facts else {}
        return {"pairs": f"{work.done // 2:,}", **_win_rate(work), **test, **speed}
    if work.name == "oracle":
        mean = {"mean score": f"{facts['mean_score']:.1f}"} if "mean_score" in facts else {}
        return {**mean, **_win_rate(work), **speed}
    return speed


def _win_rate(work: Work) -> dict[str, str]:
    return {"win rate": f"{work.facts['win_rate']:.1%}"} if "win_rate" in work.facts else {}


def _test_words(ratio: float, settings: RunSettings) -> str:
    """Where the sequential test stands between its two bounds."""
    from playmill.arena.sequential import SequentialTest

    gate = settings.gate
    low, high = SequentialTest(gate.score0, gate.score1, gate.alpha, gate.beta).bounds
    return f"{ratio:+.2f} in {low:.2f} to {high:.2f}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


# ------------------------------------------------------------------ the last iterations


def _table(manifest: Manifest, width: int) -> Table:
    """The last few iterations, the newest last; the one under way has what it has so far."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shown = manifest.iterations[-ROWS:]
    has_oracle = any(entry.oracle for entry in manifest.iterations)
    table = Table(box=SIMPLE_HEAD, expand=True, padding=(0, 1), header_style="dim", border_style="dim", show_edge=False)
    columns = ("", "games/s", "loss", "gate", "interval", *(("points", "regret") if has_oracle else ()), "promoted")
    kept = [i for i, column in enumerate(columns) if width >= WIDTH_FOR.get(column, 0)]
    for i in kept:
        table.add_column(columns[i], justify="center" if columns[i] == "promoted" else "right")
    for entry in shown:
        row = _row(entry, has_oracle)
        table.add_row(*(row[i] for i in kept), style="" if entry.number < manifest.iterations_done else "cyan")
    return table


def _row(entry: Iteration, has_oracle: bool) -> list[str]:
    selfplay, train, gate = entry.selfplay or {}, entry.train or {}, entry.gate or {}
    row = [
        str(entry.number + 1),
        f"{selfplay['games_s']:,.1f}" if selfplay.get("games_s") else "",
        f"{train['loss_total']:.4f}" if "loss_total" in train else "",
        f"{gate['win_rate']:.1%}" if gate else "",
        f"[dim]{gate['wilson'][0]:.0%} to {gate['wilson'][1]:.0%}[/dim]" if gate else "",
    ]
    if has_oracle:
        row += [_points(entry.oracle), f"{entry.oracle['choices']['all']['mean_regret']:.3f}"] if entry.oracle else ["", ""]
    return [*row, ("[green]✓[/green]" if gate["promote"] else "[dim]–[/dim]") if gate else ""]


def _strength_line(manifest: Manifest) -> Text | None:
    """The way up, one block a measurement, scaled from the first to best play; nothing before the second one."""
    from rich.text import Text

    measured = [entry.oracle for entry in manifest.iterations if entry.oracle]
    if len(measured) < 2:
        return None
    means, best = [entry["boards"]["fair"]["mean"] for entry in measured], measured[0]["expected_score"]
    low = min(means)
    places = [int((mean - low) / max(best - low, 1e-9) * len(SPARKS)) for mean in means]
    sparks = "".join(SPARKS[min(max(place, 0), len(SPARKS) - 1)] for place in places[-48:])
    words = f"{means[0]:.1f} to {means[-1]:.1f} points; best play {best:.2f}"
    return Text("strength   ", style="dim").append(f"{sparks}  ", style="green").append(words, style="dim")


if TYPE_CHECKING:
    _is_watcher: type[Watcher] = Live
    _is_watcher = Plain
