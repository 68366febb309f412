"""Options of `playmill run` that are short for settings: those that every game has, and those that its pack knows.

All of them can be said in a settings file, or by `--set`; an option is nothing but a shorter word for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playmill.core.errors import UsageError
from playmill.packs.pack import Pack, RunOption
from playmill.packs.registry import load_packs
from playmill.runs.overrides import read_value
from playmill.runs.settings_text import scalar

# Of all runs, and of those that the engine's own settings describe.
EVERY_RUN = {
    "iterations": RunOption(key="iterations"),
    "games": RunOption(key="selfplay.games"),
}
ENGINE_RUNS = {
    "asymmetric": RunOption(
        sets={"selfplay.opponent.share": 1, "selfplay.opponent.search.kind": "one_ply"}, undone={"selfplay.opponent.share": 0}
    ),
    "asymmetric-sims": RunOption(key="search.puct.budget", needs="asymmetric"),
}


def overrides_of(pack: Pack, game: str, given: Mapping[str, Any], words: Sequence[str] = ()) -> list[str]:
    """What the `given` options come to as KEY=VALUE, before the `words` of --set; refused where they contradict each other.

    Of a flag that stands for several settings --set may change some; one that is nothing but a setting is said twice then.
    """
    known = known_options(pack)
    for name in given:
        _check(name, game, given, known)
    options = {name: known[name] for name in given}
    flags = [f"{key}={scalar(fixed)}" for option in options.values() for key, fixed in option.sets.items()]
    valued = {name: option.key for name, option in options.items() if option.key is not None}
    single = {name: key for name, option in options.items() if len(option.sets) == 1 for key in option.sets}
    _refuse_twice([(key, f"--{name}") for name, key in {**valued, **single}.items()], words)
    for name, option in options.items():
        _refuse_undone(name, option.undone, words)
    return [*flags, *(f"{key}={scalar(given[name])}" for name, key in valued.items()), *words]


def known_options(pack: Pack) -> dict[str, RunOption]:
    """The options that runs of the pack's games have."""
    return {**EVERY_RUN, **({} if pack.run else ENGINE_RUNS), **pack.options}


def preset_words(values: Mapping[str, Any]) -> list[str]:
    """The values of a preset as KEY=VALUE."""
    return [f"{key}={scalar(value)}" for key, value in values.items()]


def _check(name: str, game: str, given: Mapping[str, Any], known: Mapping[str, RunOption]) -> None:
    if name not in known:
        raise UsageError(f"--{name}: {game} has no such option{_owners(name)}; `--set KEY=VALUE` changes any setting")
    option = known[name]
    if option.needs is not None and option.needs not in given:
        raise UsageError(f"--{name}: says something only beside --{option.needs}; add it, or leave --{name} out")
    for other in option.bars:
        if other in given:
            raise UsageError(f"--{name} and --{other} contradict each other; leave one out")


def _owners(name: str) -> str:
    """Whose option it is, for one who has the wrong game."""
    games = [game for pack in load_packs() if name in pack.options for game in pack.games]
    return f", it is for {' and '.join(games)}" if games else ""


def _refuse_undone(name: str, undone: Mapping[str, Any], words: Sequence[str]) -> None:
    """Refuse a --set that leaves nothing of what a flag stands for."""
    for key, _, text in (word.partition("=") for word in words):
        if key.strip() in undone and read_value(text) == undone[key.strip()]:
            raise UsageError(f"--{name} and --set {key.strip()}={text.strip()} contradict each other; leave one out")


def _refuse_twice(changes: Sequence[tuple[str, str]], words: Sequence[str]) -> None:
    """Refuse a setting that two options say, or an option and --set."""
    said: dict[str, str] = {}
    for key, source in [*changes, *((word.partition("=")[0].strip(), "") for word in words)]:
        if said.get(key, source) != source:
            raise UsageError(f"{said[key]} and {source or f'--set {key}'} both say {key}; leave one out")
        said[key] = source
