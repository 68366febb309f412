"""What lies in a run folder, held against what `run.json` lists: what is wrong, what can be put right, what must not go on.

Some files are copies: `models/best.*` of the network kept in `models/history`, `gate_report.json` of the last gate's report. A
copy is made after its entry, so a kill in between leaves an old one; like a damaged one it is made anew from the other, and the
other from it. A candidate can be trained again. What else a run needs must be as it was; what it only keeps (older networks,
reports, logs) is named, and does not stop it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import PlaymillError
from playmill.core.events import parse_event
from playmill.core.files import copy_file
from playmill.pipeline.folder import ELSEWHERE, Manifest, RunFolder
from playmill.pipeline.marks import A_FOLDER, LOG_SUFFIX

NETWORK_SUFFIXES = (".pt", ".meta.json", ".int8.onnx")
BULKY = ".safetensors"  # whoever reads a shard checks its data against its meta
REPLAYABLE = ("replay/", "logs/mcts_roots/")  # `holdings.py` and `restoring.py` play these again
CANDIDATE = "models/candidate."
RETRAIN = "remove models/candidate.pt, and the candidate is trained again"


@dataclass(frozen=True)
class Fault:
    """A file that is not what the manifest says."""

    name: str
    what: str


def network_files(path: Path) -> list[Path]:
    """A checkpoint and what may lie beside it, there or not."""
    return [path.with_suffix(suffix) for suffix in NETWORK_SUFFIXES]


def faults(folder: RunFolder, manifest: Manifest, is_deep: bool = True) -> Iterator[Fault]:
    """Whatever differs from the manifest's list; without `is_deep`, shards' data is only measured."""
    for name, mark in sorted(manifest.files.items()):
        if what := mark.fault(folder.root / name, is_deep or not name.endswith(BULKY)):
            yield Fault(name, what)


def broken_logs(folder: RunFolder, manifest: Manifest) -> Iterator[Fault]:
    """Logs with lines that nobody wrote, or that grew after the run's end."""
    for name, mark in sorted(manifest.files.items()):
        path = folder.root / name
        if name.endswith(LOG_SUFFIX) and mark.fault(path) is None:
            with path.open("rb") as file:
                file.seek(mark.size)
                tail = file.read().splitlines(keepends=True)
            if manifest.phase == "done" and tail:
                yield Fault(name, f"expected {mark.size:,} bytes, got more")
            elif any(line.endswith(b"\n") and parse_event(line) is None for line in tail):
                yield Fault(name, "expected events behind the part that run.json lists, got something else")


def strangers(folder: RunFolder, manifest: Manifest) -> Iterator[Fault]:
    """Files in the run's rooms that are not listed, though nothing is under way that would write them."""
    last = manifest.iterations[-1] if manifest.iterations else None
    is_playing = manifest.phase == "selfplay" or last is None or last.selfplay is None
    is_training = last is not None and last.train is None
    under_way = (*((*REPLAYABLE, "selfplay/") if is_playing else ()), *((CANDIDATE,) if is_training else ()))
    for room in (folder.replay, folder.games, folder.models, folder.gates, folder.logs):
        for path in sorted(room.rglob("*")):
            name = folder.name_of(path)
            is_known = name in manifest.files or name.startswith(under_way) or path.suffix in (LOG_SUFFIX, ".tmp")
            if not is_known and path.is_file():
                yield Fault(name, "not listed in run.json: the run did not write it, or was stopped before it counted")


def listed(folder: RunFolder, manifest: Manifest, path: Path) -> Path:
    """The path, if the file is what the manifest says; refused otherwise."""
    mark = manifest.files.get(folder.name_of(path))
    what = "not listed in run.json" if mark is None else mark.fault(path)
    if what:
        raise PlaymillError(f"{path}: {what}; {ELSEWHERE}")
    return path


# ------------------------------------------------------------------ copies


def copies(folder: RunFolder, manifest: Manifest) -> dict[Path, Path]:
    """The files that are copies, and of what; an int8 model need not be there."""
    pairs = {}
    if manifest.best is not None:
        pairs = dict(zip(network_files(folder.best), network_files(folder.kept(manifest.best)), strict=True))
    gates = [folder.gate_of(entry.number) for entry in manifest.iterations if entry.gate]
    return {**pairs, folder.gate_report: gates[-1]} if gates else pairs


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
            _drop(copy)
        elif mark.fault(copy):
            copy_file(original, copy)


def _drop(path: Path) -> None:
    if path.is_file():
        path.unlink()


def mend(folder: RunFolder, manifest: Manifest) -> None:
    """Make copies anew from their originals, and originals from their copies, and say so."""
    _require_rooms(folder)
    for copy, original in copies(folder, manifest).items():
        mark = manifest.files.get(folder.name_of(copy))
        if mark is None:
            _drop(copy)
            continue
        wrong = {path: what for path in (copy, original) if (what := mark.fault(path))}
        if len(wrong) == 1:
            ((target, what),) = wrong.items()
            source = original if target == copy else copy
            if not target.is_dir():
                copy_file(source, target)
                tell(f"{target}: {what}; restored from {folder.name_of(source)}")


# ------------------------------------------------------------------ needs


def require(folder: RunFolder, manifest: Manifest) -> None:
    """Refuse to go on where something is wrong that the run needs; name what it only keeps."""
    _drop_missing_candidate(folder, manifest)
    found = list(faults(folder, manifest, is_deep=False))
    for fault in found:
        if way_out := _need(manifest, fault):
            raise PlaymillError(f"{folder.root / fault.name}: {fault.what}; {way_out}")
    for fault in (fault for fault in found if not fault.name.startswith(REPLAYABLE)):
        kind = "a log" if fault.name.endswith(LOG_SUFFIX) else "kept for later looks"
        tell(f"{folder.root / fault.name}: {fault.what}; it is only {kind}, so the run goes on")


def _require_rooms(folder: RunFolder) -> None:
    for room in (folder.replay, folder.models, folder.history, folder.gates, folder.games, folder.logs):
        if room.exists() and not room.is_dir():
            raise PlaymillError(f"{room}: expected a folder, got a file; move it away")


def _need(manifest: Manifest, fault: Fault) -> str | None:
    """How to get out of it; None if the run can do without the file."""
    if fault.what == A_FOLDER:
        return "move it away"
    if fault.name.startswith(CANDIDATE):
        return RETRAIN
    if fault.name.startswith(("models/best.", f"models/history/{manifest.best}", "selfplay/")):
        return ELSEWHERE
    return None


def _drop_missing_candidate(folder: RunFolder, manifest: Manifest) -> None:
    """A candidate that somebody took away is trained again, unless its gate is over."""
    if folder.name_of(folder.candidate) not in manifest.files or folder.candidate.exists():
        return
    for path in network_files(folder.candidate):
        _drop(path)
    manifest.forget(folder, *network_files(folder.candidate))
    last = manifest.iterations[-1] if manifest.iterations else None
    if last is not None and last.train is not None and last.gate is None:
        last.train = None
        tell(f"{folder.candidate}: missing; it is trained again")
    manifest.save(folder)


def refuse_lost_run(folder: RunFolder) -> None:
    """Refuse a folder that has a run's files but no manifest: nothing says what they are."""
    for room in (folder.replay, folder.models, folder.gates, folder.games):
        for path in sorted(room.rglob("*")) if room.is_dir() else []:
            if path.is_file():
                raise PlaymillError(
                    f"{folder.root}: there is no {folder.manifest.name} to say what {folder.name_of(path)} is; "
                    "put back a copy of it, move these files away, or choose another folder"
                )


def tell(line: str) -> None:
    """A line for the user."""
    print(f"playmill: {line}", file=sys.stderr, flush=True)
