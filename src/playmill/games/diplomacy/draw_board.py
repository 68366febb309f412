"""A board, or a phase with its orders, as a map."""

from __future__ import annotations

from dataclasses import replace

from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.draw import DrawnOrder, Position, draw_svg
from playmill.games.diplomacy.geography import ARMY, LETTERS, LOCATIONS, NOBODY, PROVINCES
from playmill.games.diplomacy.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
)
from playmill.games.diplomacy.outcome import Verdict
from playmill.games.diplomacy.plain import Plain, parts
from playmill.games.diplomacy.state import PHASES
from playmill.games.diplomacy.verdicts import (
    CONVOY_BROKEN,
    NO_CONVOY,
    NO_UNIT,
    PARADOX,
    SECOND_ORDER,
    SUCCEEDED,
    WRONG_PHASE,
)

KINDS = {
    HOLD: "hold",
    MOVE: "move",
    SUPPORT_HOLD: "support_hold",
    SUPPORT_MOVE: "support_move",
    CONVOY: "convoy",
    RETREAT: "retreat",
    DISBAND: "disband",
    BUILD: "build",
    REMOVE: "remove",
}
WORDS = {
    "sm": "Spring {}, movement",
    "sr": "Spring {}, retreats",
    "fm": "Fall {}, movement",
    "fr": "Fall {}, retreats",
    "fb": "Fall {}, builds",
}
STRANDED = (NO_CONVOY, CONVOY_BROKEN, PARADOX)
NOWHERE = (NO_UNIT, SECOND_ORDER, WRONG_PHASE)  # orders that no unit on the map tries to carry out


def draw_board(board: Board, width: int = 800, title: str = "Diplomacy") -> str:
    """The position as SVG, and the orders given in it with what becomes of them."""
    verdicts = board.adjudicate().verdicts if board.given else ()
    beaten = frozenset(LOCATIONS[_stand(verdict, board.plain)] for verdict in verdicts if verdict.is_dislodged)
    drawn = [_drawn(verdict) for verdict in verdicts if _is_drawn(verdict)]
    return draw_svg(replace(position_of(board.plain), beaten=beaten), drawn, width, title)


def _stand(verdict: Verdict, state: Plain) -> int:
    """Where the unit of an order stands, whatever coast the order names."""
    return state.at[parts(verdict.order).province]


def position_of(state: Plain) -> Position:
    """What stands where."""
    return Position(
        units=_units(state.kind, state.power, state.at),
        dislodged=_units(state.out_kind, state.out_power, state.out_at),
        centres={PROVINCES[p]: LETTERS[owner] for p, owner in enumerate(state.owner) if owner != NOBODY},
        caption=WORDS[PHASES[state.phase]].format(state.year),
    )


def _units(kinds: list[int], powers: list[int], places: list[int]) -> dict[str, tuple[str, str]]:
    return {LOCATIONS[places[p]]: (LETTERS[powers[p]], _letter(kind)) for p, kind in enumerate(kinds) if kind}


def _letter(kind: int) -> str:
    return "a" if kind == ARMY else "f"


def _is_drawn(verdict: Verdict) -> bool:
    return verdict.given and parts(verdict.order).kind in KINDS and verdict.reason not in NOWHERE


def _drawn(verdict: Verdict) -> DrawnOrder:
    order = parts(verdict.order)
    return DrawnOrder(
        kind=KINDS[order.kind],
        at=LOCATIONS[order.location],
        aux=LOCATIONS[order.auxiliary] if order.kind in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY) else "",
        target=LOCATIONS[order.target] if order.kind in (MOVE, SUPPORT_MOVE, CONVOY, RETREAT) else "",
        ok=verdict.verdict == SUCCEEDED,
        via_convoy=bool(order.via),
        unit=_letter(order.auxiliary) if order.kind == BUILD else "",
        is_stranded=order.kind == MOVE and verdict.verdict in STRANDED,
    )
