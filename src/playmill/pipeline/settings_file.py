"""Settings in a YAML file: read, checked, and told apart by a hash.

An error names the file, the key, what was expected and what came.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TypeVar

from playmill.core.documents import fit, read_yaml, shorten
from playmill.core.errors import UsageError
from playmill.core.settings import Settings

RUN, LOOP = "playmill run", "playmill diplomacy loop"


class SettingsFile(Settings):
    """The base of what such a file holds."""

    def digest(self) -> str:
        """A hash of every setting that a result depends on."""
        return hashlib.sha256(self.model_dump_json(exclude={"workers"}).encode()).hexdigest()


Kind = TypeVar("Kind", bound=SettingsFile)


def load(kind: type[Kind], path: Path, command: str) -> tuple[Kind, str]:
    """The settings in a file, and its text; `command` is what runs with such a file."""
    content, text = read_yaml(path)
    if not isinstance(content, dict):
        raise UsageError(f"{path}: expected settings such as `game: yatzy`, got {shorten(content)}")
    _refuse_other(path, content.get("game"), command)
    return fit(kind, str(path), content), text


def _refuse_other(path: Path, game: object, command: str) -> None:
    """Name the command that a file is for, where it is not `command`: Diplomacy has a loop of its own."""
    wanted = LOOP if game == "diplomacy" else RUN
    if isinstance(game, str) and wanted != command:
        raise UsageError(f"{path}: game: settings for {shorten(game)} are for `{wanted} {path} --out FOLDER`")
