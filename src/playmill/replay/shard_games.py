"""A game out of a shard, with what its search thought of each move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from playmill.core.errors import PlaymillError, UsageError
from playmill.games.game import Game
from playmill.games.state import State
from playmill.replay.meta import ShardMeta, ShardPlayer
from playmill.replay.recorded_game import MoveNote, RecordedGame, record_game
from playmill.replay.shard import read_shard
from playmill.replay.tables import ShardData
from playmill.search.roles import name_roles

EXPECTED = "q"  # the target that is the search's own value


def read_game(path: Path, game: Game, number: int | None = None) -> RecordedGame:
    """Game `number` of a shard, by default its first; played again, and compared with the states and the end on file."""
    data, meta = read_shard(path, game)
    row = _row_of(path, data, number)
    table = data.games
    seed, own = int(table.game_seed[row]), int(table.game_number[row])
    actions = table.actions[table.action_offset[row] : table.action_offset[row + 1]].tolist()
    notes, states = _notes(data, meta, own, len(actions), game.players)
    facts = {"iteration": meta.iteration, "players": [player.name for player in meta.players]}
    record = record_game(
        str(path), game, own, seed, actions, lambda state: notes[state.ply],
        seats=("",) * game.players, source=f"{path.name}, game {own}", facts=facts,
    )  # fmt: skip
    _check(path, record, states, table.game_returns[row].tolist())
    return record


def _row_of(path: Path, data: ShardData, number: int | None) -> int:
    numbers = data.games.game_number
    if not numbers.size:
        raise UsageError(f"{path}: the shard holds no game")
    if number is None:
        return 0
    found = np.flatnonzero(numbers == number)
    if not found.size:
        raise UsageError(f"{path}: --game: expected one of games {numbers.min()} to {numbers.max()}, got {number}")
    return int(found[0])


def _notes(data: ShardData, meta: ShardMeta, number: int, plies: int, players: int) -> tuple[list[MoveNote], dict[int, bytes]]:
    """What is known of each move, and the states on file by ply. A row with a policy is a decision; others teach a value."""
    samples, names = data.samples, player_names(meta.players)
    notes, states = [MoveNote() for _ in range(plies)], {}
    for i in np.flatnonzero(samples.game == number).tolist():
        first, last = int(samples.policy_offset[i]), int(samples.policy_offset[i + 1])
        ply = int(samples.ply[i])
        if first == last or not 0 <= ply < plies:
            continue
        entries = zip(samples.policy_action[first:last].tolist(), samples.policy_prob[first:last].tolist(), strict=True)
        policy = tuple(sorted(entries, key=lambda entry: (-entry[1], entry[0])))
        notes[ply] = MoveNote(names[int(samples.player[i])], _values(data, meta, i, players), policy)
        states[ply] = samples.state[i].tobytes()
    return notes, states


def player_names(players: Sequence[ShardPlayer]) -> Sequence[str]:
    """What the players are called: two networks' searches by their roles."""
    if len(players) != 2 or not all(player.search for player in players):
        return [player.name for player in players]
    first, second = players
    kinds = str(first.search.get("kind", "")), str(second.search.get("kind", ""))
    return name_roles((first.name, second.name), kinds, first.model == second.model)


def _values(data: ShardData, meta: ShardMeta, row: int, players: int) -> tuple[float, ...]:
    """What the search expected for each player from the mover on, as far as it is on file."""
    names = [EXPECTED, *(f"{EXPECTED}_{place}" for place in range(1, players))]
    known = [float(data.samples.targets[row, meta.target_names.index(name)]) for name in names if name in meta.target_names]
    return () if any(math.isnan(value) for value in known) else tuple(known)


def _check(path: Path, record: RecordedGame, states: dict[int, bytes], returns: list[float]) -> None:
    """Refuse a game that the rules of today play differently."""
    for ply, stored in states.items():
        if _record_bytes(record.states[ply]) != stored:
            at = f"{path}: game {record.number}, ply {ply}"
            raise PlaymillError(f"{at}: expected the state on file, got another; other rules played it")
    ends = None if record.returns is None else np.asarray(record.returns, np.float32).tolist()
    if ends != returns:
        raise PlaymillError(f"{path}: game {record.number}: expected it to end with {returns}, got {ends}")


def _record_bytes(state: State) -> bytes:
    return bytes(state.record.tobytes())
