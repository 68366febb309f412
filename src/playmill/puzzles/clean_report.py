"""The report of a cleaning: one JSON line for each file, in the order of the files. A line stands for work that is done."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playmill.core.disk import writing
from playmill.core.documents import parse_object
from playmill.core.errors import UsageError
from playmill.core.lines import append_line, drop_torn_line, open_alone

NAME = "clean.jsonl"
HEAD = {"format": "playmill.clean", "version": 1}
Row = dict[str, Any]


@dataclass
class CleanTally:
    """What the rows come to."""

    files: int = 0
    cleaned: int = 0  # games
    rejected: int = 0  # games, and files that have none
    moves: int = 0
    encodings: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        self.files += 1
        if row["encoding"]:
            self.encodings[row["encoding"]] += 1
        self.repairs.update(row["repairs"])
        for game in row["games"] if row["reason"] is None else [row]:
            if game["reason"] is not None:
                self.rejected += 1
                self.reasons[game["reason"]] += 1
            else:
                self.cleaned += 1
                self.moves += game["moves"]
                self.repairs.update(game["repairs"])


class CleanReport:
    """The open report: `done` has the rows that earlier runs wrote, by source."""

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path, self.tally = path, CleanTally()
        self.head = {**HEAD, **settings}
        self._file = open_alone(path)
        try:
            drop_torn_line(path)
            self.done = self._read()
            if not path.stat().st_size:
                self._append(self.head)
        except BaseException:
            self._file.close()
            raise

    def add(self, row: Row) -> None:
        """Append a row; its games have been written."""
        self._append(row)
        self.tally.add(row)

    def close(self) -> None:
        self._file.close()

    def _append(self, row: Mapping[str, Any]) -> None:
        with writing(self.path):
            append_line(self._file, (json.dumps(row, allow_nan=False) + "\n").encode())

    def _read(self) -> dict[str, Row]:
        done: dict[str, Row] = {}
        for number, row in read_rows(self.path):
            if number == 1:
                self._require_head(row)
            elif not _is_row(row):
                raise UsageError(f"{self.path}: line {number}: expected a row of a report; replace the report with --force")
            else:
                done[row["source"]] = row
                self.tally.add(row)
        return done

    def _require_head(self, row: Row) -> None:
        if row != self.head:
            expected, got = json.dumps(self.head), json.dumps(row)
            raise UsageError(f"{self.path}: line 1: expected {expected}, got {got:.100}; choose another place, or use --force")


@contextmanager
def open_report(folder: Path, settings: Mapping[str, Any]) -> Iterator[CleanReport]:
    """The folder's report, begun or gone on with."""
    report = CleanReport(folder / NAME, settings)
    try:
        yield report
    finally:
        report.close()


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The lines of a report with their numbers."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            yield number, parse_object(line, f"{path}: line {number}")


def _is_row(row: Row) -> bool:
    """Whether it is as `cleaning.py` writes it."""
    kinds = {"source": str, "sha256": str | None, "encoding": str | None, "repairs": list, "reason": str | None, "games": list}
    if not all(name in row and isinstance(row[name], kind) for name, kind in kinds.items()):
        return False
    return all(isinstance(game, dict) and isinstance(game.get("reason", 0), str | None) for game in row["games"])
