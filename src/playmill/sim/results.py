"""What a playout is asked for and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from playmill.core.errors import UsageError, require_positive
from playmill.games.state import State


class TerminalReason(IntEnum):
    """Why a playout ended."""

    NO_MOVES = 0  # the policy offered nothing, or nothing that is legal; a finished game always ends so
    MAX_EVENTS = 1
    TIME_LIMIT = 2
    STOPPED = 3  # cancelled by the caller

    def __str__(self) -> str:
        return self.name

    def __format__(self, form: str) -> str:
        return format(self.name, form)


@dataclass(frozen=True)
class PlayoutOptions:
    """Caps on one playout, and whether to keep the way."""

    max_events: int | None = None
    """Stop after so many applied actions; None: no cap."""
    time_limit_s: float | None = None
    """Stop after so many seconds of wall time; None: no cap. The one option whose results depend on the machine."""
    capture_trace: bool = False
    """Keep every state, the first and the last included, and the actions between them."""

    def __post_init__(self) -> None:
        if self.max_events is not None:
            require_positive("max_events", self.max_events)
        if self.time_limit_s is not None and not self.time_limit_s > 0:
            raise UsageError(f"time_limit_s: expected a number of seconds above 0, got {self.time_limit_s!r}")


@dataclass(frozen=True)
class PlayoutResult:
    """One playout. `trace` has one state more than `actions`; both are None unless they were asked for."""

    initial: State
    final: State
    applied: int
    rejected: int
    reason: TerminalReason
    trace: tuple[State, ...] | None = None
    actions: tuple[int, ...] | None = None
