"""The cards of a run's report that hold charts; each is empty where there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from playmill.arena.measure import Curve, Fields
from playmill.cli import report_page as html
from playmill.cli.report_axes import COMPUTE, ITERATIONS, TIME, Axis
from playmill.cli.report_chart import Form, Point, Sheet, bar_chart, gate_chart, line_chart, share_bar, short_number
from playmill.packs.shown import found_by, last_found, measures_of, shown_of, summaries_of
from playmill.runs.entries import SelfPlayEntry
from playmill.runs.folder import PHASES, Iteration, Manifest
from playmill.runs.meetings import mean_plies, result_share
from playmill.runs.steps import MINUTE_S, Step, duration, loss_of, seconds_of
from playmill.search.roles import Roles

LARGE, SMALL = (480, 270), (320, 180)

Value = Callable[[Iteration], float | None]


def measures(manifest: Manifest, steps: list[Step]) -> str:
    """The curves of the run's measures, those over time first, against compute as well; the others stand beside the gates."""
    rows, beside = [], []
    for measure in measures_of(manifest):
        seen = [(step, found) for step in steps if (found := found_by(measure, step.entry))]
        for curve in measure.curves:
            if curve.is_by_time:
                rows.append(html.pair(_curve(curve, seen, TIME), _curve(curve, seen, ITERATIONS)))
                beside += [_curve(curve, seen, COMPUTE)] if steps[-1].evaluations else []
            else:
                beside.append(_curve(curve, seen))
    return "\n".join([*rows, html.pair(*beside, _gates(steps))])


def summaries(manifest: Manifest, steps: list[Step]) -> str:
    """A little chart for each curve of what is told of self-play's games."""
    cards = []
    for summary in summaries_of(manifest):
        seen = [(step, found) for step in steps if (found := found_by(summary, step.entry))]
        charts = [(curve.title, _curve_chart(curve, seen, SMALL)) for curve in summary.curves]
        cards.append(html.card(f"Self-play: {summary.name}", summary.about, html.small(charts), "wide"))
    return "\n".join(cards)


def breakdowns(manifest: Manifest, steps: list[Step]) -> str:
    """The last measurements, taken apart."""
    cards = []
    for shown in shown_of(manifest):
        for part in shown.breakdowns(last_found(shown, steps)):
            charts = [(name, bar_chart(bars, SMALL)) for name, bars in part.histograms]
            content = html.table(list(part.header), [list(row) for row in part.rows]) + html.small(charts)
            cards.append(html.card(part.title, part.note, content, "wide"))
    return "\n".join(cards)


def _curve(curve: Curve, seen: list[tuple[Step, Fields]], axis: Axis | None = None) -> str:
    chart = _curve_chart(curve, seen, axis=axis or ITERATIONS)
    return html.card(f"{curve.title} {axis.ending}" if axis else curve.title, curve.note, chart)


def _curve_chart(curve: Curve, seen: list[tuple[Step, Fields]], size: tuple[int, int] = LARGE, axis: Axis = ITERATIONS) -> str:
    points = [_curve_point(curve, step, found, axis.place(step)) for step, found in seen]
    reference = curve.reference(seen[-1][1]) if curve.reference else None
    tone = "a" if curve.is_by_time else "c"
    limits = _limits(curve, points)
    sheet = Sheet(axis.name, curve.form.format, reference, limits, size, tone, has_whole_x=axis is ITERATIONS)
    return line_chart(points, sheet)


def _curve_point(curve: Curve, step: Step, found: Fields, x: float) -> Point:
    value, low, high = curve.point(found)
    form = curve.form.format
    interval = "" if low is None or high is None else f" ({form(low)} to {form(high)})"
    return Point(x, value, low, high, f"iteration {step.number}, {step.minutes:.1f} min: {form(value)}{interval}")


def _limits(curve: Curve, points: list[Point]) -> tuple[float, float] | None:
    """The chart's limits, which give way where a point lies outside."""
    if curve.limits is None:
        return None
    ends = [end for point in points for end in (point.low, point.y, point.high) if end is not None]
    return min(curve.limits[0], *ends), max(curve.limits[1], *ends)


def _gates(steps: list[Step]) -> str:
    points, even = [], 0.5
    for step in steps:
        if gate := step.entry.gate:
            low, high = gate.interval or (None, None)
            words = f"iteration {step.number}: {gate.win_rate:.1%} of {gate.games} games; {gate.reason}"
            points.append(Point(step.number, gate.win_rate, low, high, words, gate.promote))
            even = gate.even
    if not points:
        return ""
    sheet = Sheet(ITERATIONS.name, "{:.0%}".format, (even, "even"), (0.0, 1.0), tone="b")
    note = "Candidate against best, with its 95 % interval; filled: promoted."
    return html.card("Gates", note, gate_chart(points, sheet))


def losses(steps: list[Step]) -> str:
    """One little chart for each loss; an iteration that was resumed after its last step has none."""
    names = list(dict.fromkeys(name for s in steps if s.entry.train for name in s.entry.train.losses))
    charts = []
    for name in names:
        points = _points(steps, partial(loss_of, name))
        charts.append((name, line_chart(points, Sheet(ITERATIONS.name, "{:g}".format, size=SMALL, tone="d"))))
    return html.card("Losses", "At the end of each iteration's training.", html.small(charts), "wide") if charts else ""


def validation(steps: list[Step]) -> str:
    """A little chart for each number that training tells of samples that were kept apart, where it does."""
    found = [_validation_of(step.entry) for step in steps]
    charts = []
    for name in dict.fromkeys(name for one in found for name in one if isinstance(one[name], float)):
        points = _points(steps, lambda entry, name=name: _validation_of(entry).get(name))  # type: ignore[misc]
        charts.append((name.replace("_", " "), line_chart(points, Sheet(ITERATIONS.name, "{:g}".format, size=SMALL, tone="d"))))
    return html.card("Validation", "On games that were not trained on.", html.small(charts), "wide") if charts else ""


def _validation_of(entry: Iteration) -> dict[str, Any]:
    found: dict[str, Any] = entry.train.details.get("validation", {}) if entry.train else {}
    return found


def _points(steps: list[Step], value: Value) -> list[Point]:
    found = [(step.number, value(step.entry)) for step in steps]
    return [Point(number, y, words=f"iteration {number}: {y:,.4g}") for number, y in found if y is not None]


def players(steps: list[Step], roles: Roles) -> str:
    """How self-play's players fared against each other, where two did, and how long their games were."""
    best, opponent = roles
    names = (f"won by the {best}", f"won by the {opponent}", "drawn")
    shares: dict[str, Value] = {name: partial(result_share, number) for number, name in enumerate(names)}
    charts = _charts(steps, shares, "{:.0%}".format, (0.0, 1.0))
    if not charts:
        return ""
    note = f"Games of self-play of the {best} against the {opponent}, each with its own search."
    return html.card(
        "Players", note, html.small([*charts, *_charts(steps, {"plies a game": mean_plies}, "{:g}".format)]), "wide"
    )


def searches(steps: list[Step]) -> str:
    """How sure self-play's policies were, and what its searches met with."""
    names = {
        "policy entropy, nats": "policy_entropy",
        "top probability": "top_probability",
        "collision rate": "collision_rate",
        "fallbacks a decision": "fallback_rate",
    }
    values: dict[str, Value] = {words: partial(_of_selfplay, name) for words, name in names.items()}
    charts = _charts(steps, values, "{:g}".format)
    charts += _charts(steps, {"batch fill": partial(_of_selfplay, "batch_fill")}, "{:.2%}".format)
    note = "Means over the stored policies; rates of what each iteration's process played."
    return html.card("Search", note, html.small(charts), "wide") if charts else ""


def _of_selfplay(name: str, entry: Iteration) -> float | None:
    found: float | None = getattr(entry.selfplay, name, None)
    return found


def _charts(
    steps: list[Step], values: dict[str, Value], form: Form, limits: tuple[float, float] | None = None
) -> list[tuple[str, str]]:
    """A little chart for each value that any iteration has."""
    found = [(name, _points(steps, value)) for name, value in values.items()]
    sheet = Sheet(ITERATIONS.name, form, limits=limits, size=SMALL)
    return [(name, line_chart(points, sheet)) for name, points in found if points]


def rates(steps: list[Step]) -> str:
    """How fast, and where the time went."""
    rates: dict[str, Value] = {
        "self-play games a second": lambda entry: _games_s(entry.selfplay),
        "evaluations a second": lambda entry: _evaluations_s(entry.selfplay),
        "simulations a second": lambda entry: entry.selfplay.simulations_s if entry.selfplay else None,
        "training samples a second": lambda entry: (entry.train.samples_s or None) if entry.train else None,
    }
    charts = _charts(steps, rates, short_number)
    if not charts:
        return ""
    return html.card("Rates", "", html.small(charts) + "<h3>where the time went</h3>" + share_bar(_shares(steps)), "wide")


def _games_s(entry: SelfPlayEntry | None) -> float | None:
    """Of networks: a bootstrap's bot is so much faster that nothing else could be seen beside it."""
    return None if entry is None or entry.bot else entry.games_s


def _shares(steps: list[Step]) -> list[tuple[str, float, str]]:
    """What each phase took."""
    amounts = {name: sum(seconds_of(step.entry, phase) for step in steps) for phase, name in PHASES.items()}
    total = sum(amounts.values()) or 1.0
    return [
        (name, amount, f"{name} {amount / total:.0%}, {duration(amount / MINUTE_S)}")
        for name, amount in amounts.items()
        if amount
    ]


def _evaluations_s(entry: SelfPlayEntry | None) -> float | None:
    """Of what was played in one go: after a resume the earlier games took this process no time."""
    if entry is None or not entry.seconds or "evaluations" not in entry.stats:
        return None
    return entry.stats["evaluations"] / entry.seconds
