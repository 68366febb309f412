"""Settings in a YAML file: read, checked, and told apart by a hash.

An error names the file, the key, what was expected and what came.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from playmill.core.documents import fit, parse_yaml, read_yaml, shorten
from playmill.core.errors import UsageError
from playmill.core.settings import Settings


class SettingsFile(Settings):
    """The base of what such a file holds."""

    def digest(self) -> str:
        """A hash of every setting that a result depends on."""
        elsewhere = {"workers", "executor", "ray_address", "infer"}  # who does the work, and where
        return hashlib.sha256(self.model_dump_json(exclude=elsewhere).encode()).hexdigest()


Kind = TypeVar("Kind", bound=SettingsFile)


@dataclass(frozen=True)
class SettingsText:
    """Settings that lie in no file, such as a game's preset; messages call them by their name."""

    name: str
    text: str

    def __str__(self) -> str:
        return self.name


SettingsSource = Path | SettingsText


def load(kind: type[Kind], path: SettingsSource) -> tuple[Kind, str]:
    """The settings in a file, and its text."""
    content, text = read_content(path)
    return fit(kind, str(path), content), text


def read_content(path: SettingsSource) -> tuple[dict[str, Any], str]:
    """What a file of settings holds, whatever it is, and its text."""
    content, text = read_yaml(path) if isinstance(path, Path) else (parse_yaml(path.text, path.name), path.text)
    if not isinstance(content, dict):
        raise UsageError(f"{path}: expected settings such as `game: yatzy`, got {shorten(content)}")
    return content, text


def describe_run(search: str, net: Settings, games: int, gate_games: int, batch_size: int) -> dict[str, str]:
    """A run in a few words, by what they are about."""
    changed = ", ".join(f"{name} {value}" for name, value in net.model_dump(exclude_defaults=True).items())
    return {
        "search": search,
        "network": changed or "the default one",
        "an iteration": f"{games:,} games, then a gate of {gate_games}",
        "training": f"batches of {batch_size:,}",
    }
