"""How a game stands, for the page."""

from __future__ import annotations

from typing import Any

from playmill.games.state import State
from playmill.web.boards import view_board, view_history, view_legal
from playmill.web.table_session import TableSession

MOST_BOARDS = 24  # of moves that the page has not shown yet; it skips older ones


def view_table(name: str, session: TableSession, opponent: str, shown: int) -> dict[str, Any]:
    """The game now, with the boards from the ply that the page showed last; `opponent` is what people call the bot."""
    table = session.table
    with session.lock():
        states, actions, thoughts = list(session.states), list(session.actions), dict(session.thoughts)
        is_thinking, problem = session.is_thinking, session.problem
    last = len(actions)
    state = states[-1]
    is_own = not state.is_over and state.to_move == table.seat
    first = max(min(shown, last), last - MOST_BOARDS)
    return {
        "name": name,
        "game": table.game.name,
        "title": table.game.title,
        "seat": table.seat,
        "names": [own if seat == table.seat else opponent for seat, own in enumerate(table.names)],
        "opponent": opponent,
        "simulations": table.against.simulations,
        "ply": last,
        "to_move": None if state.is_over else state.to_move,
        "is_over": state.is_over,
        "is_thinking": is_thinking and not state.is_over,
        "problem": problem,
        "first": first,
        "boards": [view_board(states, actions, ply) for ply in range(first, last + 1)],
        **view_history(states, actions),
        "moves": [_move(session, states, actions, thoughts, ply) for ply in range(last)],
        "legal": view_legal(state) if is_own else [],
        "result": _result(session, state) if state.is_over else None,
    }


def _move(session: TableSession, states: list[State], actions: list[int], thoughts: dict[int, Any], ply: int) -> dict[str, Any]:
    before, action = states[ply], actions[ply]
    return {
        "seat": before.to_move,
        "action": action,
        "text": before.action_text(action),
        "told": before.game.told(before.record, action, states[ply + 1].record),
        "regret": session.regret(ply),
        "thought": thoughts.get(ply),
    }


def _result(session: TableSession, state: State) -> dict[str, Any]:
    seat, returns = session.table.seat, state.returns
    lead = returns[seat] - max(value for place, value in enumerate(returns) if place != seat)
    return {"lead": lead, "returns": list(returns)}
