"""Opening a run: a new one is written down before any work, one that is there goes on with the settings it was begun with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from playmill.core.commit import source_commit
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write
from playmill.games.registry import get_game
from playmill.pipeline.controller import Controller
from playmill.pipeline.folder import Manifest, RunFolder, now_ms, read_manifest
from playmill.pipeline.settings import load_settings
from playmill.pipeline.watcher import Watcher


class RunLike(Protocol):
    """What the settings of every run have."""

    @property
    def seed(self) -> int: ...

    @property
    def iterations(self) -> int: ...

    def digest(self) -> str: ...

    def model_copy(self, *, update: Mapping[str, Any]) -> Self: ...


def open_run(config: Path, out: Path, watcher: Watcher, overrides: Sequence[str] = ()) -> Controller:
    """The controller of the run in `out`: begun if it is new, else carried on."""
    settings, text = load_settings(config, overrides)
    folder = RunFolder(out)
    manifest = read_manifest(folder)
    if manifest is None:
        game = get_game(settings.game)
        manifest = begin_run(folder, settings, text, game.name, game.ruleset, game.action_space, game.feature_schema)
    elif manifest.settings_hash != settings.digest():
        carry_on(folder, settings, load_settings(folder.config)[0], manifest, text)
    return Controller(folder, settings, manifest, watcher)


def begin_run(
    folder: RunFolder, settings: RunLike, text: str, game: str, ruleset: str, action_space: str, feature_schema: int
) -> Manifest:
    """Write down what a new run is, before any work."""
    atomic_write(folder.config, text)
    manifest = Manifest(
        run_id=folder.root.name,
        game=game,
        ruleset=ruleset,
        action_space=action_space,
        feature_schema=feature_schema,
        seed=settings.seed,
        settings_hash=settings.digest(),
        commit=source_commit(),
        created_ms=now_ms(),
    )
    manifest.save(folder)
    return manifest


def carry_on(folder: RunFolder, settings: RunLike, begun: RunLike, manifest: Manifest, text: str) -> None:
    """A run may be given more iterations; anything else would make it another run."""
    same = begun.model_copy(update={"iterations": settings.iterations})
    if same.digest() != settings.digest():
        raise PlaymillError(
            f"{folder.root}: the run was begun with other settings; compare {folder.config}, or choose a new folder"
        )
    atomic_write(folder.config, text)
    manifest.settings_hash = settings.digest()
    manifest.save(folder)
