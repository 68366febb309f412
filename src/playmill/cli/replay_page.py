"""A game as one web page: the board, a slider, the moves, what the search thought. All of it is in the file."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from playmill.cli import report_page as html
from playmill.cli.frames import Film, make_film
from playmill.cli.replay_script import SCRIPT, STYLE
from playmill.cli.report_chart import BOTTOM, LEFT, RIGHT, TOP, Point, Sheet, line_chart
from playmill.replay.recorded_game import RecordedGame

BEST = 5  # moves of a policy
CHART = (620, 190)


def make_page(record: RecordedGame, pictures: list[str], plies: list[int], pace: float) -> str:
    """The page; it plays `pace` seconds a shown ply."""
    film = make_film(pictures)
    title = f"{record.game.name}: {record.result_text()}"
    parts = [
        html.header(record.game.name, f"{record.source}, seed {record.seed}", record.result_text(), record.returns is not None),
        f'<div class="stage"><div>{_board(pictures[-1])}{_thoughts(record)}</div>{_moves(record)}</div>',
        f'<script type="application/json" id="game">{_data(record, film, plies, pace)}</script>',
        f"<style>{STYLE}</style><script>{SCRIPT}</script>",
    ]
    return html.page(title, "\n".join(part for part in parts if part))


def _board(last: str) -> str:
    buttons = "".join(
        f'<button id="{name}" title="{words}" aria-label="{words}">{mark}</button>'
        for name, words, mark in (
            ("first", "to the start (Home)", "«"),
            ("back", "back (left arrow)", "‹"),
            ("play", "play or pause (space)", "▶ play"),
            ("next", "next (right arrow)", "›"),
            ("last", "to the end (End)", "»"),
        )
    )
    return (
        f'<section class="card game"><div id="board">{last}</div>'
        '<p class="said"><b id="move"></b> <span id="told"></span></p>'
        f'<div class="controls">{buttons}<input id="slider" type="range" min="0" value="0" aria-label="move">'
        '<output id="place"></output></div></section>'
    )


def _thoughts(record: RecordedGame) -> str:
    """The search's best moves beside the board, and the value's way; nothing where no search was recorded."""
    parts = []
    if any(move.note.policy for move in record.moves):
        parts.append(
            html.card(
                "The search's moves", "the share of its policy; the move that was played is marked", '<div id="policy"></div>'
            )
        )
    points = [
        Point(move.state.ply, value, words=f"move {move.state.ply + 1}: {value:+.3f}")
        for move in record.moves
        if (value := move.value_to(0)) is not None
    ]
    if len(points) > 1:
        sheet = Sheet("move", lambda value: f"{value:+g}", (0.0, "even"), (-1.0, 1.0), CHART)
        parts.append(
            html.card("The value", "what the search expects for player 0", f'<div id="curve">{line_chart(points, sheet)}</div>')
        )
    return "".join(parts)


def _moves(record: RecordedGame) -> str:
    rows = "".join(
        f'<li><button data-ply="{i + 1}"><span>{i + 1}</span><i class="seat{move.state.to_move % 2}"></i>'
        f"<b>{escape(move.text)}</b><small>{escape(move.told)}</small></button></li>"
        for i, move in enumerate(record.moves)
    )
    return f'<section class="card moves"><h2>Moves</h2><ol id="moves">{rows}</ol></section>'


def _data(record: RecordedGame, film: Film, plies: list[int], pace: float) -> str:
    """What the script shows; `<` is written so that no text can end it."""
    last = max((move.state.ply for move in record.moves if move.value_to(0) is not None), default=0)
    facts: dict[str, Any] = {
        "pace": pace,
        "open": film.opening(),
        "plies": plies,
        "groups": [group.content for group in film.groups],
        "frames": [film.groups_of(i) for i in range(film.count)],
        "moves": [_move(record, i) for i in range(len(record.moves))],
        "end": record.result_text(),
        "chart": {"left": LEFT, "right": CHART[0] - RIGHT, "top": TOP, "bottom": CHART[1] - BOTTOM, "last": last},
    }
    return json.dumps(facts, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _move(record: RecordedGame, i: int) -> dict[str, Any]:
    move = record.moves[i]
    best = [
        [move.state.action_text(action), round(share, 4), action == move.action] for action, share in move.note.policy[:BEST]
    ]
    who, value = record.mover_text(move), move.value_to(move.state.to_move)
    return {"who": who, "text": move.text, "told": move.told, "best": best, "value": None if value is None else round(value, 4)}
