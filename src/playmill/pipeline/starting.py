"""A file of settings to start from, for any game."""

from __future__ import annotations

from typing import Any

from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.nets.spec import usual_kind, usual_value
from playmill.pipeline.settings import RunSettings
from playmill.pipeline.settings_text import commented_yaml

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
# What suits one game better; the tuned files are in configs/.
SUITED: dict[str, dict[str, Any]] = {
    "yatzy": {
        "search.kind": "exact_turn",
        "net.togo": True,
        "selfplay.temperature.start": 0.3,
        "train.bootstrap": 1.0,
        "gate.luck_reduced": True,
    },
}


def starting_file(name: str) -> str:
    """The commented settings of a first run of the game `name`."""
    game = get_game(name)
    if not game.features:
        raise UsageError(f"{name}: no network can learn it without features; give it `features=` and an `encode` kernel")
    values = {**SMALL, "game": name, "net.kind": usual_kind(game), "net.value": usual_value(game), **SUITED.get(game.name, {})}
    head = f"A first run of {name}: playmill run THIS_FILE --out runs/{game.name}. Keys that are left out have their default."
    return commented_yaml(RunSettings, head, values)
