"""A recorded game of Diplomacy, phase by phase, as text."""

from __future__ import annotations

import re
from pathlib import Path

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dfen import EMPTY
from playmill.games.diplomacy.geography import LETTERS, POWERS
from playmill.packs.diplomacy.selfplay.records import GameRecord, PhaseRecord, read_lines, read_record

NUMBER = re.compile(rb'"game_id":\s*(\d+)')


def game_numbers(path: Path) -> list[int]:
    """The numbers of the games in a file; each line begins with its own."""
    return [int(found[1]) for _, line in read_lines(path, skip_torn=True) if (found := NUMBER.search(line))]


def open_pages(path: Path, number: int) -> PhasePages:
    """The game of that number."""
    for place, line in read_lines(path, skip_torn=True):
        found = NUMBER.search(line)
        if found and int(found[1]) == number:
            return PhasePages(read_record(line, f"{path}: line {place}"), path.name)
    raise UsageError(f"{path}: expected a game {number}, got none")


class PhasePages:
    """A `ShownGame`: its places are the positions before each phase, and the one at the end."""

    def __init__(self, record: GameRecord, source: str) -> None:
        self.record, self.source = record, source

    @property
    def title(self) -> str:
        record = self.record
        end = f"{record.winner} won" if record.winner else f"no winner ({record.ended_by})"
        return f"diplomacy, {self.source}, game {record.game_id}, seed {record.seed}: {end} in {record.final_year}"

    @property
    def last(self) -> int:
        return len(self.record.phases)

    def board(self, place: int) -> str:
        """Centres and units of each power that is left, and the position in a line to copy."""
        phases = self.record.phases
        board = Board.from_dfen(phases[place].dfen if place < len(phases) else self.record.final_dfen)
        _, units, _, dislodged, *_ = board.dfen.split("/")
        rows = [(f"{power.capitalize()} {count}", _units(units, power)) for power, count in board.centres.items()]
        lines = [f"{head:<12}{units}".rstrip() for head, units in rows if units or not head.endswith(" 0")]
        lines += [f"{'dislodged':<12}{_dislodged(unit)}" for unit in dislodged.split(",") if unit != EMPTY]
        return "\n".join([*lines, "", board.dfen])

    def lines(self, place: int) -> list[str]:
        phases = self.record.phases
        if place == self.last:
            counts = _counted(self.record.final_sc_counts)
            return [f"the end: {self.title.rpartition(': ')[2]}", f"centres: {counts}"]
        phase = phases[place]
        head = f"{phase.season} {phase.year}, {phase.phase}: centres {_counted(phase.sc_counts)}"
        return [head, f"expected: {_expected(phase)}", *(f"{power}: {orders}" for power, orders in phase.orders.items())]


def _units(field: str, power: str) -> str:
    """Those of a power, as orders write them: `A vie, F tri`; a DFEN has `Aavie,Aftri`."""
    letter = LETTERS[POWERS.index(power)]
    return ", ".join(_unit(unit) for unit in field.split(",") if unit[0] == letter)


def _unit(text: str) -> str:
    return f"{text[1].upper()} {text[2:].replace('.', '/')}"


def _dislodged(text: str) -> str:
    """`Russia F ber, from mun`; a DFEN has `Rfber<mun`."""
    unit, _, attacker = text.partition("<")
    return f"{POWERS[LETTERS.index(unit[0])].capitalize()} {_unit(unit)}, from {attacker}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{power} {count}" for power, count in counts.items() if count)


def _expected(phase: PhaseRecord) -> str:
    best = sorted(phase.values.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{power} {value:.0%}" for power, value in best if value > 0)
