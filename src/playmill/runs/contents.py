"""What lies in a run folder, held against what `run.json` lists: what is wrong, and what must not go on.

A run needs its best network, the files of its games and, once it is trained, its candidate, which can be trained again. Shards
can be played again. What a run only keeps (older networks, reports, logs) is named, and does not stop it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import PlaymillError
from playmill.core.events import parse_event
from playmill.runs.folder import ELSEWHERE, Manifest, RunFolder
from playmill.runs.marks import A_FOLDER, LOG_SUFFIX

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


def enter_network(folder: RunFolder, manifest: Manifest, path: Path) -> None:
    """Write down a checkpoint and what lies beside it; not saved yet."""
    manifest.enter(folder, *(file for file in network_files(path) if file.exists()))


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
    for_people = (folder.controller_log, folder.native_log, folder.serve_log, folder.output_log)
    for room in (folder.replay, folder.games, folder.models, folder.gates, folder.logs):
        for path in sorted(room.rglob("*")):
            name = folder.name_of(path)
            is_log = path.suffix in (LOG_SUFFIX, ".tmp") or path in for_people
            is_known = name in manifest.files or name.startswith(under_way) or is_log
            if not is_known and path.is_file():
                yield Fault(name, "not listed in run.json: the run did not write it, or was stopped before it counted")


def listed(folder: RunFolder, manifest: Manifest, path: Path) -> Path:
    """The path, if the file is what the manifest says; refused otherwise."""
    mark = manifest.files.get(folder.name_of(path))
    what = "not listed in run.json" if mark is None else mark.fault(path)
    if what:
        raise PlaymillError(f"{path}: {what}; {ELSEWHERE}")
    return path


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


def require_rooms(folder: RunFolder) -> None:
    """Refuse files where the run has folders."""
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
        drop(path)
    manifest.forget(folder, *network_files(folder.candidate))
    last = manifest.iterations[-1] if manifest.iterations else None
    if last is not None and last.train is not None and last.gate is None:
        last.train = None
        tell(f"{folder.candidate}: missing; it is trained again")
    manifest.save(folder)


def drop(path: Path) -> None:
    """Delete a file, if it is one."""
    if path.is_file():
        path.unlink()


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
    """A line for the user, and for the log of a run at work."""
    print(f"playmill: {line}", file=sys.stderr, flush=True)
    logging.getLogger("playmill").info(line)
