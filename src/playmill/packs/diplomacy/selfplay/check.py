"""Plays recorded games again: every phase's orders, adjudicated, must lead to the next recorded position."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from playmill.core.documents import fit
from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.geography import CENTRES
from playmill.games.diplomacy.verdicts import ILLEGAL
from playmill.packs.diplomacy.selfplay.quality import Watch
from playmill.packs.diplomacy.selfplay.records import (
    PEOPLES_ENDS,
    GameRecord,
    Orders,
    PhaseRecord,
    Quality,
    describe_phase,
    read_records,
)
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings

WIDTH = 120  # of a value in a message


def check_file(path: Path, totals: Counter[str]) -> Iterator[str]:
    """The problems of a file, one line each; `totals` counts games, phases and orders as they are read.

    A line that can't be read ends it with an error, since what follows may not be games at all.
    """
    last = -1
    for number, record in enumerate(read_records(path), 1):
        totals["games"] += 1
        totals["phases"] += len(record.phases)
        totals["orders"] += sum(text.count(";") + 1 for phase in record.phases for text in phase.orders.values())
        where = f"{path}: line {number}"
        if record.game_id <= last:
            yield f"{where}: game_id: expected above {last}, got {record.game_id}"
        last = record.game_id
        yield from (f"{where}: {problem}" for problem in check_record(record))


def check_record(record: GameRecord) -> list[str]:
    """What is wrong with a game; nothing if it is as the rules say."""
    try:
        settings = fit(DiplomacyGameSettings, "settings", record.settings)
    except UsageError as error:
        return [str(error)]
    ends = [phase.dfen for phase in record.phases[1:]] + [record.final_dfen]
    start = Board.start(settings.rules).dfen
    problems = _differs("phases.0.dfen", start, record.phases[0].dfen)
    for number, (phase, end) in enumerate(zip(record.phases, ends, strict=True)):
        try:
            problems += _check_phase(f"phases.{number}", phase, end, settings.rules)
        except UsageError as error:
            problems.append(f"phases.{number}: {error}")
    try:
        return problems + _check_end(record, settings)
    except UsageError as error:
        return [*problems, f"final_dfen: {error}"]


def _check_phase(where: str, phase: PhaseRecord, end: str, rules: str) -> list[str]:
    board = Board.from_dfen(phase.dfen, rules)
    said = f"{phase.year} {phase.season} {phase.phase}"
    problems = _differs(f"{where}.dfen", board.dfen, phase.dfen)
    problems += _differs(f"{where}: year, season, phase", " ".join(map(str, describe_phase(phase.dfen))), said)
    problems += _differs(f"{where}.sc_counts", board.centres, phase.sc_counts)
    problems += _illegal(f"{where}.advised", board, phase.advised)
    outcome = board.orders(phase.orders).adjudicate()
    problems += [f"{where}.orders: '{v.text}': {outcome.words(v)[0]}" for v in outcome.verdicts if v.verdict == ILLEGAL]
    return problems + _moved(f"{where}: position after it", outcome.next.dfen, end)


def _illegal(where: str, board: Board, orders: Orders) -> list[str]:
    """The advice that could not have been played."""
    if not orders:
        return []
    outcome = board.orders(orders).adjudicate()
    return [f"{where}: '{v.text}': {outcome.words(v)[0]}" for v in outcome.verdicts if v.verdict == ILLEGAL]


def _check_end(record: GameRecord, settings: DiplomacyGameSettings) -> list[str]:
    board = Board.from_dfen(record.final_dfen, settings.rules)
    quality = judge([phase.dfen for phase in record.phases], record.final_dfen, settings)
    problems = _differs("winner", board.winner, record.winner)
    problems += _differs("final_sc_counts", board.centres, record.final_sc_counts)
    problems += _differs("final_year", record.phases[-1].year, record.final_year)
    problems += _differs("quality", quality.model_dump(), record.quality.model_dump())
    is_late = board.year > settings.max_year
    expected = "solo" if board.winner else "stalemate" if quality.stalemate else "max_year" if is_late else "nothing"
    if record.ended_by in PEOPLES_ENDS and not board.winner:
        return problems  # people may stop at any time
    return problems + _differs("ended_by", expected, record.ended_by)


def judge(dfens: Sequence[str], final: str, settings: DiplomacyGameSettings) -> Quality:
    """The game's quality, judged from its positions alone: those before each phase, and the last."""
    watch = Watch(settings, _owners(dfens[0]))
    for dfen, end in itertools.pairwise([*dfens, final]):
        year = int(dfen[:4])
        if int(end[:4]) > year or (end is final and Board.from_dfen(end).winner):
            watch.end_year(year, _owners(end))
    return watch.quality()


def _owners(dfen: str) -> list[int]:
    owner = Board.from_dfen(dfen).plain.owner
    return [owner[province] for province in CENTRES.tolist()]


def _moved(where: str, expected: str, got: str) -> list[str]:
    """How two positions differ: what is in one and not in the other, as they are too long to be compared by eye."""
    wanted, there = re.split("[/,]", expected), re.split("[/,]", got)
    missing, extra = [item for item in wanted if item not in there], [item for item in there if item not in wanted]
    if not missing and not extra:
        return _differs(where, expected, got)
    return _differs(where, " ".join(missing) or "nothing more", " ".join(extra) or "nothing more")


def _differs(where: str, expected: object, got: object) -> list[str]:
    if expected == got:
        return []
    return [f"{where}: expected {expected!s:.{WIDTH}}, got {got!s:.{WIDTH}}"]
