"""A file of settings to start from, for any game."""

from __future__ import annotations

from playmill.core.errors import UsageError
from playmill.nets.spec import usual_kind, usual_value
from playmill.packs.registry import find_game, find_pack
from playmill.pipeline.settings import RunSettings
from playmill.runs.settings_text import commented_yaml
from playmill.selfplay.rewards import hidden_rewards

# Some minutes on a laptop: enough to see a small game learnt.
SMALL = {
    "iterations": 10,
    "selfplay.games": 200,
    "selfplay.shard_games": 50,
    "selfplay.lanes": 50,
    "train.batch_size": 256,
    "train.steps_per_iteration": 100,
    "train.warmup": 10,
    "train.lr_end": 0.1,
    "gate.games": 40,
}


def starting_file(name: str) -> str:
    """The commented settings of a first run of the game `name`."""
    game = find_game(name)
    if not game.features:
        raise UsageError(f"{name}: no network can learn it without features; give it `features=` and an `encode` kernel")
    usual = {"net.kind": usual_kind(game), "net.value": usual_value(game)}
    values = {**SMALL, "game": name, **usual, **find_pack(game.name).presets}
    head = f"A first run of {name}: playmill run THIS_FILE --out runs/{game.name}. Keys that are left out have their default."
    return commented_yaml(RunSettings, head, values, hidden_rewards(game))
