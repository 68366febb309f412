"""Games as JSON lines: one object a game, each phase with the position before it, so that a file can be played again.

    {"format": 1, "game_id": 0, "seed": ..., "winner": "france", ..., "final_dfen": ..., "phases": [{"dfen": ..., ...}, ...]}

A phase's DFEN with its orders leads to the next phase's DFEN, the last one's to `final_dfen`. `check.py` plays that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from playmill.core.documents import first_problem
from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import POWERS

T = TypeVar("T")
FORMAT: Literal[1] = 1  # of this layout
VALUE_DIGITS = 6  # of value estimates: finer than any of them is

Season = Literal["spring", "fall"]
Kind = Literal["movement", "retreat", "build"]
EndedBy = Literal["solo", "stalemate", "max_year", "draw", "unfinished"]
PEOPLES_ENDS = ("draw", "unfinished")  # of imported games: agreed upon, or left there

# The letters of a DFEN's phase.
SEASONS: dict[str, Season] = {"s": "spring", "f": "fall"}
KINDS: dict[str, Kind] = {"m": "movement", "r": "retreat", "b": "build"}


def _known_power(name: str) -> str:
    if name not in POWERS:
        raise ValueError(f"expected one of {', '.join(POWERS)}")
    return name


def _all_seven(by_power: dict[str, T]) -> dict[str, T]:
    missing = [power for power in POWERS if power not in by_power]
    if missing:
        raise ValueError(f"expected all seven powers, but {', '.join(missing)} is missing")
    return by_power


Power = Annotated[str, AfterValidator(_known_power)]
Counts = Annotated[dict[Power, Annotated[int, Field(ge=0, le=34)]], AfterValidator(_all_seven)]
Values = Annotated[dict[Power, Annotated[float, Field(ge=0, le=1)]], AfterValidator(_all_seven)]
Orders = dict[Power, str]


class _Strict(BaseModel):
    """No unknown keys, no text where a number belongs."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PhaseRecord(_Strict):
    """One phase: the position before it, and what was done."""

    dfen: str = Field(description="The position before the phase.")
    year: int = Field(ge=1901)
    season: Season
    phase: Kind
    orders: Orders = Field(description="DSON by power; a power with nothing to order is left out.")
    advised: Orders = Field({}, description="What the search wanted, for the powers whose orders were random ones.")
    values: Values = Field(description="What each power was expected to get, a share of 1.")
    sc_counts: Counts = Field(description="Centres by power before the phase.")


class Quality(_Strict):
    """What was noticed about a game; an early one keeps it out of the main file."""

    stalemate: bool = Field(description="Three years without a centre changing its owner.")
    early_stalemate: bool = Field(description="That before min_stalemate_year.")
    early_domination: bool = Field(description="Somebody had domination_centres before domination_year.")

    @property
    def reasons(self) -> list[str]:
        """Why the game is left out; none if it is kept."""
        return [name for name in ("early_stalemate", "early_domination") if getattr(self, name)]


class GameRecord(_Strict):
    """One game."""

    format: Literal[1] = FORMAT
    game_id: int = Field(ge=0, description="Its number in the run.")
    seed: int = Field(ge=0, description="The game's own, from the run's seed and its number; under 2**53.")
    reproducible: bool = Field(description="Whether the same settings give this game again: not if a clock ended searches.")
    winner: Power | None = Field(description="Who has 18 centres; null for a draw.")
    ended_by: EndedBy
    final_year: int = Field(ge=1901, description="The last year that was played.")
    final_sc_counts: Counts
    final_dfen: str = Field(description="The position after the last phase.")
    quality: Quality
    settings: dict[str, Any] = Field(description="What it was made with, the budget and the run's seed among it.")
    phases: list[PhaseRecord] = Field(min_length=1)

    def line(self) -> bytes:
        """The record as a line of a file."""
        return self.model_dump_json().encode() + b"\n"


def powers_dict(values: Iterable[T]) -> dict[str, T]:
    """Seven values in the powers' order, by name."""
    return dict(zip(POWERS, values, strict=True))


def describe_phase(dfen: str) -> tuple[int, Season, Kind]:
    """Year, season and kind of the phase of a DFEN."""
    return int(dfen[:4]), SEASONS[dfen[4]], KINDS[dfen[5]]


# ------------------------------------------------------------------ reading


def read_records(path: Path, skip_torn: bool = False) -> Iterator[GameRecord]:
    """The games of a file; an error names the line and the field."""
    for number, line in read_lines(path, skip_torn):
        yield read_record(line, f"{path}: line {number}")


def read_lines(path: Path, skip_torn: bool = False) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, from 1 on.

    A last line without its end was torn by a kill, or is just being written: an error, unless it is to be skipped.
    """
    for number, line in enumerate(_lines(path), 1):
        if not line.endswith(b"\n"):
            if skip_torn:
                return
            raise UsageError(f"{path}: line {number}: expected a whole line, got {len(line)} bytes without an end")
        yield number, line


def read_record(line: bytes, where: str) -> GameRecord:
    """The game of one line; `where` begins the message of an error."""
    try:
        return GameRecord.model_validate_json(line)
    except ValidationError as error:
        raise UsageError(f"{where}: {first_problem(GameRecord, error)}") from None


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise UsageError(f"{path}: can't be read ({error.strerror})") from error
