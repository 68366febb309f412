"""Opening a run: a new one is written down before any work, one that is there goes on with the settings it was begun with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from playmill.core.commit import source_commit
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write
from playmill.games.registry import get_game
from playmill.pipeline.contents import refuse_lost_run, require, tell
from playmill.pipeline.controller import Controller
from playmill.pipeline.copies import mend
from playmill.pipeline.folder import Manifest, RunFolder, now_ms, read_manifest
from playmill.pipeline.marks import Mark
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


class Load(Protocol):
    """Reads settings of one kind from a file, and its text."""

    def __call__(self, path: Path, /) -> tuple[RunLike, str]: ...


def open_folder(folder: RunFolder, settings: RunLike, text: str, load: Load) -> Manifest | None:
    """The manifest of a run to work on, with the folder's lock held; None if there is no run yet.

    What the run needs is checked and, where it can be, put right; the settings must be those that it was begun with.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        refuse_lost_run(folder)
        return None
    if manifest.settings_hash != settings.digest():
        _carry_on(folder, settings, manifest, text, load)
    elif what := manifest.files[folder.name_of(folder.config)].fault(folder.config):
        _write_config(folder, manifest, text)  # a kill came before it, or somebody changed it: these settings are the run's
        tell(f"{folder.config}: {what}; written again from the settings given")
    mend(folder, manifest)
    require(folder, manifest)
    return manifest


def open_run(config: Path, out: Path, watcher: Watcher, overrides: Sequence[str] = ()) -> Controller:
    """The controller of the run in `out`: begun if it is new, else carried on."""
    settings, text = load_settings(config, overrides)
    folder = RunFolder(out)
    manifest = open_folder(folder, settings, text, load_settings)
    if manifest is None:
        game = get_game(settings.game)
        manifest = begin_run(folder, settings, text, game.name, game.ruleset, game.action_space, game.feature_schema)
    return Controller(folder, settings, manifest, watcher)


def begin_run(
    folder: RunFolder, settings: RunLike, text: str, game: str, ruleset: str, action_space: str, feature_schema: int
) -> Manifest:
    """Write down what a new run is, before any work."""
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
    _write_config(folder, manifest, text)
    return manifest


def _write_config(folder: RunFolder, manifest: Manifest, text: str) -> None:
    """Keep the settings beside the manifest; its entry comes first, since whoever opens the run has the text to write again."""
    manifest.files[folder.name_of(folder.config)] = Mark.of_text(text)
    manifest.save(folder)
    atomic_write(folder.config, text)


def _carry_on(folder: RunFolder, settings: RunLike, manifest: Manifest, text: str, load: Load) -> None:
    """A run may be given more iterations; anything else would make it another run."""
    if what := manifest.files[folder.name_of(folder.config)].fault(folder.config):
        raise PlaymillError(
            f"{folder.config}: {what}; new settings can't be compared with it: put back a copy, or give it the old ones first"
        )
    begun, _ = load(folder.config)
    if begun.model_copy(update={"iterations": settings.iterations}).digest() != settings.digest():
        raise PlaymillError(
            f"{folder.root}: the run was begun with other settings; go on with its own, {folder.config}, or choose a new folder"
        )
    manifest.settings_hash = settings.digest()
    _write_config(folder, manifest, text)
