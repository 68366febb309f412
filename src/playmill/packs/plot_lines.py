"""The figures of a run over its iterations, as lines to be plotted."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.arena.measure import Curve, Interval, Shown
from playmill.packs.shown import found_by, measures_of, summaries_of
from playmill.runs.folder import Manifest


@dataclass(frozen=True)
class PlotLine:
    """One figure; a point is the iteration, counted from 1, and the figure with its interval."""

    title: str
    points: tuple[tuple[int, Interval], ...]
    form: str = "{:g}"  # how a value is written
    unit: str = ""  # behind it
    reference: tuple[float, str] | None = None  # a level to compare with, and its words


def plot_lines(manifest: Manifest) -> list[PlotLine]:
    """All that have two points or more: what was measured, the gate and the loss, what was counted in self-play's games."""
    measured, counted = (
        [_measured(manifest, shown, curve) for shown in found for curve in shown.curves]
        for found in (measures_of(manifest), summaries_of(manifest))
    )
    return [line for line in (*measured, _gates(manifest), _losses(manifest), *counted) if len(line.points) > 1]


def strength_of(manifest: Manifest) -> PlotLine | None:
    """The first curve of the run's first measure that has any."""
    measure = next((measure for measure in measures_of(manifest) if measure.curves), None)
    return None if measure is None else _measured(manifest, measure, measure.curves[0])


def strength_words(manifest: Manifest) -> str:
    """How strong the best was when it was last measured; empty where nothing was measured."""
    line = strength_of(manifest)
    return f"{line.form.format(line.points[-1][1].value)} {line.unit}".rstrip() if line and line.points else ""


def _measured(manifest: Manifest, shown: Shown, curve: Curve) -> PlotLine:
    found = [(entry.number + 1, fields) for entry in manifest.iterations if (fields := found_by(shown, entry))]
    points = tuple((number, curve.point(fields)) for number, fields in found)
    reference = curve.reference(found[-1][1]) if curve.reference and found else None
    return PlotLine(curve.title, points, curve.form, curve.unit, reference)


def _gates(manifest: Manifest) -> PlotLine:
    gates = [(entry.number + 1, entry.gate) for entry in manifest.iterations if entry.gate]
    points = tuple((number, Interval(gate.win_rate, *(gate.interval or (None, None)))) for number, gate in gates)
    return PlotLine("Gate", points, "{:.0%}", reference=(gates[-1][1].even, "an equal player") if gates else None)


def _losses(manifest: Manifest) -> PlotLine:
    trained = [(entry.number + 1, entry.train.losses) for entry in manifest.iterations if entry.train]
    return PlotLine(
        "Loss", tuple((number, Interval(losses["total"])) for number, losses in trained if "total" in losses), "{:.3f}"
    )
