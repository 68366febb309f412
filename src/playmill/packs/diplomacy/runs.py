"""Runs of Diplomacy, for the engine's own controller. It imports what it needs when it is needed: networks bring PyTorch."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.core.events import EventLog
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.kind import RunIdentity
from playmill.runs.settings_file import SettingsSource
from playmill.runs.verification import VerifyReport
from playmill.runs.watcher import Watcher

if TYPE_CHECKING:
    from playmill.packs.diplomacy.neural.phases import DiplomacyPhases
    from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings

GAME, RULESET = "diplomacy", "datc-3"


def identity() -> RunIdentity:
    """What files of Diplomacy are about."""
    from playmill.packs.diplomacy.neural.features import FEATURE_SCHEMA
    from playmill.packs.diplomacy.neural.logit_ids import ACTION_SPACE

    return RunIdentity(GAME, RULESET, ACTION_SPACE, FEATURE_SCHEMA)


class DiplomacyRuns:
    """Self-play by RM+, training on the recorded games, and a gate of one against six."""

    def load(self, path: SettingsSource, overrides: Sequence[str] = ()) -> tuple[DiplomacyRunSettings, str]:
        from playmill.packs.diplomacy.neural.run_settings import load_settings

        return load_settings(path, overrides)

    def check(self, path: SettingsSource, overrides: Sequence[str] = ()) -> None:
        from playmill.train.device import pick_device

        pick_device(self.load(path, overrides)[0].device)

    def identify(self, settings: DiplomacyRunSettings) -> RunIdentity:
        return identity()

    def open_phases(
        self, folder: RunFolder, settings: DiplomacyRunSettings, manifest: Manifest, metrics: EventLog, watcher: Watcher
    ) -> DiplomacyPhases:
        from playmill.packs.diplomacy.neural.phases import DiplomacyPhases

        return DiplomacyPhases(folder, settings, manifest, metrics, watcher)

    def files_of_games(self, folder: RunFolder, manifest: Manifest) -> list[Path]:
        paths = (folder.games_of(iteration.number) for iteration in manifest.iterations)
        return [path for path in paths if folder.name_of(path) in manifest.files]

    def play_again(
        self,
        folder: RunFolder,
        manifest: Manifest,
        settings: DiplomacyRunSettings,
        paths: Sequence[Path],
        games: int,
        seed: int,
        report: VerifyReport,
        progress: Callable[[int], None] | None,
    ) -> None:
        from playmill.packs.diplomacy.neural.verify_games import GameVerifier

        GameVerifier(folder, manifest, settings, report).run(paths, games, seed, progress)

    def suggest(self, folder: RunFolder, settings: DiplomacyRunSettings) -> list[str]:
        games, best = (shlex.quote(str(path)) for path in (folder.games_of(0), folder.best))
        with_network = [
            f"playmill diplomacy search start --kind neural --model {best}",
            f"playmill diplomacy ladder --rung neural:rm_plus --model {best}",
        ]
        return [f"playmill diplomacy check {games}", *(with_network if folder.best.exists() else [])]
