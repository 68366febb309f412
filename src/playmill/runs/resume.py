"""Opening a run: a new one is written down before any work, one that is there goes on with the settings it was begun with."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from playmill.core.commit import source_commit
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write
from playmill.runs.contents import refuse_lost_run, require, tell
from playmill.runs.copies import mend
from playmill.runs.folder import Manifest, RunFolder, now_ms, read_manifest
from playmill.runs.kind import RunIdentity, RunLike
from playmill.runs.marks import Mark
from playmill.runs.settings_text import differences

MAY_CHANGE = ("iterations", "workers", "executor", "ray_address", "infer")  # while a run goes on


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


def begin_run(folder: RunFolder, settings: RunLike, text: str, identity: RunIdentity) -> Manifest:
    """Write down what a new run is, before any work."""
    manifest = Manifest(
        run_id=folder.root.name,
        **identity._asdict(),
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


def other_settings(folder: RunFolder, begun: RunLike, settings: RunLike) -> str:
    """The line that says which settings a run was begun with, and not what it is given now."""
    told = differences(begun.model_dump(mode="json"), settings.model_dump(mode="json"), MAY_CHANGE)
    way_out = f"go on with its own, {folder.config}, or choose a new folder"
    return f"{folder.root}: the run was begun with other settings: {told}; {way_out}"


def _carry_on(folder: RunFolder, settings: RunLike, manifest: Manifest, text: str, load: Load) -> None:
    """A run may be given more iterations; anything else would make it another run."""
    if what := manifest.files[folder.name_of(folder.config)].fault(folder.config):
        raise PlaymillError(
            f"{folder.config}: {what}; new settings can't be compared with it: put back a copy, or give it the old ones first"
        )
    begun, _ = load(folder.config)
    if begun.model_copy(update={"iterations": settings.iterations}).digest() != settings.digest():
        raise PlaymillError(other_settings(folder, begun, settings))
    manifest.settings_hash = settings.digest()
    _write_config(folder, manifest, text)
