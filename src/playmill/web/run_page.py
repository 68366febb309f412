"""A run as its page shows it: the row in a list, what it is doing now, and all that its iterations came to."""

from __future__ import annotations

from typing import Any

from playmill.packs.shown import cells_of, columns_of, found_by, last_found, measures_of, shown_of
from playmill.pipeline.run import kind_of
from playmill.runs.folder import PHASES, Manifest
from playmill.runs.phase_text import phase_facts
from playmill.runs.steps import MINUTE_S, RESULT_COLUMNS, Step, duration, result_cells, seconds_of, steps_of
from playmill.runs.view import RunView
from playmill.web.run_charts import charts_of

HEAD = ("iteration", "time", *RESULT_COLUMNS)


def row_of(view: RunView) -> dict[str, Any]:
    """What a list of runs says of it."""
    manifest, state = view.manifest, view.state
    return {
        "game": manifest.game,
        "state": state.name,
        "text": state.text,
        "since_ms": state.since_ms,
        "iterations_done": manifest.iterations_done,
        "iterations": view.status.iterations if view.status else view.iterations,
        "games": manifest.selfplay_games,
        "strength": _strength(manifest),
        "has_best": view.folder.best.exists(),
    }


def page_of(view: RunView) -> dict[str, Any]:
    """All that changes with an iteration; `version` says whether it has changed."""
    manifest = view.manifest
    steps, columns = steps_of(manifest), columns_of(manifest)
    settings = kind_of(view.config).load(view.config)[0]
    rows = [[*_cells(step), *cells_of(step.entry, columns)] for step in steps]
    return {
        "name": view.folder.root.name,
        "version": version_of(view),
        **row_of(view),
        "figures": _figures(manifest, steps),
        "charts": charts_of(manifest, steps),
        "columns": [*HEAD, *(column.header for _, column in columns)],
        "rows": rows[::-1],
        "facts": {
            "game": f"{manifest.game} ({manifest.ruleset})",
            "seed": str(manifest.seed),
            **{name: value for name, value in settings.describe().items() if value},
            "best weights": (manifest.best or "none yet")[:12],
            "playmill": manifest.playmill,
        },
        "settings": flatten(settings.model_dump(mode="json")),
    }


def live_of(view: RunView) -> dict[str, Any]:
    """What changes every second."""
    state, status = view.state, view.status
    is_running = state.name == "running"
    return {
        "version": version_of(view),
        "state": state.name,
        "text": state.text,
        "since_ms": state.since_ms,
        "iteration": view.manifest.iterations_done,
        "phases": [_phase(view, name, is_running) for name in view.phases],
        "facts": phase_facts(status.phase, status) if status and is_running and status.phase in PHASES else {},
        "rss_bytes": status.rss_bytes if status and is_running else 0,
    }


def version_of(view: RunView) -> str:
    """Another one whenever an iteration's phase has ended."""
    facts = view.folder.manifest.stat()
    return f"{facts.st_mtime_ns:x}-{facts.st_size:x}"


def flatten(settings: dict[str, Any], head: str = "") -> dict[str, Any]:
    """Settings by their dotted names."""
    rows: dict[str, Any] = {}
    for name, value in settings.items():
        rows |= flatten(value, f"{head}{name}.") if isinstance(value, dict) and value else {f"{head}{name}": value}
    return rows


def _phase(view: RunView, name: str, is_running: bool) -> dict[str, Any]:
    """How far a phase of the iteration under way is; of a run at rest, the last iteration's."""
    status, current = view.status, view.current
    entries = view.manifest.iterations
    shown = current or (entries[-1] if entries and not is_running else None)
    entry = getattr(shown, name, None) if shown else None
    is_told = is_running and status is not None and status.iteration == view.manifest.iterations_done  # not of the last one
    is_now = is_told and status is not None and status.phase == name and entry is None
    row: dict[str, Any] = {
        "name": name,
        "title": PHASES[name],
        "state": "done" if entry else "now" if is_now else "open",
        "seconds": entry.seconds if entry else 0.0,
    }
    if is_now and status is not None:
        seconds = status.phase_seconds.get(name, 0.0)
        left = status.seconds_left
        row |= {"done": status.done, "total": status.total, "rate": status.rate, "left": left, "seconds": seconds}
    return row


def _strength(manifest: Manifest) -> dict[str, str] | None:
    """The last figure of the run's first measure, else its last gate."""
    steps = steps_of(manifest)
    for measure in measures_of(manifest):
        if measure.curves:
            curve, found = measure.curves[0], last_found(measure, steps)
            value, low, high = curve.point(found)
            interval = "" if low is None or high is None else f"{curve.form.format(low)} to {curve.form.format(high)}"
            return {"figure": f"{curve.form.format(value)} {curve.unit}".strip(), "words": curve.title, "interval": interval}
    gates = [step.entry.gate for step in steps if step.entry.gate]
    if not gates:
        return None
    interval = "{:.0%} to {:.0%}".format(*gates[-1].interval) if gates[-1].interval else ""
    return {"figure": f"{gates[-1].win_rate:.1%}", "words": "last gate", "interval": interval}


def _figures(manifest: Manifest, steps: list[Step]) -> list[tuple[str, str]]:
    """What one wants to know first."""
    figures: list[tuple[str, str]] = []
    for shown in shown_of(manifest):
        if any(found_by(shown, step.entry) for step in steps):
            figures += shown.figures(last_found(shown, steps))
    gates = [step.entry.gate for step in steps if step.entry.gate]
    return [
        *figures,
        (f"{sum(gate.promote for gate in gates)} of {len(gates)}", "candidates promoted"),
        (f"{manifest.selfplay_games:,}", "games of self-play"),
        (duration(steps[-1].minutes if steps else 0.0), "of work"),
    ]


def _cells(step: Step) -> list[str]:
    time = duration(sum(seconds_of(step.entry, phase) for phase in PHASES) / MINUTE_S)
    return [str(step.number), time, *result_cells(step.entry)]
