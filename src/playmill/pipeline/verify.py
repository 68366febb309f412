"""Whether a run is what it says it is: every file checked, and some games played and searched again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playmill.core.errors import PlaymillError
from playmill.pipeline.run import kind_of, require_pack
from playmill.replay.meta import meta_path
from playmill.runs.contents import Fault, broken_logs, faults, strangers
from playmill.runs.folder import Manifest, RunFolder, find_run, read_manifest
from playmill.runs.verification import Problem, VerifyReport


def verify_run(root: Path, games: int, seed: int = 0, progress: Callable[[int], None] | None = None) -> VerifyReport:
    """Check every file of the run, and `games` games, chosen by `seed` and spread over the files of games, all over again."""
    folder, manifest = find_run(root)
    require_pack(folder, manifest)
    report = VerifyReport(str(root), files=len(manifest.files), problems=file_problems(folder, manifest))
    wrong = {problem.file for problem in report.problems}
    if folder.config.name not in wrong:
        kind = kind_of(folder.config)
        # Only what is as it was written can be looked into.
        paths = [path for path in kind.files_of_games(folder, manifest) if not _names_of(folder, path) & wrong]
        if paths:
            kind.play_again(folder, manifest, kind.load(folder.config)[0], paths, games, seed, report, progress)
    return report


def count_game_files(root: Path) -> int:
    """How many files of games a run lists, 0 where it can't be told: whoever verifies it says why."""
    try:
        folder, manifest = find_run(root)
        return len(kind_of(folder.config).files_of_games(folder, manifest))
    except PlaymillError:
        return 0


def file_problems(folder: RunFolder, manifest: Manifest) -> list[Problem]:
    """Whatever is not as the manifest says. The run may be at work: what looks wrong is looked at again."""
    found = _look(folder, manifest)
    if found:
        again = _look(folder, read_manifest(folder) or manifest)
        found = [fault for fault in found if fault in again]
    return [Problem(fault.name, None, fault.what) for fault in found]


def _look(folder: RunFolder, manifest: Manifest) -> list[Fault]:
    return [*faults(folder, manifest), *broken_logs(folder, manifest), *strangers(folder, manifest)]


def _names_of(folder: RunFolder, path: Path) -> set[str]:
    return {folder.name_of(path), folder.name_of(meta_path(path))}
