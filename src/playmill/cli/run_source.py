"""Where a run's settings come from: a file, a game's preset, or the run that is there and goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.cli.configured import is_config
from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.packs.registry import pack_of
from playmill.pipeline.run import starting_text
from playmill.pipeline.short_forms import overrides_of, preset_words
from playmill.pipeline.starting import find_preset
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.settings_file import SettingsSource, SettingsText, read_content


@dataclass(frozen=True)
class RunRequest:
    """What was typed: a file of settings or a game, and what is to be changed of its settings."""

    word: str
    preset: str | None
    given: Mapping[str, Any]  # options that are short for settings
    overrides: Sequence[str]

    @property
    def is_file(self) -> bool:
        """Anything that looks like a path is one: a game's name has no dots and no slashes."""
        return is_config(self.word) or "/" in self.word or Path(self.word).is_file()


def choose_source(
    asked: RunRequest, folder: RunFolder, manifest: Manifest | None, is_resumed: bool
) -> tuple[SettingsSource, list[str]]:
    """The settings, and what is to be changed of them as KEY=VALUE."""
    if is_resumed and manifest is None:
        raise UsageError(f"{folder.root}: there is no run to resume; without --resume one is begun")
    if asked.is_file:
        return _from_file(asked)
    return _carried_on(asked, folder, manifest) if is_resumed and manifest is not None else _from_preset(asked)


def _from_file(asked: RunRequest) -> tuple[SettingsSource, list[str]]:
    if asked.preset is not None:
        raise UsageError(
            f"--preset {asked.preset}: {asked.word} is a file and has its own settings; name the game in its place"
        )
    path = Path(asked.word)
    if not asked.given:
        return path, list(asked.overrides)
    game = read_content(path)[0].get("game")
    name = game if isinstance(game, str) else ""  # whoever loads it has more to say about it
    return path, overrides_of(pack_of(name), name, asked.given, asked.overrides)


def _from_preset(asked: RunRequest) -> tuple[SettingsSource, list[str]]:
    text = starting_text(asked.word, asked.preset)
    name = asked.word if asked.preset is None else f"{asked.word} --preset {asked.preset}"
    return SettingsText(name, text), overrides_of(pack_of(asked.word), asked.word, asked.given, asked.overrides)


def _carried_on(asked: RunRequest, folder: RunFolder, manifest: Manifest) -> tuple[SettingsSource, list[str]]:
    """The run's own settings, with all that was typed on top: nothing but the number of iterations may differ from them."""
    pack = pack_of(asked.word)
    if manifest.game != (get_game(asked.word).name if ":" in asked.word else asked.word):
        raise UsageError(f"{folder.root}: the run there is of {manifest.game}, not of {asked.word}; name its game or its file")
    preset = find_preset(pack, asked.word, asked.preset)
    changes = overrides_of(pack, asked.word, asked.given, asked.overrides)
    return folder.config, [*preset_words(preset.values if preset else {}), *changes]
