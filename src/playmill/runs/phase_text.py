"""The phase of a run that is under way, in words; the display, screens and pages read it here."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.runs.folder import PHASES, Manifest
from playmill.runs.status import Status

SPARKS = "▁▂▃▄▅▆▇█"
STAGES = {"done": ("✓", "green"), "now": ("●", "bold cyan"), "later": ("○", "dim")}  # a mark, and Rich's style for it
UNITS = {"selfplay": "games", "train": "steps", "gate": "games", "measure": "games"}


def phase_stages(manifest: Manifest, phases: Sequence[str]) -> list[tuple[str, str]]:
    """The phases of an iteration as people say them, each with its stage: done, now or later."""
    current = manifest.iterations[-1] if manifest.iterations_done < len(manifest.iterations) else None
    stages = []
    for name in phases:
        is_done = manifest.phase == "done" or (current is not None and getattr(current, name) is not None)
        stages.append(("done" if is_done else "now" if manifest.phase == name else "later", PHASES[name]))
    return stages


def phase_facts(phase: str, status: Status) -> dict[str, str]:
    """What can be said of the phase so far, by its label: its speed, and its losses or its score."""
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
    searched = {"simulations/s": "{:,.0f}", "batch fill": "{:.0%}", "rows out": "{:,.0f}"}
    told = {
        label: form.format(facts[key])
        for label, form in searched.items()
        if (key := label.replace(" ", "_").replace("/", "_")) in facts
    }
    return {**speed, **told}


def _win_rate(facts: dict[str, float]) -> dict[str, str]:
    return {"win rate": f"{facts['win_rate']:.1%}"} if "win_rate" in facts else {}


def _test_words(facts: dict[str, float]) -> str:
    """Where the sequential test stands between its two bounds."""
    return f"{facts['ratio']:+.2f} in {facts['reject_at']:.2f} to {facts['accept_at']:.2f}"


def clock(seconds: float) -> str:
    """Seconds as a clock shows them."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def sparks(values: Sequence[float], low: float, high: float) -> str:
    """A block for each value, between the two levels."""
    places = [int((value - low) / max(high - low, 1e-9) * len(SPARKS)) for value in values]
    return "".join(SPARKS[min(max(place, 0), len(SPARKS) - 1)] for place in places)
