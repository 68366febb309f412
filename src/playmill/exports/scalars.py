"""The numbers in an event, by name: `gate_done` with `win_rate` is `gate/win_rate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from playmill.core.evaluation import BATCHES_LE

HEAD = ("event", "ts_ms", "run_id", "v", "config_hash", "commit", "iteration", "step")
NO_MEASUREMENTS = ("seed", "number", "settings", "snapshot")  # what was asked for, not what came of it
COUNTS_BY_SIZE = (BATCHES_LE, "reused_from_")  # parts of histograms: which there are differs from iteration to iteration
PAIR = {"interval": ("low", "high")}  # lists that are numbers with names; others (histograms) are no scalars

Scalars = dict[str, float]


def scalars_of(event: Mapping[str, Any]) -> Scalars:
    """Every number of an event under the path that leads to it; yes and no are 1 and 0. A plan has none."""
    kind = str(event["event"])
    if kind == "train_plan":
        return {}
    fields = {name: value for name, value in event.items() if name not in HEAD}
    return dict(_flat(fields, kind.removesuffix("_done")))


def row_of(event: Mapping[str, Any]) -> dict[str, float]:
    """An `iteration` event as one row: the iteration's number, and the numbers of its phases."""
    phases = {name: value for name, value in event.items() if name not in HEAD and value is not None}
    return {"iteration": int(event["number"]), **dict(_flat(phases, ""))}


def _flat(value: Any, path: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name in PAIR and isinstance(part, list):
                part = dict(zip(PAIR[name], part, strict=False))
            if name not in NO_MEASUREMENTS and not str(name).startswith(COUNTS_BY_SIZE):
                yield from _flat(part, f"{path}/{name}" if path else str(name))
    elif isinstance(value, bool | int | float):
        yield path, int(value) if isinstance(value, bool) else value
