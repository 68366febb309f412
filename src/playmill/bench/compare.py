"""Two runs side by side: what got better or worse by more than noise."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.core.documents import parse_object, read_text
from playmill.core.errors import UsageError

NOISE = 0.10  # the same code differs by about so much from run to run on a shared machine

Line = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One benchmark then and now; `old` is None where it was not measured, or in another unit."""

    name: str
    unit: str
    old: float | None
    new: float

    @property
    def ratio(self) -> float | None:
        return self.new / self.old if self.old else None

    @property
    def verdict(self) -> str:
        """ "better" or "worse" if the change is beyond noise, else nothing."""
        if self.ratio is None or 1 / (1 + NOISE) <= self.ratio <= 1 + NOISE:
            return ""
        return "better" if (self.ratio > 1) == _more_is_better(self.unit) else "worse"


def _more_is_better(unit: str) -> bool:
    """Rates and speed-ups should grow; seconds and megabytes should shrink."""
    return unit.endswith("/s") or unit == "x"


def changes(old: Iterable[Line], new: Iterable[Line]) -> list[Change]:
    """One row for each new line; of old lines with one name the last counts."""
    before = {(line["name"], line["unit"]): float(line["rate"]) for line in old}
    return [Change(line["name"], line["unit"], before.get((line["name"], line["unit"])), float(line["rate"])) for line in new]


def other_machines(old: Iterable[Line], new: Iterable[Line]) -> bool:
    """Whether some of the lines come from different machines or versions, so that ratios say little about the code."""
    return len({json.dumps(line.get("machine"), sort_keys=True) for line in (*old, *new)}) > 1


def read_results(path: Path) -> list[Line]:
    """The lines that `bench --out` wrote; an error names the line and what it should be."""
    text = read_text(path)
    lines = [_parsed(f"{path}: line {number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise UsageError(f"{path}: expected at least one line of `playmill bench --out`, got an empty file")
    return lines


def _parsed(where: str, text: str) -> Line:
    line = parse_object(text, where)
    if not _is_result(line):
        got = text if len(text) <= 60 else text[:57] + "..."
        raise UsageError(f"{where}: expected a JSON object with name, rate (a number) and unit, got '{got}'")
    return line


def _is_result(line: Line) -> bool:
    rate = line.get("rate")
    has_rate = isinstance(rate, int | float) and not isinstance(rate, bool)
    return has_rate and isinstance(line.get("name"), str) and isinstance(line.get("unit"), str)
