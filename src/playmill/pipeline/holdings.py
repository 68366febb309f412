"""The shards of a run: those that its manifest lists. Whatever else lies in the replay folder is not played or trained on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from playmill.core.errors import PlaymillError
from playmill.replay import prepare_folder
from playmill.replay.meta import meta_path
from playmill.replay.shard import remove_shard, shard_index, shard_path
from playmill.runs.contents import tell
from playmill.runs.folder import Manifest, RunFolder
from playmill.selfplay.plan import Plan
from playmill.selfplay.roots import part_path

_SHARD_NAME = re.compile(r"shard_(\d{6,})\.(?:safetensors|meta\.json)")


def listed_shards(folder: RunFolder, manifest: Manifest) -> list[Path]:
    """The data files of the run's shards, by index."""
    paths = [folder.root / name for name in manifest.files if name.startswith("replay/") and name.endswith(".safetensors")]
    return sorted(paths, key=shard_index)


def enter_shard(folder: RunFolder, manifest: Manifest, index: int) -> None:
    """List a shard that was just written, with the log of its roots: from now on it counts."""
    manifest.enter(folder, *(path for path in shard_files(folder, index) if path.exists()))
    manifest.save(folder)


def shard_files(folder: RunFolder, index: int) -> tuple[Path, Path, Path]:
    """Data, meta and, until the log has it, the part with its roots."""
    path = shard_path(folder.replay, index)
    return path, meta_path(path), part_path(folder.root_parts, index)


def shard_fault(folder: RunFolder, manifest: Manifest, index: int, is_deep: bool = True) -> str | None:
    """What is wrong with a listed shard, its file first; None if nothing is."""
    for path in shard_files(folder, index):
        mark = manifest.files.get(folder.name_of(path))
        if mark is not None and (what := mark.fault(path, is_deep or path.suffix == ".json")):
            return f"{path}: {what}"
    return None


def prepare_replay(folder: RunFolder, plan: Plan, manifest: Manifest | None) -> None:
    """Make the replay folder ready for the plan: shards that don't count are removed, damaged ones of the plan with them."""
    if manifest is not None:
        _strike_damaged(folder, manifest, plan)
        remove_unlisted(folder, plan, manifest)
    prepare_folder(folder.replay)


def remove_unlisted(folder: RunFolder, plan: Plan, manifest: Manifest) -> None:
    """Delete what a kill left of the shards up to those of the plan: one not yet listed, or one that was to be pruned."""
    for index in _unlisted(folder, manifest):
        if index >= plan.indexes.stop:
            raise PlaymillError(f"{shard_path(folder.replay, index)}: this run has not come so far; move the file away")
        remove_files(folder, index)


def _strike_damaged(folder: RunFolder, manifest: Manifest, plan: Plan) -> None:
    """Take damaged shards of an unfinished plan off the list: they are played with the others that are missing."""
    for index in plan.indexes:
        if what := shard_fault(folder, manifest, index):
            tell(f"{what}; its games are played again")
            manifest.forget(folder, *shard_files(folder, index))
            manifest.save(folder)


def _unlisted(folder: RunFolder, manifest: Manifest) -> Iterator[int]:
    """Shards that are there and not listed."""
    listed = {shard_index(path) for path in listed_shards(folder, manifest)}
    there = {int(found[1]) for path in folder.replay.glob("shard_*") if (found := _SHARD_NAME.fullmatch(path.name))}
    yield from sorted(there - listed)


def remove_files(folder: RunFolder, index: int) -> None:
    """Delete all that belongs to a shard."""
    data, _, part = shard_files(folder, index)
    remove_shard(data)
    part.unlink(missing_ok=True)
