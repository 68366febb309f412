"""A run's recorded games, as the page replays them: boards, moves, what the search thought."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playmill.core.errors import UnknownName
from playmill.packs.recording import open_recording
from playmill.replay.meta import read_meta
from playmill.replay.recorded_game import RecordedGame, RecordedMove
from playmill.runs.view import RunView
from playmill.web.boards import view_board, view_history

DATA = ".safetensors"
BEST = 6  # moves of a policy


def list_shards(view: RunView) -> list[dict[str, Any]]:
    """The files of games that are there, the newest first; games are numbered through from `first`."""
    rows = []
    for path in sorted(view.folder.replay.glob(f"shard_*{DATA}"), reverse=True):
        meta = read_meta(path)
        players = [player.name for player in meta.players]
        facts = {"iteration": meta.iteration + 1, "first": meta.first_game, "games": meta.games, "players": players}
        rows.append({"file": path.stem, **facts})
    return rows


def view_game(view: RunView, file: str, number: int) -> dict[str, Any]:
    """One game, played again."""
    return view_record(open_recording(_shard(view, file), number))


def view_record(record: RecordedGame) -> dict[str, Any]:
    """The whole game for the page."""
    states, actions = record.states, [move.action for move in record.moves]
    return {
        "game": record.game.name,
        "number": record.number,
        "seed": str(record.seed),
        "source": record.source,
        "iteration": record.facts.get("iteration"),
        "won": _winners(record),
        "moves": [_move(record, move) for move in record.moves],
        "boards": [view_board(states, actions, ply) for ply in range(len(states))],
        **view_history(states, actions),
    }


def _shard(view: RunView, file: str) -> Path:
    path = view.folder.replay / f"{file}{DATA}"
    if path.parent != view.folder.replay or not path.is_file():
        raise UnknownName(f"{view.folder.replay}: no shard is called '{file:.80}'; it may have been pruned since")
    return path


def _move(record: RecordedGame, move: RecordedMove) -> dict[str, Any]:
    policy = [
        {"text": move.state.action_text(action), "action": action, "policy": round(share, 4)}
        for action, share in move.note.policy[:BEST]
    ]
    return {
        "seat": move.state.to_move,
        "who": record.seats[move.state.to_move] or move.note.who,
        "action": move.action,
        "text": move.text,
        "told": move.told,
        "value": _rounded(move.value_to(0)),
        "own_value": _rounded(move.value_to(move.state.to_move)),
        "policy": policy,
    }


def _winners(record: RecordedGame) -> list[int] | None:
    """The seats with the best outcome, all of them in a draw; None while nobody has one."""
    returns = record.returns
    return None if returns is None else [seat for seat, value in enumerate(returns) if value == max(returns)]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
