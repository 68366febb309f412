"""Finds out how far a run came that was stopped or killed, from the files it left.

A game is finished if it has its line, in OUTPUT if it was kept and in OUTPUT.rejected if not. As games are written in the order
of their numbers, one that is missing between two lines of OUTPUT was rejected, too, even if the other file is gone. Of the
rejected ones that follow the last line of OUTPUT, those count that leave no gap. A torn last line is not finished.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playmill.core.documents import parse_json, parse_object
from playmill.core.errors import UsageError
from playmill.packs.diplomacy.selfplay.records import GameRecord, read_record
from playmill.packs.diplomacy.selfplay.settings import require_same
from playmill.packs.diplomacy.selfplay.tally import GameTally

SIDE_SUFFIX = ".rejected"
UNRECORDED = "unrecorded"  # the reason of a rejected game whose short line is gone

Reasons = dict[int, list[str]]


@dataclass
class FileStanding:
    """How far a run is: the first game that isn't finished, which were rejected and why, and where OUTPUT's last line ends."""

    next_game: int = 0
    rejected: Reasons = field(default_factory=dict)
    tally: GameTally = field(default_factory=GameTally)
    end: int = 0
    notes: list[str] = field(default_factory=list)


def side_path(path: Path) -> Path:
    """OUTPUT.rejected."""
    return path.with_name(path.name + SIDE_SUFFIX)


def side_header(settings: dict[str, Any]) -> bytes:
    return json.dumps({"settings": settings}).encode() + b"\n"


def side_line(number: int, reasons: list[str]) -> bytes:
    return json.dumps({"game_id": number, "reasons": reasons}).encode() + b"\n"


def find_standing(path: Path, settings: dict[str, Any]) -> FileStanding:
    """How far the files at `path` are; refuses files of other settings and such as no run leaves."""
    standing = FileStanding()
    kept = _read_kept(path, settings, standing)
    listed = _read_side(side_path(path), settings, standing.notes)
    last = kept[-1] if kept else -1
    there = set(kept)
    standing.rejected = {n: listed.get(n, [UNRECORDED]) for n in range(last + 1) if n not in there}
    standing.next_game = last + 1
    while standing.next_game in listed:
        standing.rejected[standing.next_game] = listed[standing.next_game]
        standing.next_game += 1
    for reasons in standing.rejected.values():
        standing.tally.reject(reasons)
    return standing


def whole_lines(path: Path, notes: list[str]) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; a torn last one is left out and noted."""
    if not path.exists():
        return
    size, end = path.stat().st_size, 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            end += len(line)
            if end == size and _is_torn(line):
                notes.append(f"{path}: line {number}: dropped a torn line of {len(line)} bytes; its game is played again")
                return
            yield number, line


def _is_torn(line: bytes) -> bool:
    """Whether a last line was cut short: the beginning of an object, or what a power cut leaves in its place."""
    if not line.strip(b"\0 \r\n"):
        return True
    if not line.startswith(b'{"'[: len(line)]):
        return False  # it never was a line of ours; reading it will say so
    try:
        parse_json(line, "")
    except UsageError:
        return True
    return not line.endswith(b"\n")


def _read_kept(path: Path, settings: dict[str, Any], standing: FileStanding) -> list[int]:
    """The numbers of the games in OUTPUT."""
    kept: list[int] = []
    for number, line in whole_lines(path, standing.notes):
        where = f"{path}: line {number}"
        record = read_record(line, where)
        require_same(where, record.settings, settings)
        _require_order(where, record, kept[-1] if kept else -1)
        kept.append(record.game_id)
        standing.tally.keep(record)
        standing.end += len(line)
    return kept


def _require_order(where: str, record: GameRecord, last: int) -> None:
    if record.game_id <= last:
        raise UsageError(f"{where}: game_id: expected above {last}, got {record.game_id}; this is no file that self-play left")
    if record.quality.reasons:
        raise UsageError(f"{where}: quality: expected a game that is kept, got {', '.join(record.quality.reasons)}")


def _read_side(path: Path, settings: dict[str, Any], notes: list[str]) -> Reasons:
    """The rejected games that OUTPUT.rejected lists."""
    lines = list(whole_lines(path, notes))
    if not lines:
        return {}
    rows = [_side_row(f"{path}: line {number}", line) for number, line in lines]
    if not isinstance(rows[0].get("settings"), dict):
        raise _bad_side(f"{path}: line 1", "settings", rows[0])
    require_same(str(path), rows[0]["settings"], settings)
    found: Reasons = {}
    for (number, _), row in zip(lines[1:], rows[1:], strict=True):
        if not isinstance(row.get("game_id"), int) or not isinstance(row.get("reasons"), list):
            raise _bad_side(f"{path}: line {number}", "game_id and reasons", row)
        found[row["game_id"]] = [str(reason) for reason in row["reasons"]]
    return found


def _side_row(where: str, line: bytes) -> dict[str, Any]:
    try:
        return parse_object(line, where)
    except UsageError:
        raise _bad_side(where, "a JSON object", line.decode(errors="replace").strip()) from None


def _bad_side(where: str, expected: str, got: object) -> UsageError:
    return UsageError(f"{where}: expected {expected}, got {got!r:.60}; remove the file to have its last games played again")
