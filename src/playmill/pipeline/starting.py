"""A file of settings to start from, for any game."""

from __future__ import annotations

from playmill.core.errors import UsageError, unknown_name
from playmill.core.sections import KindSettings
from playmill.games.game import Game
from playmill.nets.spec import NetSpec, usual_kind, usual_value
from playmill.packs.pack import Pack, Preset
from playmill.packs.registry import find_game, find_pack
from playmill.pipeline.settings import RunSettings
from playmill.runs.settings_text import commented_yaml
from playmill.search.settings import SearchSettings
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


def starting_file(name: str, preset: str | None = None) -> str:
    """The commented settings of a first run of the game `name`, as one of its pack's named presets has them."""
    game = find_game(name)
    if not game.features:
        raise UsageError(f"{name}: no network can learn it without features; give it `features=` and an `encode` kernel")
    pack, command = find_pack(game.name), f"playmill run THIS_FILE --out runs/{game.name}"
    named = find_preset(pack, name, preset)
    usual = {"net.kind": usual_kind(game), "net.value": usual_value(game)}
    values = {**SMALL, "game": name, **usual, **pack.presets, **(named.values if named else {})}
    what = f"{name}, preset {preset}: {named.about}" if named else f"A first run of {name}"
    head = f"{what}: {command}. Keys that are left out have their default."
    return commented_yaml(RunSettings, head, values, hidden_settings(game))


def hidden_settings(game: Game) -> frozenset[str]:
    """Keys that say nothing to the game: rewards that it has not, and sections of kinds that are for other games."""
    groups: dict[str, type[KindSettings]] = {"net": NetSpec, "search": SearchSettings}
    sections = (f"{group}.{name}" for group, kind in groups.items() for name in kind.sections_of_others(game.name))
    return hidden_rewards(game) | frozenset(sections)


def find_preset(pack: Pack, game: str, preset: str | None) -> Preset | None:
    """The pack's preset of that name; an unknown one is refused with all that there are."""
    if preset is None:
        return None
    if not pack.named_presets:
        raise UsageError(f"--preset {preset}: {game} has no presets; leave it out, or change settings with --set")
    if preset not in pack.named_presets:
        raise unknown_name(f"preset of {game}", preset, pack.named_presets)
    return pack.named_presets[preset]
