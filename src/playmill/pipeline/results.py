"""How self-play's players fared, counted from the shards: whoever played them, and however often that was cut short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from safetensors import safe_open

from playmill.games.game import Game
from playmill.replay.tables import Array
from playmill.runs.entries import PlayerEntry
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import games_of_run


def results_by_player(
    paths: Iterable[Path], game: Game, settings: SelfPlaySettings, seed: int, names: Sequence[str]
) -> dict[str, PlayerEntry]:
    """The players' results in the games of these shards, which those settings and the run's seed have seated.

    Of the best and its opponent only games in which they met count, of a bot to spar with those in which it sat. A seat wins
    if its utility is above all others, and shares a draw if it is the highest with another's.
    """
    if game.players < 2:
        return {}
    tables = [_games_of(path, game, settings, seed) for path in paths]
    if not tables:
        return {}
    seats, returns, plies = (np.concatenate(column) for column in zip(*tables, strict=True))
    has_bot = (seats >= settings.learners).any(axis=1)
    have_met = (seats != seats[:, :1]).any(axis=1) if settings.learners > 1 else np.ones(len(seats), np.bool_)
    found = {}
    for number, name in enumerate(names):
        counts = has_bot if number >= settings.learners else have_met & ~has_bot
        found[name] = _result(seats[counts] == number, returns[counts], plies[counts])
    return found


def _result(is_own: Array, returns: Array, plies: Array) -> PlayerEntry:
    """Of one player in these games, by the seats that it had."""
    is_top = returns == returns.max(axis=1, keepdims=True) if len(returns) else returns > 0
    is_shared = is_top.sum(axis=1, keepdims=True) > 1
    return PlayerEntry(
        games=len(plies),
        wins=int((is_own & is_top & ~is_shared).sum()),
        losses=int((is_own & ~is_top).sum()),
        draws=int((is_own & is_top & is_shared).sum()),
        mean_plies=float(plies.mean()) if len(plies) else 0.0,
    )


def _games_of(path: Path, game: Game, settings: SelfPlaySettings, seed: int) -> tuple[Array, Array, Array]:
    """Of each game of a shard: who sat where, the returns by seat, how many plies it took. Only these columns are read."""
    with safe_open(path, "numpy") as file:
        numbers, returns, plies = (file.get_tensor(name) for name in ("game_number", "game_returns", "game_plies"))
    return games_of_run(game, settings, seed, int(numbers[0]), len(numbers)).seats, returns, plies
