"""What is written down while games are played, and how it becomes the rows of a shard.

Games run side by side, those of several shards too, and end in any order; rows are sorted by game and ply at the end, so a
shard's bytes depend only on its games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill.games.game import Game
from playmill.games.heads import Told, target_columns
from playmill.replay.tables import ShardData, action_type, state_bytes
from playmill.selfplay.kernels import DECISION as DECISION
from playmill.selfplay.kernels import td_lambda
from playmill.selfplay.rewards import shaping_of
from playmill.selfplay.settings import SelfPlaySettings

Array = np.ndarray[Any, Any]

TURN, AFTERSTATE = 0, 2  # a turn's start before its roll; what a decision's move made before chance


@dataclass
class Notes:
    """Rows in the order in which they came, each list entry one array for many games."""

    number: list[Array] = field(default_factory=list)  # int32: which game
    ply: list[Array] = field(default_factory=list)  # int32
    kind: list[Array] = field(default_factory=list)  # int8: TURN, DECISION or AFTERSTATE
    mover: list[Array] = field(default_factory=list)  # int8
    is_sound: list[Array] = field(default_factory=list)  # bool: whether the policy thinks well of the move played
    player: list[Array] = field(default_factory=list)  # int8: who decided
    records: list[Array] = field(default_factory=list)  # the states
    points: list[Array] = field(default_factory=list)  # float64 [n, players], 0 where the game has none
    q: list[Array] = field(default_factory=list)  # float32 [n, players]: the utilities that the search expects; NaN: none
    q_togo: list[Array] = field(default_factory=list)  # float32 [n, players]: likewise points to come, the mover's
    policy_count: list[Array] = field(default_factory=list)  # int32: 0 where there is no policy
    policy_action: list[Array] = field(default_factory=list)  # of `action_type`, all rows of the batch end to end
    policy_prob: list[Array] = field(default_factory=list)  # float32, likewise

    def take(self, first: int, count: int) -> Notes:
        """The rows of the games first..first+count-1, which are taken out; those of other games stay."""
        joined = {name: np.concatenate(column) for name, column in vars(self).items() if column}
        is_theirs = (joined["number"] >= first) & (joined["number"] < first + count)
        is_entry = np.repeat(is_theirs, joined["policy_count"])
        taken = Notes()
        for name, column in joined.items():
            mine = is_entry if name in _FLAT_COLUMNS else is_theirs
            setattr(taken, name, [column[mine]])
            setattr(self, name, [column[~mine]])
        return taken


@dataclass(frozen=True)
class GameEnds:
    """One row a game, in order: how it ended."""

    seeds: Array  # uint64
    returns: Array  # float64 [games, players]
    points: Array  # float64 [games, players]
    plies: Array  # int32


def shard_tables(notes: Notes, ends: GameEnds, actions: Array, first: int, settings: SelfPlaySettings, game: Game) -> ShardData:
    """The tables of a replay shard (`docs/formats.md`), rows sorted by game, ply and kind; `actions` are all moves in order."""
    rows = {name: np.concatenate(getattr(notes, name)) for name in _ROW_COLUMNS}
    order = np.lexsort((rows["kind"], rows["ply"], rows["number"]))
    policies = _sorted_policies(notes, rows["policy_count"], order)
    rows = {name: column[order] for name, column in rows.items()}
    if settings.td_lambda > 0:
        td_lambda(
            settings.td_lambda, first, rows["number"], rows["kind"], rows["mover"], rows["is_sound"], rows["points"],
            rows["q"], rows["q_togo"], ends.returns, ends.points,
        )  # fmt: skip
    _tell_afterstates(rows)
    games = _game_columns(actions.astype(action_type(game.actions)), ends, first)
    shaping = shaping_of(game, settings.rewards, ends.seeds, games["action_offset"], games["actions"])
    columns = {
        "state": state_bytes(rows["records"]),
        **policies,
        "targets": _targets(rows, ends, shaping, first, settings.margin_scale, game),
        "player": rows["player"],
        "game": rows["number"],
        "ply": rows["ply"].astype(np.int16),
        **games,
    }
    return ShardData.from_columns(columns)


_ROW_COLUMNS = ("number", "ply", "kind", "mover", "is_sound", "player", "records", "points", "q", "q_togo", "policy_count")
_FLAT_COLUMNS = ("policy_action", "policy_prob")  # one row an entry


def _sorted_policies(notes: Notes, counts: Array, order: Array) -> dict[str, Array]:
    """The sparse policies in the rows' new order: where each starts, its actions and their probabilities."""
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]) if counts.size else np.empty(0, np.int64)
    new_counts = counts[order]
    offset = np.concatenate([[0], np.cumsum(new_counts)]).astype(np.int32)
    within = np.arange(offset[-1]) - np.repeat(offset[:-1], new_counts)
    source = np.repeat(starts[order], new_counts) + within
    flat = {name: np.concatenate(getattr(notes, name))[source] for name in _FLAT_COLUMNS}
    return {"policy_offset": offset, **flat}


def _targets(rows: dict[str, Array], ends: GameEnds, shaping: Array, first: int, margin_scale: float, game: Game) -> Array:
    """All that the rows can teach, a column each as `games/heads.py` has them; NaN where there is nothing to learn."""
    number, places = rows["number"] - first, _places(rows["mover"], game.players)
    final, to_come = ends.points[number], ends.points[number] - rows["points"]
    if "points" not in game.kernels:
        final, to_come = np.full((2, *final.shape), np.nan)
    seats = {
        "utilities": ends.returns[number],
        "final_points": final,
        "points_to_come": to_come,
        "value": rows["q"],
        "togo": _with_others(rows),
        "shaping": shaping[number],
    }
    counted = {name: np.take_along_axis(column, places, axis=1) for name, column in seats.items()}
    told = Told(**counted, plies_to_come=(ends.plies[number] - rows["ply"]).astype(np.float64), margin_scale=margin_scale)
    columns = target_columns(game)
    targets = np.empty((number.size, len(columns)), np.float32)
    for place, column in enumerate(columns.values()):
        targets[:, place] = column(told)
    return targets


def _places(mover: Array, players: int) -> Array:
    """The seats, counted from each row's mover, int64 [n, players]."""
    places: Array = (mover.astype(np.int64)[:, None] + np.arange(players)) % players
    return places


def _tell_afterstates(rows: dict[str, Array]) -> None:
    """Give afterstates what the search found at the decision after them."""
    here = np.flatnonzero(rows["kind"] == AFTERSTATE)
    there = _next_row(rows, here, np.flatnonzero(rows["kind"] == DECISION))
    here, there = here[there >= 0], there[there >= 0]
    is_next = rows["ply"][there] == rows["ply"][here] + 1
    here, there = here[is_next], there[is_next]
    rows["q"][here] = rows["q"][there]
    mover, is_same = rows["mover"][there], rows["mover"][here] == rows["mover"][there]
    rows["q_togo"][here, mover] = np.where(is_same, _worth(rows, here, there, mover), np.nan)


def _next_row(rows: dict[str, Array], here: Array, candidates: Array) -> Array:
    """For each row of `here` the first of the (ascending) candidates after it, in the same game; -1 if there is none."""
    place = np.searchsorted(candidates, here, side="right")
    found = np.append(candidates, -1)[place]
    return np.where((found >= 0) & (rows["number"][found] == rows["number"][here]), found, -1)


def _worth(rows: dict[str, Array], here: Array, there: Array, player: Array | int) -> Array:
    """The points to come of a player, counted from `here`, that the search expected `there`."""
    worth: Array = rows["q_togo"][there, player] + rows["points"][there, player] - rows["points"][here, player]
    return worth


def _with_others(rows: dict[str, Array]) -> Array:
    """The expected points to come of all players: of those who are not to move, what their own next decision was worth.

    NaN if there is none. For a turn's start it is their own next turn; 0 if they have none.
    """
    own = rows["q_togo"]
    result, is_turn = own.copy(), rows["kind"] == TURN
    for player in range(own.shape[1]):
        is_own = rows["mover"] == player
        here = np.flatnonzero(~is_turn & ~is_own)
        there = _next_row(rows, here, np.flatnonzero((rows["kind"] == DECISION) & is_own & ~np.isnan(own[:, player])))
        here, there = here[there >= 0], there[there >= 0]
        result[here, player] = _worth(rows, here, there, player)
        turns = np.flatnonzero(is_turn & ~is_own)
        there = _next_row(rows, turns, np.flatnonzero(is_turn & is_own))
        result[turns, player] = np.where(there >= 0, own[there, player], np.float32(0))
    return result


def _game_columns(actions: Array, ends: GameEnds, first: int) -> dict[str, Array]:
    """How each game ended, and every move of it, so that it can be played again."""
    return {
        "game_seed": ends.seeds,
        "game_number": np.arange(first, first + ends.plies.size, dtype=np.int32),
        "game_returns": ends.returns.astype(np.float32),
        "game_plies": ends.plies,
        "action_offset": np.concatenate([[0], np.cumsum(ends.plies)]).astype(np.int32),
        "actions": actions,
    }
