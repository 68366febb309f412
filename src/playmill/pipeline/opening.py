"""Opening a run: a new one is written down before any work, one that is there goes on with the settings it was begun with."""

from __future__ import annotations

from pathlib import Path

from playmill.core.commit import source_commit
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write
from playmill.games.registry import get_game
from playmill.pipeline.controller import Controller
from playmill.pipeline.folder import Manifest, RunFolder, now_ms, read_manifest
from playmill.pipeline.settings import RunSettings, load_settings
from playmill.pipeline.watcher import Watcher


def open_run(config: Path, out: Path, watcher: Watcher) -> Controller:
    """The controller of the run in `out`: begun if it is new, else carried on."""
    settings, text = load_settings(config)
    folder = RunFolder(out)
    manifest = read_manifest(folder)
    if manifest is None:
        manifest = _new_manifest(folder, settings, text)
    elif manifest.settings_hash != settings.digest():
        settings = _carried_on(folder, settings, manifest, text)
    return Controller(folder, settings, manifest, watcher)


def _new_manifest(folder: RunFolder, settings: RunSettings, text: str) -> Manifest:
    game = get_game(settings.game)
    atomic_write(folder.config, text)
    manifest = Manifest(
        run_id=folder.root.name,
        game=game.name,
        ruleset=game.ruleset,
        action_space=game.action_space,
        feature_schema=game.feature_schema,
        seed=settings.seed,
        settings_hash=settings.digest(),
        commit=source_commit(),
        created_ms=now_ms(),
    )
    manifest.save(folder)
    return manifest


def _carried_on(folder: RunFolder, settings: RunSettings, manifest: Manifest, text: str) -> RunSettings:
    """A run may be given more iterations; anything else would make it another run."""
    begun, _ = load_settings(folder.config)
    same = begun.model_copy(update={"iterations": settings.iterations, "workers": settings.workers})
    if same.digest() != settings.digest():
        raise PlaymillError(
            f"{folder.root}: the run was begun with other settings; compare {folder.config}, or choose a new folder"
        )
    atomic_write(folder.config, text)
    manifest.settings_hash = settings.digest()
    manifest.save(folder)
    return settings
