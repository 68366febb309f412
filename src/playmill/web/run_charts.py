"""A run's curves as numbers: the page draws them over iterations, games or minutes, alone or beside another run's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from playmill.arena.measure import Curve, Fields, Shown
from playmill.packs.shown import found_by, measures_of, summaries_of
from playmill.runs.folder import Iteration, Manifest
from playmill.runs.steps import Step, loss_of

Value = Callable[[Iteration], float | None]


def charts_of(manifest: Manifest, steps: list[Step]) -> list[dict[str, Any]]:
    """All curves that have a point, in the order in which they are looked at."""
    played = _games_before(steps)

    def curves(group: str, shown_ones: Sequence[Shown]) -> list[dict[str, Any]]:
        return [_curve(group, curve, _seen(shown, steps), played) for shown in shown_ones for curve in shown.curves]

    found = [
        *curves("strength", measures_of(manifest)),
        _gates(steps, played),
        *_losses(steps, played),
        *curves("games", summaries_of(manifest)),
        *_rates(steps, played),
    ]
    return [chart for chart in found if chart["points"]]


def _seen(shown: Shown, steps: list[Step]) -> list[tuple[Step, Fields]]:
    """The iterations that it has figures of."""
    return [(step, found) for step in steps if (found := found_by(shown, step.entry))]


def _games_before(steps: list[Step]) -> dict[int, int]:
    """Games of self-play up to the end of each iteration."""
    total, games = 0, {}
    for step in steps:
        total += step.entry.selfplay.games if step.entry.selfplay else 0
        games[step.number] = total
    return games


def _chart(group: str, title: str, points: list[dict[str, Any]], **others: Any) -> dict[str, Any]:
    usual = {"note": "", "is_share": False, "unit": "", "reference": None, "limits": None, "has_line": True}
    return {"key": f"{group}: {title}", "group": group, "title": title, "points": points, **usual, **others}


def _point(step: Step, played: dict[int, int], y: float, words: str, **others: Any) -> dict[str, Any]:
    place = {"iteration": step.number, "games": played[step.number], "minutes": round(step.minutes, 4)}
    return {**place, "y": y, "words": words, "low": None, "high": None, "is_filled": True, **others}


def _curve(group: str, curve: Curve, seen: list[tuple[Step, Fields]], played: dict[int, int]) -> dict[str, Any]:
    points = []
    for step, found in seen:
        value, low, high = curve.point(found)
        form = curve.form.format
        interval = "" if low is None or high is None else f" ({form(low)} to {form(high)})"
        words = f"iteration {step.number}: {form(value)} {curve.unit}{interval}"
        points.append(_point(step, played, value, words, low=low, high=high))
    reference = curve.reference(seen[-1][1]) if curve.reference and seen else None
    look = {"note": curve.note, "is_share": "%" in curve.form, "unit": curve.unit, "limits": curve.limits}
    return _chart(group, curve.title, points, reference=reference, **look)


def _gates(steps: list[Step], played: dict[int, int]) -> dict[str, Any]:
    points, even = [], 0.5
    for step in steps:
        if gate := step.entry.gate:
            low, high = gate.interval or (None, None)
            words = f"iteration {step.number}: {gate.win_rate:.1%} of {gate.games} games; {gate.reason}"
            points.append(_point(step, played, gate.win_rate, words, low=low, high=high, is_filled=gate.promote))
            even = gate.even
    note = "Candidate against best, with its 95 % interval; filled: promoted."
    look = {"note": note, "is_share": True, "reference": (even, "even"), "limits": (0.0, 1.0), "has_line": False}
    return _chart("strength", "Gates", points, **look)


def _losses(steps: list[Step], played: dict[int, int]) -> list[dict[str, Any]]:
    names = dict.fromkeys(name for step in steps if step.entry.train for name in step.entry.train.losses)
    return [_values("losses", f"loss: {name}", steps, played, partial(loss_of, name)) for name in names]


def _rates(steps: list[Step], played: dict[int, int]) -> list[dict[str, Any]]:
    rates: dict[str, Value] = {
        "policy entropy, nats": lambda entry: entry.selfplay.policy_entropy if entry.selfplay else None,
        "self-play games a second": lambda entry: entry.selfplay.games_s if entry.selfplay else None,
        "simulations a second": lambda entry: entry.selfplay.simulations_s if entry.selfplay else None,
        "training samples a second": lambda entry: (entry.train.samples_s or None) if entry.train else None,
    }
    return [_values("rates", name, steps, played, value) for name, value in rates.items()]


def _number(value: float) -> str:
    """Four digits, and never a power of ten."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _values(group: str, title: str, steps: list[Step], played: dict[int, int], value: Value) -> dict[str, Any]:
    found = [(step, value(step.entry)) for step in steps]
    points = [_point(step, played, y, f"iteration {step.number}: {_number(y)}") for step, y in found if y is not None]
    return _chart(group, title, points)
