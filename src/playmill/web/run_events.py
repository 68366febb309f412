"""A run's events as lines for people; a file that has not grown is not read again."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from playmill.packs.event_text import HEAD, event_line, is_trouble
from playmill.pipeline.roles import NAMES, roles_in
from playmill.runs.folder import PHASES
from playmill.runs.view import RunView
from playmill.search.roles import Roles

MOST = 200  # events in an answer; older ones are left out
LONGEST = 300  # characters of a line
KNOWN_HEADS = {*PHASES.values(), "training begins", "validation", "replay"}  # of lines, that the titles say already
TITLES = {
    "selfplay_done": "self-play", "train_plan": "training begins", "train_step": "training", "train_done": "trained",
    "train_validation": "validation", "gate_done": "gate", "measure_done": "measured", "replay_prune": "replay",
    "model_reload": "network", "server_restart": "server",
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
        news = [event for event in events[count:] if not _is_idle(event)][-MOST:]
        roles = roles_in(view.config) if news else NAMES
        return {"next": len(events), "lines": [_line(event, view.manifest.game, roles) for event in news]}


def _line(event: dict[str, Any], game: str, roles: Roles) -> dict[str, Any]:
    name = str(event["event"])
    iteration = event.get("iteration")
    return {
        "time_ms": event.get("ts_ms"),
        "iteration": iteration + 1 if isinstance(iteration, int) else None,
        "title": TITLES.get(name, name.replace("_", " ")),
        "words": _words(event, game, roles),
        "is_promotion": bool(name == "gate_done" and event.get("promote")),
        "is_trouble": is_trouble(event),
    }


def _is_idle(event: dict[str, Any]) -> bool:
    """Whether nothing happened: a look at the replay that had no shard to remove."""
    return event["event"] == "replay_prune" and event.get("removed") == []


def _words(event: dict[str, Any], game: str, roles: Roles) -> str:
    """What happened; an event that this page does not know is told by its plain values."""
    with suppress(KeyError, TypeError, ValueError):  # another playmill's event of the same name
        if event["event"] == "train_step":
            done = event.get("steps_done", event["step"])
            return f"step {done:,} of {event['steps_target']:,}, loss {event['loss_total']:.4f}"
    if line := event_line(event, game, roles):
        head, colon, words = line.partition(": ")
        return words if colon and head in KNOWN_HEADS else line
    plain = {key: value for key, value in event.items() if key not in HEAD and isinstance(value, str | int | float)}
    parts = [f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in plain.items()]
    return ", ".join(parts)[:LONGEST]
