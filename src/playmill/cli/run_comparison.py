"""Several runs of a game as one page: strength with intervals over iterations, time and compute, and what set them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill import __version__
from playmill.arena.measure import Curve, Measure
from playmill.cli import report_page as html
from playmill.cli.report_axes import COMPUTE, ITERATIONS, MILLION, TIME, Axis
from playmill.cli.report_chart import Point, Sheet, legend, lines_chart, short_number
from playmill.core.errors import UsageError
from playmill.packs.shown import found_by, measures_of
from playmill.pipeline.run import kind_of, require_pack
from playmill.runs.folder import Manifest
from playmill.runs.settings_text import flat_settings, scalar
from playmill.runs.settings_text import keys as settings_keys
from playmill.runs.steps import Step, duration, steps_of
from playmill.runs.view import RunView

LARGE, SMALL = (480, 270), (320, 180)
NOT_THE_SAME = "-"  # where a run has no such setting

Series = list[tuple[str, list[Point]]]


@dataclass(frozen=True)
class ComparedRun:
    """One of the runs, under a name that no other has."""

    name: str
    view: RunView
    steps: list[Step]

    @property
    def manifest(self) -> Manifest:
        return self.view.manifest


def compare_runs(roots: Sequence[Path]) -> str:
    """The page about the runs, finished or not; refused if they are of different games."""
    runs = _open(roots)
    game = runs[0].manifest.game
    parts = [
        html.header(f"{len(runs)} runs of {game}", ", ".join(run.name for run in runs), "comparison", True),
        html.card("Runs", "", legend([run.name for run in runs]) + html.table(_columns(runs), _rows(runs)), "wide"),
        *(_measure(runs, measure) for measure in _measures(runs)),
        html.pair(_gates(runs), _losses(runs)),
        _rates(runs),
        _differences(runs),
        f"<footer>Written by playmill {__version__}.</footer>",
    ]
    return html.page(f"{game}: {', '.join(run.name for run in runs)}", "\n".join(part for part in parts if part))


def _open(roots: Sequence[Path]) -> list[ComparedRun]:
    views = [RunView(root) for root in roots]
    for view in views:
        require_pack(view.folder, view.manifest)
    games = {view.manifest.game for view in views}
    if len(games) > 1:
        raise UsageError(f"report: expected runs of one game, got {', '.join(sorted(games))}; report each game by itself")
    ids = [view.manifest.run_id for view in views]
    names = ids if len(set(ids)) == len(ids) else [str(root) for root in roots]
    return [ComparedRun(name, view, steps_of(view.manifest)) for name, view in zip(names, views, strict=True)]


# ------------------------------------------------------------------ strength


def _measures(runs: Sequence[ComparedRun]) -> list[Measure]:
    """Those that any run has results of."""
    return list({measure.name: measure for run in runs for measure in measures_of(run.manifest)}.values())


def _measure(runs: Sequence[ComparedRun], measure: Measure) -> str:
    """Its curves over iterations; the first, which is its line of strength, over time and against compute as well."""
    first, *others = measure.curves
    cards = [_curve(runs, measure, first, axis) for axis in (ITERATIONS, TIME, COMPUTE)]
    cards += [_curve(runs, measure, curve, ITERATIONS) for curve in others]
    there = [card for card in cards if card]
    return "\n".join(html.pair(*there[i : i + 2]) for i in range(0, len(there), 2))


def _curve(runs: Sequence[ComparedRun], measure: Measure, curve: Curve, axis: Axis) -> str:
    series = _series(runs, lambda run, number: _point(run, number, measure, curve, axis.place(run.steps[number])))
    if not any(points and points[-1].x > 0 for _, points in series):
        return ""
    reference, is_whole = _reference(runs, measure, curve), axis is ITERATIONS
    sheet = Sheet(axis.name, curve.form.format, reference, None, LARGE, has_whole_x=is_whole)
    return html.card(f"{curve.title} {axis.ending}", curve.note, lines_chart(series, sheet))


def _point(run: ComparedRun, number: int, measure: Measure, curve: Curve, x: float) -> Point | None:
    found = found_by(measure, run.steps[number].entry)
    if found is None:
        return None
    value, low, high = curve.point(found)
    form = curve.form.format
    interval = "" if low is None or high is None else f" ({form(low)} to {form(high)})"
    return Point(x, value, low, high, f"{run.name}, iteration {number + 1}: {form(value)}{interval}")


def _reference(runs: Sequence[ComparedRun], measure: Measure, curve: Curve) -> tuple[float, str] | None:
    """The level that the curve is compared with, as the last run that has it tells."""
    seen = [found for run in runs for step in run.steps if (found := found_by(measure, step.entry))]
    return curve.reference(seen[-1]) if curve.reference and seen else None


def _series(runs: Sequence[ComparedRun], point: Callable[[ComparedRun, int], Point | None]) -> Series:
    """Each run's points, in the runs' order; one without any keeps its tone."""
    return [(run.name, [p for i in range(len(run.steps)) if (p := point(run, i)) is not None]) for run in runs]


# ------------------------------------------------------------------ gates, losses, rates


def _chart(runs: Sequence[ComparedRun], value: Callable[[Step], float | None], sheet: Sheet) -> str:
    def point(run: ComparedRun, number: int) -> Point | None:
        y = value(run.steps[number])
        return None if y is None else Point(number + 1, y, words=f"{run.name}, iteration {number + 1}: {y:,.4g}")

    series = _series(runs, point)
    return lines_chart(series, sheet) if any(points for _, points in series) else ""


def _gates(runs: Sequence[ComparedRun]) -> str:
    chart = _chart(runs, _promotions(), Sheet("iteration", lambda value: f"{value:g}" if value == int(value) else ""))
    return html.card("Promotions", "Candidates that became the best, up to each iteration.", chart) if chart else ""


def _promotions() -> Callable[[Step], float | None]:
    """Counts from the first iteration of each run on."""
    count = 0

    def promoted(step: Step) -> float | None:
        nonlocal count
        count = (0 if step.number == 1 else count) + bool(step.entry.gate and step.entry.gate.promote)
        return float(count) if step.entry.gate else None

    return promoted


def _losses(runs: Sequence[ComparedRun]) -> str:
    chart = _chart(runs, lambda step: step.entry.train.losses.get("total") if step.entry.train else None,
                   Sheet("iteration", "{:g}".format))  # fmt: skip
    note = "At the end of each iteration's training; runs that weigh losses differently can't be compared by it."
    return html.card("Total loss", note, chart) if chart else ""


def _rates(runs: Sequence[ComparedRun]) -> str:
    values: dict[str, Callable[[Step], float | None]] = {
        "self-play games a second": lambda step: step.entry.selfplay.games_s if step.entry.selfplay else None,
        "training samples a second": lambda step: (step.entry.train.samples_s or None) if step.entry.train else None,
        "seconds an iteration": lambda step: _seconds(step),
    }
    charts = [(name, _chart(runs, value, Sheet("iteration", short_number, size=SMALL))) for name, value in values.items()]
    return html.card("Rates", "", html.small([(name, chart) for name, chart in charts if chart]), "wide")


def _seconds(step: Step) -> float | None:
    phases = (step.entry.selfplay, step.entry.train, step.entry.gate, step.entry.measure)
    return sum(phase.seconds for phase in phases if phase) or None


# ------------------------------------------------------------------ tables


def _columns(runs: Sequence[ComparedRun]) -> list[str]:
    strengths = [measure.curves[0].title for measure in _measures(runs) if measure.curves]
    return ["run", "state", "iterations", "work", "games", "steps", "promoted", "evaluations", *strengths]


def _rows(runs: Sequence[ComparedRun]) -> list[list[str]]:
    return [[*_facts(run), *(_strength(run, measure) for measure in _measures(runs) if measure.curves)] for run in runs]


def _facts(run: ComparedRun) -> list[str]:
    manifest, gates = run.manifest, [step.entry.gate for step in run.steps if step.entry.gate]
    return [
        run.name,
        run.view.state.name,
        f"{manifest.iterations_done} of {run.view.iterations}",
        duration(run.steps[-1].minutes if run.steps else 0.0),
        f"{manifest.selfplay_games:,}",
        f"{manifest.train_steps:,}",
        f"{sum(gate.promote for gate in gates)} of {len(gates)}",
        _count(run.steps[-1].evaluations) if run.steps and run.steps[-1].evaluations else "",
    ]


def _count(number: float) -> str:
    return f"{number / MILLION:,.1f} million" if number >= MILLION else f"{number:,.0f}"


def _strength(run: ComparedRun, measure: Measure) -> str:
    """What was measured last, with its interval."""
    curve = measure.curves[0]
    points = [p for i in range(len(run.steps)) if (p := _point(run, i, measure, curve, i)) is not None]
    if not points:
        return ""
    last, form = points[-1], curve.form.format
    return form(last.y) if last.low is None or last.high is None else f"{form(last.y)} ({form(last.low)} to {form(last.high)})"


def _differences(runs: Sequence[ComparedRun]) -> str:
    """The settings in which the runs differ, one a row. A group that a run leaves out has its defaults there."""
    kinds = [kind_of(run.view.config) for run in runs]
    told = [flat_settings(kind.load(run.view.config)[0].model_dump(mode="json")) for kind, run in zip(kinds, runs, strict=True)]
    defaults = {key.path: key.default for kind in kinds for key in settings_keys(kind.settings()) if key.section is None}
    keys = [
        key for key in dict.fromkeys(key for one in told for key in one) if _differs([{**defaults, **one} for one in told], key)
    ]
    if not keys:
        return html.card("Settings", "The runs have the same settings.", "", "wide")
    rows = [[key, *(_text(one, key) for one in told)] for key in keys]
    return html.card("Settings that differ", "", html.table(["setting", *(run.name for run in runs)], rows), "wide")


def _differs(settings: list[dict[str, Any]], key: str) -> bool:
    return len({_text(one, key) for one in settings}) > 1


def _text(settings: dict[str, Any], key: str) -> str:
    return scalar(settings[key]) if key in settings else NOT_THE_SAME
