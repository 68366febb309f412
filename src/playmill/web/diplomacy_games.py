"""Diplomacy's recorded games: phases with their orders, and the map of each drawn when it is looked at."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from playmill.core.errors import UnknownName, UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.draw_board import draw_board
from playmill.packs.diplomacy.selfplay.records import GameRecord, PhaseRecord, read_records
from playmill.runs.view import RunView

GAME = "diplomacy"
WIDTH = 1000
ENDS = {
    "max_year": "the last year that was to be played",
    "stalemate": "nothing changed any more",
    "draw": "agreed upon",
    "unfinished": "left there",
}


def list_games(view: RunView) -> list[dict[str, Any]]:
    """The files of games, the newest first, as `list_shards` gives them; games are numbered by their place in the file."""
    rows = []
    for path in sorted(view.folder.games.glob("games_*.jsonl"), reverse=True):
        with path.open("rb") as file:
            games = sum(line.endswith(b"\n") for line in file)
        rows.append({"file": path.stem, "iteration": int(path.stem[6:]) + 1, "first": 0, "games": games, "players": []})
    return rows


def view_phases(view: RunView, file: str, number: int) -> dict[str, Any]:
    """A game's phases without their maps."""
    record = _record(view, file, number)
    return {
        "game": GAME,
        "number": record.game_id,
        "seed": str(record.seed),
        "source": f"{file}, game {record.game_id}",
        "result": _result(record),
        "final": record.final_sc_counts,
        "phases": [_phase(phase) for phase in record.phases],
    }


def draw_phase(view: RunView, file: str, number: int, phase: int) -> str:
    """The map before a phase with its orders and what became of them; after the last one, how it ended. SVG."""
    record = _record(view, file, number)
    if phase == len(record.phases):
        return draw_board(Board.from_dfen(record.final_dfen), WIDTH, "")
    if not 0 <= phase < len(record.phases):
        raise UsageError(f"phase: expected 0 to {len(record.phases)}, got {phase}")
    shown = record.phases[phase]
    return draw_board(Board.from_dfen(shown.dfen).orders(shown.orders), WIDTH, "")


def _result(record: GameRecord) -> str:
    if record.winner:
        return f"{record.winner.capitalize()} won in {record.final_year}"
    return f"No winner in {record.final_year}: {ENDS.get(record.ended_by, record.ended_by)}"


def _phase(phase: PhaseRecord) -> dict[str, Any]:
    words = {"movement": "movement", "retreat": "retreats", "build": "builds"}[phase.phase]
    return {
        "title": f"{phase.season.capitalize()} {phase.year}, {words}",
        "orders": {power: orders.split(" ; ") for power, orders in phase.orders.items()},
        "values": phase.values,
        "centres": phase.sc_counts,
    }


def _record(view: RunView, file: str, number: int) -> GameRecord:
    path: Path = view.folder.games / f"{file}.jsonl"
    if path.parent != view.folder.games or not path.is_file():
        raise UnknownName(f"{view.folder.games}: no file of games is called '{file:.80}'")
    record = next(islice(read_records(path, skip_torn=True), number, None), None)
    if record is None:
        raise UnknownName(f"{path.name}: there is no game {number}")
    return record
