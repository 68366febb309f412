"""Saved games of the `diplomacy` package as our records: every phase is played again, and what ends otherwise is told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playmill.core.documents import parse_json, read_text
from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board, check_rules
from playmill.games.diplomacy.dson import SEPARATOR
from playmill.games.diplomacy.geography import POWERS
from playmill.games.diplomacy.outcome import Outcome
from playmill.games.diplomacy.package_games import read_saved_game
from playmill.games.diplomacy.package_json import COMPLETED, write_phase_name, write_state
from playmill.games.diplomacy.verdicts import ILLEGAL
from playmill.packs.diplomacy.selfplay.check import judge
from playmill.packs.diplomacy.selfplay.records import VALUE_DIGITS, EndedBy, GameRecord, PhaseRecord, describe_phase
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings

PLAYER = "imported"  # in the settings of a record
SEED_DIGITS = 13  # of a hash: 52 bits, so that readers with floats for numbers keep it whole


@dataclass(frozen=True)
class Imported:
    """One game: its record, or what our rules play otherwise; and how many of its orders were illegal."""

    name: str  # for messages
    record: GameRecord | None
    problems: list[str]
    illegal: int = 0


def import_files(paths: Iterable[Path], rules: str) -> Iterator[Imported]:
    """The games of all files, numbered through; one that can't be read is told as a problem, and the others go on."""
    check_rules(rules)
    number = 0
    for path in paths:
        for in_file, game in enumerate(read_games(path)):
            name = f"{path}: game {in_file}"
            try:
                found = import_game(game, number, rules)
                yield replace(found, name=name)
            except UsageError as error:
                yield Imported(name, None, [str(error)])
            number += 1


def read_games(path: Path) -> Iterator[Any]:
    """The games of a file: one JSON object, a list of them, or one a line."""
    text = read_text(path)
    try:
        whole = parse_json(text, str(path))
    except UsageError:
        whole = _read_lines(path, text)
    yield from whole if isinstance(whole, list) else [whole]


def _read_lines(path: Path, text: str) -> list[Any]:
    lines = enumerate(text.splitlines(), 1)
    return [parse_json(line, f"{path}: line {number}", what="a saved game as JSON") for number, line in lines if line.strip()]


def import_game(game: Mapping[str, Any], number: int, rules: str) -> Imported:
    """A saved game, played again phase by phase; with a difference there is no record, as it would not repeat."""
    boards = read_saved_game(game, rules)
    is_over = game["phases"][-1]["state"]["name"] == COMPLETED
    if is_over and not boards[-2].given:
        boards.pop()  # a draw was agreed upon in the phase before, which was not played
    outcomes, problems = _play_again(boards)
    if not outcomes:
        problems.append("phases: expected at least one that was played, got none")
    illegal = sum(verdict.verdict == ILLEGAL for outcome in outcomes for verdict in outcome.verdicts)
    name = str(game.get("id", number))
    return Imported(name, None if problems else _record(name, number, rules, outcomes, is_over), problems, illegal)


def _play_again(boards: list[Board]) -> tuple[list[Outcome], list[str]]:
    """Every phase by our rules, and a line for each that ends otherwise; from there it goes on as the file has it.

    Our own positions are kept while they agree: the file doesn't say where an attacker came from, and what a stand-off closed.
    """
    outcomes: list[Outcome] = []
    problems: list[str] = []
    board = Board.start(boards[0].rules)
    for number, there in enumerate(boards):
        found = _differences(f"phases.{number} ({write_phase_name(there)})", board, there)
        problems += found
        board = _bare(there) if found else board
        if number < len(boards) - 1:
            outcomes.append(_ordered(board, there).adjudicate())
            board = outcomes[-1].next
    return outcomes, problems


def _bare(board: Board) -> Board:
    return Board.from_dfen(board.dfen, board.rules)


def _ordered(board: Board, there: Board) -> Board:
    """The board with the orders of another one."""
    for given in there.given:
        board = board.orders(given.text, POWERS[given.power])
    return board


def _differences(where: str, ours: Board, there: Board) -> list[str]:
    expected, got = _seen(ours), _seen(there)
    missing, extra = [item for item in expected if item not in got], [item for item in got if item not in expected]
    if not missing and not extra:
        return []
    return [f"{where}: by our rules {', '.join(missing) or 'nothing more'}; there {', '.join(extra) or 'nothing more'}"]


def _seen(board: Board) -> list[str]:
    """What both sides know of a position: the phase, units and centres."""
    state = write_state(board, lost=False)
    units = [f"{power.capitalize()} {unit}" for power, units in state["units"].items() for unit in units]
    return [
        state["name"],
        *units,
        *(f"{power.capitalize()} owns {c}" for power, owned in state["centers"].items() for c in owned),
    ]


# ------------------------------------------------------------------ the record


def _record(name: str, number: int, rules: str, outcomes: list[Outcome], is_over: bool) -> GameRecord:
    settings = DiplomacyGameSettings(player=PLAYER, rules="2.x" if rules == "2.x" else "3.x", temperature=0)
    final = outcomes[-1].next
    ended_by: EndedBy = "solo" if final.winner else "draw" if is_over else "unfinished"
    return GameRecord(
        game_id=number,
        seed=int(hashlib.sha256(name.encode()).hexdigest()[:SEED_DIGITS], 16),
        reproducible=False,
        winner=final.winner,
        ended_by=ended_by,
        final_year=outcomes[-1].before.year,
        final_sc_counts=final.centres,
        final_dfen=final.dfen,
        quality=judge([outcome.before.dfen for outcome in outcomes], final.dfen, settings),
        settings=settings.as_json(),
        phases=[_phase_record(outcome) for outcome in outcomes],
    )


def _phase_record(outcome: Outcome) -> PhaseRecord:
    """A phase without its illegal orders, which are none; nobody's estimates are known, so centres stand for them."""
    board = outcome.before
    year, season, kind = describe_phase(board.dfen)
    orders: dict[str, list[str]] = {}
    for verdict in outcome.verdicts:
        if verdict.given and verdict.verdict != ILLEGAL:
            orders.setdefault(POWERS[verdict.power], []).append(verdict.text)
    return PhaseRecord(
        dfen=board.dfen,
        year=year,
        season=season,
        phase=kind,
        orders={power: SEPARATOR.join(texts) for power, texts in orders.items()},
        values=_shares(board),
        sc_counts=board.centres,
    )


def _shares(board: Board) -> dict[str, float]:
    """What a game that ended here would be worth: shares by the squares of the centres."""
    squares = {power: count**2 for power, count in board.centres.items()}
    total = max(sum(squares.values()), 1)
    return {power: round(square / total, VALUE_DIGITS) for power, square in squares.items()}
