"""Files of a run that are copies: `models/best.*` of a network kept in `models/history`, `gate_report.json` of the last gate's.

A copy is made after its entry in the manifest, so a kill in between leaves an old one. Like a damaged one it is made anew from
the other, and the other from it.
"""

from __future__ import annotations

from pathlib import Path

from playmill.core.files import copy_file
from playmill.runs.contents import drop, network_files, require_rooms, tell
from playmill.runs.folder import Manifest, RunFolder


def copies(folder: RunFolder, manifest: Manifest) -> dict[Path, Path]:
    """The files that are copies, and of what; an int8 model need not be there."""
    pairs: dict[Path, Path] = {}
    if manifest.best is not None:
        pairs = dict(zip(network_files(folder.best), network_files(folder.kept(manifest.best)), strict=True))
    if folder.name_of(folder.gate_report) in manifest.files:
        last = max(entry.number for entry in manifest.iterations if entry.gate)
        pairs[folder.gate_report] = folder.gate_of(last)
    return pairs


def enter_best(folder: RunFolder, manifest: Manifest, source: Path, weights: str) -> None:
    """Keep the network in `source` and enter it as the best; `make_copies` shows it once the manifest is saved."""
    manifest.forget(folder, *network_files(folder.best))
    for part, kept, best in zip(
        network_files(source), network_files(folder.kept(weights)), network_files(folder.best), strict=True
    ):
        if part.exists():
            if part != kept:
                copy_file(part, kept)
            manifest.enter(folder, kept)
            manifest.files[folder.name_of(best)] = manifest.files[folder.name_of(kept)]
    manifest.best = weights


def make_copies(folder: RunFolder, manifest: Manifest) -> None:
    """Bring every copy up to date; one that the manifest does not list is of an older network."""
    for copy, original in copies(folder, manifest).items():
        mark = manifest.files.get(folder.name_of(copy))
        if mark is None:
            drop(copy)
        elif mark.fault(copy):
            copy_file(original, copy)


def mend(folder: RunFolder, manifest: Manifest) -> None:
    """Make copies anew from their originals, and originals from their copies, and say so."""
    require_rooms(folder)
    for copy, original in copies(folder, manifest).items():
        mark = manifest.files.get(folder.name_of(copy))
        if mark is None:
            drop(copy)
            continue
        wrong = {path: what for path in (copy, original) if (what := mark.fault(path))}
        if len(wrong) == 1:
            ((target, what),) = wrong.items()
            source = original if target == copy else copy
            if not target.is_dir():
                copy_file(source, target)
                tell(f"{target}: {what}; restored from {folder.name_of(source)}")
