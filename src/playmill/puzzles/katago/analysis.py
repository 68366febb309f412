"""What the engine answered about a position. Its numbers are Black's; whoever reads one names the side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playmill.core.errors import PlaymillError
from playmill.games.go.board import BLACK
from playmill.games.go.board_text import read_point
from playmill.games.go.geometry import place_of

REPORTED_AS = "BLACK"


@dataclass(frozen=True)
class MoveInfo:
    """A first move that the engine looked at: a cell or 0 for a pass, its visits, its prior and what it would lead to."""

    cell: int
    visits: int
    prior: float
    black_winrate: float
    black_lead: float
    line: tuple[int, ...]  # of moves that the engine expects, this one first

    def winrate(self, colour: int) -> float:
        """The chance to win after this move, from 0 to 1, of a side."""
        return self.black_winrate if colour == BLACK else 1.0 - self.black_winrate

    def lead(self, colour: int) -> float:
        """By how many points a side leads after this move."""
        return self.black_lead if colour == BLACK else -self.black_lead


@dataclass(frozen=True)
class Analysis:
    """The engine's answer. `moves` are in its order, the best first; `owners` has a number for each point by rows, or none."""

    size: int
    visits: int
    black_winrate: float
    black_lead: float
    moves: tuple[MoveInfo, ...]
    owners: tuple[float, ...] = ()

    def winrate(self, colour: int) -> float:
        """The chance of a side to win, from 0 to 1."""
        return self.black_winrate if colour == BLACK else 1.0 - self.black_winrate

    def lead(self, colour: int) -> float:
        """By how many points a side leads."""
        return self.black_lead if colour == BLACK else -self.black_lead

    def owns(self, cell: int, colour: int) -> float:
        """How far a point belongs to a side at the end, from -1 (the other's for sure) to 1."""
        row, column = place_of(self.size, cell)
        owner = self.owners[row * self.size + column]
        return owner if colour == BLACK else -owner


def parse_analysis(reply: dict[str, Any], size: int) -> Analysis:
    """The answer in an engine's line, or an error that says that it is none."""
    try:
        root = reply["rootInfo"]
        moves = sorted(reply["moveInfos"], key=lambda info: int(info["order"]))
        owners = tuple(float(owner) for owner in reply.get("ownership", ()))
        return Analysis(
            size, int(root["visits"]), float(root["winrate"]), float(root["scoreLead"]),
            tuple(_move(info, size) for info in moves), owners,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PlaymillError(
            f"katago: expected an answer with rootInfo and moveInfos, but {type(error).__name__}: {error}"
        ) from None


def _move(info: dict[str, Any], size: int) -> MoveInfo:
    line = tuple(_cell(name, size) for name in info["pv"])
    return MoveInfo(
        _cell(info["move"], size),
        int(info["visits"]),
        float(info["prior"]),
        float(info["winrate"]),
        float(info["scoreLead"]),
        line,
    )


def _cell(name: str, size: int) -> int:
    return 0 if name.lower() == "pass" else read_point(size, name)
