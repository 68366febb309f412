"""A state as the page's boards take it: a board of its own for the games that have one, a picture or text for any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from playmill.games.connect_four import COLUMNS, ROWS, STRIDE, fours
from playmill.games.connect_four import standing as connect_four_standing
from playmill.games.exchange.board import CHARGES, EMPTY, LETTERS, MAX_HP, PROMOTED, SIDE_OF, TYPE_OF
from playmill.games.exchange.shapes import outline
from playmill.games.exchange.table import decrees
from playmill.games.exchange.table import standing as exchange_standing
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import place_of
from playmill.games.go.rules import standing as go_standing
from playmill.games.state import State
from playmill.games.tictactoe import SQUARES, mark, won_squares
from playmill.games.tictactoe import standing as tictactoe_standing
from playmill.games.yatzy.card import is_open
from playmill.games.yatzy.card import standing as yatzy_standing
from playmill.games.yatzy.hands import CATEGORIES, score
from playmill.games.yatzy.rules import FIRST_MARK

View = dict[str, Any]


def view_board(states: Sequence[State], actions: Sequence[int], ply: int) -> View:
    """The board after so many moves; `actions[i]` leads from state i to state i + 1."""
    state = states[ply]
    own = OWN.get(state.game.name)
    if own is not None:
        return own(state)
    last = states[ply - 1] if ply else None
    game = state.game
    picture = state.svg() if last is None else game.svg_after(last.record, actions[ply - 1], state.record)
    return {"kind": "picture", "standing": state.line, "svg": picture, "text": str(state)}


def view_history(states: Sequence[State], actions: Sequence[int]) -> View:
    """What a board shows besides: Yatzy's marks, each as [ply, seat, category, points]; EXCHANGE's pieces as paths."""
    name = states[0].game.name
    if name == "exchange":
        return {"outlines": [outline(letter) for letter in LETTERS]}
    if name not in YATZY:
        return {}
    marks = []
    for ply, action in enumerate(actions):
        if action >= FIRST_MARK:
            before = states[ply].record
            category = action - FIRST_MARK
            marks.append([ply, int(before.mover), category, score(tuple(int(die) for die in before.dice), category)])
    return {"marks": marks}


def view_legal(state: State) -> list[list[Any]]:
    """The legal actions as [number, name, what it is listed under]; of those that read alike, the first."""
    record, seen = state.record, dict[str, list[Any]]()
    for action in () if state.is_over else state.legal_actions:
        text = state.action_text(action)
        seen.setdefault(text, [action, text, state.game.action_group(record, action)])
    return list(seen.values())


# ------------------------------------------------------------------ boards


def _connect_four(state: State) -> View:
    record = state.record
    cells = ["".join(_disc(record, column, row) for column in range(COLUMNS)) for row in reversed(range(ROWS))]
    won = fours(int(record.discs[1 - int(record.mover)]))
    places = [(ROWS - 1 - bit % STRIDE) * COLUMNS + bit // STRIDE for bit in sorted(won)]
    return {"kind": "connect_four", "standing": connect_four_standing(record), "cells": "".join(cells), "won": places}


def _disc(record: Any, column: int, row: int) -> str:
    bit = STRIDE * column + row
    return next((mark for player, mark in enumerate("xo") if int(record.discs[player]) >> bit & 1), ".")


def _tictactoe(state: State) -> View:
    record = state.record
    cells = "".join(mark(record, square) for square in range(SQUARES))
    return {"kind": "tictactoe", "standing": tictactoe_standing(record), "cells": cells, "won": won_squares(record)}


def _yatzy(state: State) -> View:
    record = state.record
    dice = tuple(int(die) for die in record.dice)
    worth = [score(dice, category) if all(dice) else 0 for category in range(len(CATEGORIES))]
    return {
        "kind": "yatzy",
        "standing": yatzy_standing(record),
        "categories": [name.replace("_", " ") for name in CATEGORIES],
        "dice": list(dice),
        "rerolls": int(record.rerolls),
        "worth": worth,
        "open": [[is_open(record, player, category) for category in range(len(CATEGORIES))] for player in range(2)],
        "upper": [int(points) for points in record.upper],
        "total": [int(points) for points in record.total],
    }


def _exchange(state: State) -> View:
    """Pieces as [square, kind, side, HP, most HP, cooldown, charges, most charges, whether it was a pawn]."""
    record, pieces = state.record, []
    for square in np.flatnonzero(record.piece != EMPTY).tolist():
        code = int(record.piece[square])
        kind, facts = int(TYPE_OF[code]), [int(table[square]) for table in (record.hp, record.cooldown, record.charges)]
        hp, cooldown, charges = facts
        most = int(MAX_HP[kind])
        pieces.append([square, kind, int(SIDE_OF[code]), hp, most, cooldown, charges, int(CHARGES[kind]), code >= PROMOTED])
    return {"kind": "exchange", "standing": exchange_standing(record) + decrees(record), "pieces": pieces}


def _go(state: State) -> View:
    record = state.record
    board, size = record.board, int(record.board.width)
    stones = {
        name: sorted(_point(size, cell) for cell in np.flatnonzero((board.colour == colour) & (board.head > 0)).tolist())
        for name, colour in (("black", BLACK), ("white", WHITE))
    }
    prisoners = [int(count) for count in record.prisoners]
    last = _point(size, int(record.last)) if record.last else None
    return {"kind": "go", "standing": go_standing(record), "size": size, **stones, "last": last, "prisoners": prisoners}


def _point(size: int, cell: int) -> int:
    row, column = place_of(size, cell)
    return row * size + column


YATZY = ("yatzy", "yatzy_rich")
OWN: dict[str, Callable[[State], View]] = {
    "connect_four": _connect_four,
    "exchange": _exchange,
    "tictactoe": _tictactoe,
    **dict.fromkeys(YATZY, _yatzy),
    **dict.fromkeys(("go9", "go13", "go19"), _go),
}
