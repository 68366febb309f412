"""Saved games of the `diplomacy` package: written so that its own check (`is_valid_saved_game`) passes, and read.

The check plays every phase again by the package's rules, which are nearly the DATC's 2.x, and compares. So a game is written as
the package would have it: waives, orders that are illegal by either version and supports that failed for a coast are left out,
as are dislodged units that can go nowhere; an army that stays by 3.x, and by 2.x would go over land, is written as holding.
`DIFFERENT_ADJUDICATION` among the rules says that another adjudicator played, and lets the check pass over one phase that ended
otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.geography import ARMY, CAN_GO, POWERS
from playmill.games.diplomacy.order_words import shortened
from playmill.games.diplomacy.orders import DISBAND, HOLD, MOVE, RETREAT, SUPPORT_MOVE, WAIVE
from playmill.games.diplomacy.outcome import Outcome, Verdict
from playmill.games.diplomacy.package_json import (
    COMPLETED,
    State,
    field_of,
    read_package_orders,
    read_state,
    write_package_order,
    write_phase_name,
    write_state,
)
from playmill.games.diplomacy.plain import PROVINCE, joined, parts
from playmill.games.diplomacy.verdicts import CONVOY_BROKEN, ILLEGAL, NO_CONVOY, NOT_ON_ROUTE, VOID

RULES_THERE = "2.x"
MAP = "standard"


# ------------------------------------------------------------------ writing


def write_saved_game(boards: Iterable[Board], name: str = "playmill") -> dict[str, Any]:
    """A saved game of the package out of boards with their orders."""
    return {"id": name, "map": MAP, "rules": ["DIFFERENT_ADJUDICATION"], "phases": [_phase(board) for board in boards]}


def _phase(board: Board) -> dict[str, Any]:
    """A phase of a saved game; the package's reader wants the list of messages, even an empty one."""
    state = write_state(board, lost=False)
    return {"name": state["name"], "state": state, "orders": _orders(board, state), "results": {}, "messages": []}


def _orders(board: Board, state: State) -> dict[str, list[str]]:
    """The orders by power that the package takes and carries out to the same position."""
    found: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
    for verdict, order in _carried_out(board):
        power, text = POWERS[verdict.power].upper(), write_package_order(order, board)
        unit = " ".join(text.split()[:2])
        if parts(order).kind not in (RETREAT, DISBAND) or unit in state["retreats"][power]:
            found[power].append(text)
    return found


def _carried_out(board: Board) -> list[tuple[Verdict, int]]:
    """The orders that count, each as the package must be told it."""
    if not board.given:
        return []
    outcome = board.adjudicate()
    kept = [verdict for verdict in outcome.verdicts if verdict.given and _counts(verdict)]
    unknown = {
        v.order for v in _again(board, kept, "3.x").verdicts if v.reason == NOT_ON_ROUTE
    }  # there, a fleet must be needed
    kept = [verdict for verdict in kept if verdict.order not in unknown]
    is_same = _again(board, kept, RULES_THERE).next.dfen == outcome.next.dfen
    return [(verdict, verdict.order if is_same else _as_played(verdict)) for verdict in kept]


def _counts(verdict: Verdict) -> bool:
    """Whether an order did something, or could have."""
    order = parts(verdict.order)
    misses_coast = order.kind == SUPPORT_MOVE and verdict.verdict == VOID and order.target != PROVINCE[order.target]
    return verdict.verdict != ILLEGAL and order.kind != WAIVE and not misses_coast


def _again(board: Board, verdicts: Iterable[Verdict], rules: str) -> Outcome:
    """The phase played with these orders alone, by other rules."""
    again = Board.from_dfen(board.dfen, rules)
    for verdict in verdicts:
        again = again.orders(verdict.text, POWERS[verdict.power])
    return again.adjudicate()


def _as_played(verdict: Verdict) -> int:
    """A move that waited for a convoy in vain, though there is a land way, as the hold that it came to."""
    order = parts(verdict.order)
    stays = order.kind == MOVE and verdict.verdict in (NO_CONVOY, CONVOY_BROKEN)
    return joined(HOLD, order.location) if stays and CAN_GO[ARMY, order.province, PROVINCE[order.target]] else verdict.order


# ------------------------------------------------------------------ reading


def read_saved_game(game: Mapping[str, Any], rules: str = "3.x") -> list[Board]:
    """Every phase of a saved game, each with its orders; of a finished one, the last is the position it ended in."""
    phases = field_of(game, "phases", "game")
    if game.get("map", MAP) != MAP:
        raise UsageError(f"game: map: expected {MAP}, got {shortened(repr(game['map']))}")
    if not isinstance(phases, list) or not phases:
        raise UsageError(f"game: phases: expected a list of phases, got {shortened(repr(phases))}")
    boards: list[Board] = []
    for number, phase in enumerate(phases):
        try:
            boards.append(_read_phase(phase, boards, rules))
        except UsageError as error:
            raise UsageError(f"phases.{number}: {error}") from None
    return boards


def _read_phase(phase: Any, before: list[Board], rules: str) -> Board:
    state = field_of(phase, "state", "phase")
    if field_of(state, "name") != COMPLETED:
        return read_package_orders(read_state(state, rules), phase.get("orders") or {})
    if not before:
        raise UsageError(f"state: name: expected a phase before {COMPLETED}, got none")
    return _read_finished(state, before[-1], rules)


def _read_finished(state: Mapping[str, Any], last: Board, rules: str) -> Board:
    """The position that a game ended in, which has no phase's name there.

    It is the last phase's if nobody's orders were carried out, as when a draw is agreed upon, or else the one that follows.
    """
    return read_state({**state, "name": write_phase_name(last.adjudicate().next if last.given else last)}, rules)
