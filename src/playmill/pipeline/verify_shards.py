"""Shards played and searched again.

A game depends on its number alone, not on its neighbours, its lane or its thread. So one game, searched again by the network
that played it, must give the very bytes that its shard holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.packs.registry import find_game
from playmill.pipeline.settings import RunSettings
from playmill.pipeline.streams import GAMES
from playmill.play.player import Player
from playmill.replay import ShardData, ShardMeta, ShardPlayer, read_meta, read_shard
from playmill.replay.meta import meta_path
from playmill.replay.shard import shard_index
from playmill.runs.folder import RunFolder
from playmill.runs.verification import Problem, VerifyReport, choose_games
from playmill.selfplay.plan import find_shard, plan_iteration
from playmill.selfplay.shards import games_of_run, play_shard

Columns = dict[str, np.ndarray[Any, Any]]


class ShardVerifier:
    """Compares shards with what their players do now."""

    def __init__(self, folder: RunFolder, settings: RunSettings, report: VerifyReport) -> None:
        self.folder, self.settings, self.report = folder, settings, report
        self.game: Game = find_game(settings.game)  # an address where the game is not registered
        self._players = _Players(folder, self.game, settings)

    def run(self, paths: Sequence[Path], games: int, seed: int, progress: Callable[[int], None] | None) -> None:
        """Check all these shards, and play and search some of their games."""
        rows = choose_games([self._count(path) for path in paths], games, seed)
        for number, (path, chosen) in enumerate(zip(paths, rows, strict=True)):
            self._check_shard(path, chosen)
            if progress is not None:
                progress(number + 1)

    def _tell(self, path: Path, what: str, game: int | None = None) -> None:
        # An error of the readers begins with the path, too.
        what = what.removeprefix(f"{path}: ")
        self.report.problems.append(Problem(str(path.relative_to(self.folder.root)), game, what))

    # ------------------------------------------------------------------ files

    def _count(self, path: Path) -> int:
        """How many games the shard says it has; a meta that can't be read is told when its turn comes."""
        try:
            return read_meta(path, self.game).games
        except PlaymillError:
            return 0

    # ------------------------------------------------------------------ shards

    def _check_shard(self, path: Path, rows: list[int]) -> None:
        try:
            data, meta = read_shard(path, self.game)
        except PlaymillError as error:
            # A run that is still going on may have pruned it just now.
            return self._tell(path, str(error)) if meta_path(path).exists() else None
        self.report.shards += 1
        self.report.games += meta.games
        for what in self._wrong_origin(path, meta):
            self._tell(path, what)
        for row in rows:
            self._replay(path, data, meta, row)
        return self._search_again(path, data, meta, rows) if rows else None

    def _wrong_origin(self, path: Path, meta: ShardMeta) -> Iterator[str]:
        """What the meta says otherwise than the run's settings do."""
        iteration, number = find_shard(self.settings.selfplay, shard_index(path))
        first, games = plan_iteration(self.settings.selfplay, iteration).games_of(number)
        wanted = {"iteration": iteration, "first_game": first, "games": games, "seed": mix(self.settings.seed, GAMES)}
        for name, expected in wanted.items():
            if getattr(meta, name) != expected:
                yield f"{name}: expected {expected} by the run's settings, got {getattr(meta, name)}"

    def _replay(self, path: Path, data: ShardData, meta: ShardMeta, row: int) -> None:
        """Play the stored actions by the rules."""
        table = data.games
        number, seed = int(table.game_number[row]), int(table.game_seed[row])
        self.report.replayed += 1
        if number != meta.first_game + row or seed != mix(meta.seed, number):
            self._tell(path, f"number and seed are not those of row {row}: got seed {seed}", number)
        actions = table.actions[table.action_offset[row] : table.action_offset[row + 1]]
        found = replay_game(self.game, seed, actions.tolist())
        if isinstance(found, str):
            return self._tell(path, found, number)
        plies, returns = len(actions), table.game_returns[row]
        if plies != table.game_plies[row]:
            self._tell(path, f"game_plies: expected {plies}, one for each action, got {table.game_plies[row]}", number)
        if np.array(found, np.float32).tobytes() != returns.tobytes():
            self._tell(path, f"game_returns: expected {list(found)} by the rules, got {returns.tolist()}", number)
        return None

    def _search_again(self, path: Path, data: ShardData, meta: ShardMeta, rows: list[int]) -> None:
        try:
            players = self._players.find(meta)
        except PlaymillError as error:
            return self._tell(path, f"its games can't be searched again: {error}")
        for row in rows:
            number = int(data.games.game_number[row])
            settings = self.settings.selfplay.in_iteration(meta.iteration)
            games = games_of_run(self.game, settings, meta.seed, number, 1)
            again = play_shard(self.game, players, settings, games, lanes=1)
            stored, fresh = game_columns(data, row), game_columns(again, 0)
            self.report.searched += 1
            self.report.samples += len(stored["ply"])
            if what := difference(stored, fresh):
                self._tell(path, f"searched again, {what}", number)
        return None


class _Players:
    """The players of a shard, for one game; the last ones are kept, since an iteration's shards share them."""

    def __init__(self, folder: RunFolder, game: Game, settings: RunSettings) -> None:
        self.folder, self.game, self.settings = folder, game, settings
        self._who: tuple[tuple[ShardPlayer, ...], int] | None = None
        self._players: list[Player] = []

    def find(self, meta: ShardMeta) -> list[Player]:
        """Refused if a network is not there, is another one, or can't run here."""
        who = (meta.players, meta.iteration)
        if self._who != who:
            self._players = self._open(*who)
            self._who = who
        return self._players

    def _open(self, players: tuple[ShardPlayer, ...], iteration: int) -> list[Player]:
        from playmill.pipeline.seating import seat_again

        networks = [(one.model, one.backend) for one in players]
        seated = seat_again(self.folder, self.game, self.settings, networks, iteration)
        described = [one.described() for one in seated]
        if [one.name for one in described] != [one.name for one in players]:
            raise PlaymillError("players: they are not those of the run's settings")
        if [one.search for one in described] != [one.search for one in players]:
            raise PlaymillError("search: its settings are not the run's")
        settings = self.settings.selfplay.in_iteration(iteration)
        return [one.maker(self.game, settings)(1) for one in seated]


def replay_game(game: Game, seed: int, actions: list[int]) -> tuple[float, ...] | str:
    """The returns of the episode `seed` when these actions are played, or a word on why they can't be."""
    state = game.new(seed)
    for ply, action in enumerate(actions):
        if action not in state.legal_actions:
            return f"ply {ply}: action {action} is illegal in '{state.line}'"
        state = state.apply(action)
    return state.returns if state.is_over else f"the game goes on after its {len(actions)} actions, in '{state.line}'"


def game_columns(data: ShardData, row: int) -> Columns:
    """Everything that a shard holds about one game, offsets counted from the game's own beginning."""
    samples, table = data.samples, data.games
    rows = np.flatnonzero(samples.game == table.game_number[row])
    begins, ends = samples.policy_offset[rows], samples.policy_offset[rows + 1]
    entries = np.concatenate([np.arange(a, b) for a, b in zip(begins, ends, strict=True)] or [np.empty(0, np.int64)])
    moves = slice(table.action_offset[row], table.action_offset[row + 1])
    entries = entries.astype(np.int64)
    return {
        "ply": samples.ply[rows],
        "state": samples.state[rows],
        "player": samples.player[rows],
        "policy_count": ends - begins,
        "policy_action": samples.policy_action[entries],
        "policy_prob": samples.policy_prob[entries],
        "targets": samples.targets[rows],
        "actions": table.actions[moves],
        "game_seed": table.game_seed[row : row + 1],
        "game_returns": table.game_returns[row],
        "game_plies": table.game_plies[row : row + 1],
    }


def difference(stored: Columns, fresh: Columns) -> str | None:
    """What differs between the stored and the repeated game, byte for byte; None if nothing does."""
    wrong = [name for name, column in stored.items() if column.tobytes() != fresh[name].tobytes()]
    if not wrong:
        return None
    where = _first_ply(stored, fresh)
    return f"{', '.join(wrong)} {'differs' if len(wrong) == 1 else 'differ'}{where}"


def _first_ply(stored: Columns, fresh: Columns) -> str:
    """Where the samples part, if a sample's own columns say it."""
    for row in range(min(len(stored["ply"]), len(fresh["ply"]))):
        for name in ("ply", "state", "player", "policy_count", "targets"):
            if stored[name][row].tobytes() != fresh[name][row].tobytes():
                return f" from ply {stored['ply'][row]} on"
    return ""
