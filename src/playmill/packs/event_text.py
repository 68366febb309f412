"""Events of a run in lines for people, as they happen."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from playmill.packs.phase_words import closing_line
from playmill.runs.entries import GateEntry, MeasureEntry, PhaseEntry, SelfPlayEntry, TrainEntry
from playmill.runs.folder import PHASES
from playmill.search.roles import Roles

ENTRIES: dict[str, type[PhaseEntry]] = {
    "selfplay": SelfPlayEntry,
    "train": TrainEntry,
    "gate": GateEntry,
    "measure": MeasureEntry,
}
HEAD = {"event", "ts_ms", "run_id", "v", "config_hash", "commit", "iteration", "step"}
SHORT = 8  # digits of a network's hash


def event_line(event: dict[str, Any], game: str, roles: Roles) -> str | None:
    """What an event says; None for those that tell nothing new to somebody who looks on."""
    name = event["event"]
    try:
        if name.endswith("_done"):
            return _phase_line(event, name.removesuffix("_done"), game, roles)
        tell = LINES.get(name)
        return None if tell is None else tell(event)
    except (KeyError, TypeError, ValueError, ValidationError):  # another version's
        return None


def is_trouble(event: dict[str, Any]) -> bool:
    """Whether it tells of a failure."""
    return event.get("ok") is False or event["event"] == "server_restart"


def _phase_line(event: dict[str, Any], phase: str, game: str, roles: Roles) -> str | None:
    if phase not in ENTRIES:
        return None
    fields = {key: value for key, value in event.items() if key not in HEAD}
    entry = ENTRIES[phase].model_validate(fields)
    return f"{PHASES[phase]}: {closing_line(entry, game, roles)}"


def _train_plan(event: dict[str, Any]) -> str:
    went_on = f", going on at {event['resumed_at']:,}" if event.get("resumed_at") else ""
    return f"training begins: {event['steps_target']:,} steps on {event['samples']:,} samples{went_on}"


def _validated(event: dict[str, Any]) -> str:
    hits = f"{event['accuracy']:.1%} of orders found in {event['games']:,} unseen games, {event['chance']:.1%} by blind guess"
    return f"validation: {hits}; value loss {event['value_loss']:.4f}, {event['even_value_loss']:.4f} if all were even"


def _pruned(event: dict[str, Any]) -> str | None:
    return f"replay: {len(event['removed'])} shards removed, {event['after']} kept" if event["removed"] else None


def _inference(event: dict[str, Any]) -> str:
    again = f", {event['sent_again']} parts asked again" if event["sent_again"] else ""
    return f"servers answered {event['rows']:,} rows in {PHASES.get(event['phase'], event['phase'])}{again}"


def _reload(event: dict[str, Any]) -> str:
    what = f"network {event['model'][:SHORT]} at {event['address']}"
    return f"{what}: loaded in {event['seconds']:.1f} s" if event["ok"] else f"{what}: not loaded, {event['error']}"


def _restart(event: dict[str, Any]) -> str:
    return f"the run's own server died and was started again ({event['restarts']} of {event['most']})"


LINES = {
    "train_plan": _train_plan,
    "train_validation": _validated,
    "replay_prune": _pruned,
    "inference": _inference,
    "model_reload": _reload,
    "server_restart": _restart,
}
