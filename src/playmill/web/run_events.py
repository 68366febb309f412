"""A run's events as lines for people; a file that has not grown is not read again."""

from __future__ import annotations

import threading
from typing import Any

from playmill.packs.shown import words_of
from playmill.runs.view import RunView

MOST = 200  # events in an answer; older ones are left out
LONGEST = 300  # characters of a line
HEAD = {"event", "ts_ms", "run_id", "v", "config_hash", "commit", "iteration"}
TITLES = {
    "selfplay_done": "self-play", "train_plan": "training begins", "train_step": "training", "train_done": "trained",
    "gate_done": "gate", "measure_done": "measured", "replay_prune": "pruned",
}  # fmt: skip


class EventShelf:
    """The events of runs as they were read last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read: dict[str, tuple[int, list[dict[str, Any]]]] = {}

    def after(self, view: RunView, count: int) -> dict[str, Any]:
        """Those that came after the first `count`, at most the last 200 of them; and how many there are now."""
        name, path = str(view.folder.root), view.folder.metrics
        size = path.stat().st_size if path.exists() else 0
        with self._lock:
            if self._read.get(name, (-1, []))[0] != size:
                self._read[name] = size, list(view.events())
            events = self._read[name][1]
        count = count if count <= len(events) else 0  # a run that was begun anew
        return {"next": len(events), "lines": [_line(event, view) for event in events[count:][-MOST:]]}


def _line(event: dict[str, Any], view: RunView) -> dict[str, Any]:
    name = str(event["event"])
    iteration = event.get("iteration")
    return {
        "time_ms": event.get("ts_ms"),
        "iteration": iteration + 1 if isinstance(iteration, int) else None,
        "title": TITLES.get(name, name.replace("_", " ")),
        "words": _words(name, event, view),
        "is_promotion": bool(name == "gate_done" and event.get("promote")),
    }


def _words(name: str, event: dict[str, Any], view: RunView) -> str:
    """What happened; an event that this page does not know is told by its plain values."""
    try:
        match name:
            case "selfplay_done":
                rate = "" if event["games_s"] is None else f", {event['games_s']:,.1f} games/s"
                return f"{event['games']:,} games, {event['samples']:,} samples{rate}"
            case "train_plan":
                return f"{event['steps_target']:,} steps on {event['samples']:,} samples"
            case "train_step":
                return f"step {event['step']:,} of {event['steps_target']:,}, loss {event['loss_total']:.4f}"
            case "train_done":
                return ", ".join(f"{loss} {value:.4f}" for loss, value in event["losses"].items())
            case "gate_done":
                verdict = "promoted" if event["promote"] else "not promoted"
                return f"{event['win_rate']:.1%} of {event['games']:,} games, {verdict}: {event['reason']}"
            case "measure_done":
                entry = view.manifest.iterations[event["iteration"]].measure
                return words_of(entry, view.manifest.game) if entry else ""
    except (KeyError, IndexError, TypeError, ValueError):
        pass  # another playmill's event of the same name
    plain = {key: value for key, value in event.items() if key not in HEAD and isinstance(value, str | int | float)}
    parts = [f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in plain.items()]
    return ", ".join(parts)[:LONGEST]
