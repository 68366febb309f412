"""Files of a run that are copies: `models/best.*` of a network kept in `models/history`, `gate_report.json` of the last gate's,
`models/latest.*` and `models/iter_N.*` of candidates as they were trained.

A copy is made after its entry in the manifest, so a kill in between leaves an old one. Like a damaged one it is made anew from
the other, and the other from it; only a candidate never is, as it may be under way.
"""

from __future__ import annotations

from pathlib import Path

from playmill.core.files import copy_file
from playmill.runs.contents import CANDIDATE, drop, network_files, require_rooms, tell
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.marks import Mark

KEPT, LATEST, ITERATION = "models/history/", "models/latest.", "models/iter_"


def copies(folder: RunFolder, manifest: Manifest) -> dict[Path, Path]:
    """The files that are copies, and of what; an int8 model need not be there."""
    pairs: dict[Path, Path] = {}
    if manifest.best is not None:
        pairs = dict(zip(network_files(folder.best), network_files(folder.kept(manifest.best)), strict=True))
    if folder.name_of(folder.gate_report) in manifest.files:
        last = max(entry.number for entry in manifest.iterations if entry.gate)
        pairs[folder.gate_report] = folder.gate_of(last)
    return {**pairs, **_twins(folder, manifest)}


def _twins(folder: RunFolder, manifest: Manifest) -> dict[Path, Path]:
    """The files of `iter_N` and then of `latest`, each with another that has the same content, by its mark."""
    same: dict[Mark, list[str]] = {}
    for name, mark in sorted(manifest.files.items(), key=lambda item: _rank(item[0])):
        same.setdefault(mark, []).append(name)
    pairs = {}
    for name in sorted(name for name in manifest.files if name.startswith((LATEST, ITERATION))):  # iter_ before latest
        others = [other for other in same[manifest.files[name]] if other != name and other.startswith("models/")]
        if others:
            pairs[folder.root / name] = folder.root / others[0]
    return pairs


def _rank(name: str) -> int:
    """Which of several files with the same content to take: one that stays before one that is soon replaced."""
    order = (KEPT, CANDIDATE, ITERATION)
    return next((rank for rank, start in enumerate(order) if name.startswith(start)), len(order))


def enter_first(folder: RunFolder, manifest: Manifest, weights: str) -> None:
    """Enter the kept network with these weights as the one that the run began with."""
    _enter_copies(folder, manifest, folder.kept(weights), folder.network_after(0))


def enter_latest(folder: RunFolder, manifest: Manifest, iterations: int) -> None:
    """Enter the candidate as the latest network, and as what came of so many iterations."""
    _enter_copies(folder, manifest, folder.candidate, folder.latest, folder.network_after(iterations))


def _enter_copies(folder: RunFolder, manifest: Manifest, source: Path, *targets: Path) -> None:
    """Enter `targets` as what is entered of `source`; `make_copies` makes them once the manifest is saved."""
    for target in targets:
        manifest.forget(folder, *network_files(target))
        for part, copy in zip(network_files(source), network_files(target), strict=True):
            if mark := manifest.files.get(folder.name_of(part)):
                manifest.files[folder.name_of(copy)] = mark


def old_iterations(folder: RunFolder, manifest: Manifest, newest: int, kept: int) -> list[Path]:
    """Files of the networks of iterations before the `kept` ones that end with `newest`; the first network stays."""
    networks = [folder.network_after(iterations) for iterations in range(1, newest - kept + 1)]
    return [file for path in networks for file in network_files(path) if folder.name_of(file) in manifest.files]


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
        elif mark.fault(copy, is_deep=not copy.name.startswith("iter_")):  # no other network ever has that name
            copy_file(original, copy)


def mend(folder: RunFolder, manifest: Manifest) -> None:
    """Make copies anew from their originals, and originals from their copies, and say so."""
    require_rooms(folder)
    for path in folder.models.glob("iter_*"):  # a kill may come between striking one off and deleting it
        if folder.name_of(path) not in manifest.files:
            drop(path)
    for copy, original in copies(folder, manifest).items():
        mark = manifest.files.get(folder.name_of(copy))
        if mark is None:
            drop(copy)
            continue
        wrong = {path: what for path in (copy, original) if (what := mark.fault(path))}
        if len(wrong) == 1:
            ((target, what),) = wrong.items()
            source = original if target == copy else copy
            if not target.is_dir() and not folder.name_of(target).startswith(CANDIDATE):
                copy_file(source, target)
                tell(f"{target}: {what}; restored from {folder.name_of(source)}")
