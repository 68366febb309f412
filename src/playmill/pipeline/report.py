"""A run as one page: how strong it became and when, its gates, its losses, its rates. Made from `run.json` alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playmill.pipeline import report_page as html
from playmill.pipeline.contents import listed
from playmill.pipeline.folder import PHASES, Iteration, Manifest, find_run
from playmill.pipeline.report_chart import Point, Sheet, gate_chart, line_chart, share_bar
from playmill.pipeline.settings import RunSettings, load_settings

ITERATIONS = "iteration"
MINUTE_S = 60.0
SMALL = (320, 180)
OPEN_ROWS = 24  # a longer table begins folded
HASH_DIGITS = 12


@dataclass(frozen=True)
class Step:
    """One iteration, counted from 1, and the minutes of work up to its end; stops in between are left out."""

    number: int
    minutes: float
    entry: Iteration


def make_report(root: Path) -> str:
    """The page about the run in `root`, finished or not."""
    folder, manifest = find_run(root)
    settings, _ = load_settings(listed(folder, manifest, folder.config))
    steps = _steps(manifest)
    parts = [
        _header(manifest, settings),
        html.tiles(_figures(manifest, steps)),
        _strength(steps),
        _contests(steps),
        _losses(steps),
        _rates(steps),
        html.card("The run", "", html.facts(_facts(manifest, settings)), "wide"),
        _table(steps),
        f"<footer>Written by playmill {manifest.playmill} from {folder.manifest.name}.</footer>",
    ]
    return html.page(f"{manifest.run_id}: {manifest.game}", "\n".join(part for part in parts if part))


def _steps(manifest: Manifest) -> list[Step]:
    steps, seconds = [], 0.0
    for entry in manifest.iterations:
        seconds += sum(_seconds(entry, phase) for phase in PHASES)
        steps.append(Step(entry.number + 1, seconds / MINUTE_S, entry))
    return steps


def _seconds(entry: Iteration, phase: str) -> float:
    return float((getattr(entry, phase) or {}).get("seconds", 0.0))


def _header(manifest: Manifest, settings: RunSettings) -> str:
    is_done = manifest.phase == "done"
    badge = "finished" if is_done else f"unfinished: {manifest.phase}"
    line = f"{manifest.game}, {manifest.iterations_done} of {settings.iterations} iterations"
    return html.header(manifest.run_id, line, badge, is_done)


def _figures(manifest: Manifest, steps: list[Step]) -> list[tuple[str, str]]:
    """What one wants to know first."""
    figures = []
    measured = [step.entry.oracle for step in steps if step.entry.oracle]
    if measured:
        last = measured[-1]
        fair, best = last["boards"]["fair"]["mean"], last["expected_score"]
        figures.append((f"{fair:.2f}", f"points a game, luck removed: {fair / best:.1%} of {best:.2f}"))
        figures.append((f"{last['against_oracle']['fair']['mean']:.1%}", "of games won against best play, luck reduced"))
        figures.append((_percent(last["choices"]["all"]["no_regret_rate"]), "of decisions as good as the best one"))
    gates = [step.entry.gate for step in steps if step.entry.gate]
    figures.append((f"{sum(bool(gate['promote']) for gate in gates)} of {len(gates)}", "candidates promoted"))
    figures.append((f"{manifest.selfplay_games:,}", "games of self-play"))
    figures.append((_duration(steps[-1].minutes if steps else 0.0), "of work"))
    return figures


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _duration(minutes: float) -> str:
    if minutes < 1:
        return f"{minutes * MINUTE_S:.0f} s"
    return f"{minutes:.1f} min" if minutes < 120 else f"{minutes / 60:.1f} h"


# ------------------------------------------------------------------ charts


def _strength(steps: list[Step]) -> str:
    """Points without luck, over time and over iterations; nothing where there is no oracle."""
    measured = [step for step in steps if step.entry.oracle]
    if not measured:
        return ""
    assert measured[0].entry.oracle
    best = measured[0].entry.oracle["expected_score"]
    reference = (best, f"best play, {best:.2f}")
    by_time = [_strength_point(step, step.minutes) for step in measured]
    by_iteration = [_strength_point(step, step.number) for step in measured]
    note = "Mean points a game against best play, luck removed, with its 95 % interval."
    time_sheet = Sheet("minutes of work", "{:g}".format, reference, has_whole_x=False)
    return html.pair(
        html.card("Strength over time", note, line_chart(by_time, time_sheet)),
        html.card("Strength over iterations", note, line_chart(by_iteration, Sheet(ITERATIONS, "{:g}".format, reference))),
    )


def _strength_point(step: Step, x: float) -> Point:
    fair = _of(step.entry.oracle)["boards"]["fair"]
    words = f"iteration {step.number}, {step.minutes:.1f} min: {fair['mean']:.2f} ({fair['low']:.2f} to {fair['high']:.2f})"
    return Point(x, fair["mean"], fair["low"], fair["high"], words)


def _of(entry: dict[str, Any] | None) -> dict[str, Any]:
    assert entry is not None  # the caller chose the iterations that have it
    return entry


def _contests(steps: list[Step]) -> str:
    """Wins against the oracle, and gates."""
    return html.pair(_oracle_wins(steps), _gates(steps))


def _oracle_wins(steps: list[Step]) -> str:
    points = []
    for step in steps:
        if step.entry.oracle:
            fair = step.entry.oracle["against_oracle"]["fair"]
            words = f"iteration {step.number}: {fair['mean']:.1%} ({fair['low']:.1%} to {fair['high']:.1%})"
            points.append(Point(step.number, fair["mean"], fair["low"], fair["high"], words))
    if not points:
        return ""
    sheet = Sheet(ITERATIONS, "{:.0%}".format, (0.5, "an equal player"), (0.0, 0.6), tone="c")
    return html.card(
        "Win rate against best play", "Luck reduced, with its 95 % interval; a draw is half a win.", _lines(points, sheet)
    )


def _lines(points: list[Point], sheet: Sheet) -> str:
    """A line chart whose natural limits give way where a point lies outside."""
    top = max(point.high or point.y for point in points)
    if sheet.limits and top > sheet.limits[1]:
        sheet = Sheet(sheet.x_name, sheet.form, sheet.reference, (0.0, 1.0), sheet.size, sheet.tone)
    return line_chart(points, sheet)


def _gates(steps: list[Step]) -> str:
    points = []
    for step in steps:
        if gate := step.entry.gate:
            low, high = gate["wilson"]
            words = f"iteration {step.number}: {gate['win_rate']:.1%} of {gate['games']} games; {gate['reason']}"
            points.append(Point(step.number, gate["win_rate"], low, high, words, bool(gate["promote"])))
    if not points:
        return ""
    sheet = Sheet(ITERATIONS, "{:.0%}".format, (0.5, "even"), (0.0, 1.0), tone="b")
    note = "Candidate against best, with Wilson's interval; filled: promoted."
    return html.card("Gates", note, gate_chart(points, sheet))


def _losses(steps: list[Step]) -> str:
    """One little chart for each loss; an iteration that was resumed after its last step has none."""
    names = list(dict.fromkeys(name for s in steps for name in s.entry.train or {} if name.startswith("loss_")))
    charts = []
    for name in names:
        points = _points(steps, lambda entry, name=name: (entry.train or {}).get(name))  # type: ignore[misc]
        charts.append((name.removeprefix("loss_"), line_chart(points, Sheet(ITERATIONS, "{:g}".format, size=SMALL, tone="d"))))
    return html.card("Losses", "At the end of each iteration's training.", html.small(charts), "wide") if charts else ""


def _points(steps: list[Step], value: Callable[[Iteration], float | None]) -> list[Point]:
    found = [(step.number, value(step.entry)) for step in steps]
    return [Point(number, y, words=f"iteration {number}: {y:,.4g}") for number, y in found if y is not None]


def _rates(steps: list[Step]) -> str:
    """How fast, and where the time went."""
    rates: dict[str, Callable[[Iteration], float | None]] = {
        "self-play games a second": lambda entry: _games_s(entry.selfplay),
        "evaluations a second": lambda entry: _rate(entry.selfplay, "evaluations"),
        "training samples a second": lambda entry: (entry.train or {}).get("samples_s") or None,
    }
    charts = []
    for name, value in rates.items():
        if points := _points(steps, value):
            charts.append((name, line_chart(points, Sheet(ITERATIONS, _short, size=SMALL))))
    if not charts:
        return ""
    return html.card("Rates", "", html.small(charts) + "<h3>where the time went</h3>" + share_bar(_shares(steps)), "wide")


def _shares(steps: list[Step]) -> list[tuple[str, float, str]]:
    """What each phase took."""
    amounts = {name: sum(_seconds(step.entry, phase) for step in steps) for phase, name in PHASES.items()}
    total = sum(amounts.values()) or 1.0
    return [
        (name, amount, f"{name} {amount / total:.0%}, {_duration(amount / MINUTE_S)}")
        for name, amount in amounts.items()
        if amount
    ]


def _games_s(entry: dict[str, Any] | None) -> float | None:
    """Games a second of what was played in one go: after a resume the earlier games took this process no time."""
    if entry and "games_s" in entry:
        return entry["games_s"]  # type: ignore[no-any-return]
    return _rate(entry, "games")


def _rate(entry: dict[str, Any] | None, name: str) -> float | None:
    """So many a second, None where it was not counted."""
    if not entry or not entry.get("seconds"):
        return None
    amount = entry.get(name, entry.get("stats", {}).get(name))
    return amount / entry["seconds"] if amount else None


def _short(value: float) -> str:
    return f"{value / 1e6:g}M" if value >= 1e6 else f"{value / 1e3:g}k" if value >= 1e3 else f"{value:g}"


# ------------------------------------------------------------------ facts


def _facts(manifest: Manifest, settings: RunSettings) -> dict[str, str]:
    net = ", ".join(f"{name} {value}" for name, value in settings.net.model_dump(exclude_defaults=True).items())
    rows = {
        "game": f"{manifest.game} ({manifest.ruleset}, {manifest.action_space}, features {manifest.feature_schema})",
        "begun": datetime.fromtimestamp(manifest.created_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "seed": str(manifest.seed),
        "search": settings.search.kind,
        "network": net or "the default one",
        "an iteration": f"{settings.selfplay.games:,} games, then a gate of {settings.gate.games}",
        "training": f"{manifest.train_steps:,} steps in all, batches of {settings.train.batch_size:,}",
        "best weights": (manifest.best or "none yet")[:HASH_DIGITS],
        "settings": manifest.settings_hash[:HASH_DIGITS],
        "code": manifest.commit or "not known",
    }
    return {name: value for name, value in rows.items() if value}


def _table(steps: list[Step]) -> str:
    """The iterations, the newest first."""
    if not steps:
        return ""
    has_oracle = any(step.entry.oracle for step in steps)
    columns = ["iteration", "minutes", "games", "samples", "loss", "gate", "interval", "promoted"]
    columns += ["points", "wins against best play"] if has_oracle else []
    rows = [_row(step, has_oracle) for step in reversed(steps)]
    is_open = " open" if len(rows) <= OPEN_ROWS else ""
    return f'<details class="card"{is_open}><summary>Iterations</summary>{html.table(columns, rows)}</details>'


def _row(step: Step, has_oracle: bool) -> list[str]:
    entry = step.entry
    selfplay, train, gate, oracle = entry.selfplay or {}, entry.train or {}, entry.gate or {}, entry.oracle or {}
    row = [
        f"{step.number}",
        f"{step.minutes:.1f}",
        f"{selfplay['games']:,}" if selfplay else "",
        f"{selfplay['samples']:,}" if selfplay else "",
        f"{train['loss_total']:.4f}" if "loss_total" in train else "",
        f"{gate['win_rate']:.1%}" if gate else "",
        f"{gate['wilson'][0]:.0%} to {gate['wilson'][1]:.0%}" if gate else "",
        ("yes" if gate["promote"] else "no") if gate else "",
    ]
    if has_oracle:
        row.append(f"{oracle['boards']['fair']['mean']:.2f}" if oracle else "")
        row.append(f"{oracle['against_oracle']['fair']['mean']:.1%}" if oracle else "")
    return row
