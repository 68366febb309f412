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
    from playmill.nets.families import NetFamily
    from playmill.packs.diplomacy.neural.phases import DiplomacyPhases
    from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
    from playmill.packs.diplomacy.selfplay.pages import PhasePages

GAME, RULESET = "diplomacy", "datc-3"


def identity() -> RunIdentity:
    """What files of Diplomacy are about."""
    from playmill.packs.diplomacy.neural.features import FEATURE_SCHEMA
    from playmill.packs.diplomacy.neural.logit_ids import ACTION_SPACE

    return RunIdentity(GAME, RULESET, ACTION_SPACE, FEATURE_SCHEMA)


def open_family() -> NetFamily:
    """Its networks, for those who hand rows on without knowing the game, such as a server."""
    from playmill.nets.families import NetFamily
    from playmill.packs.diplomacy.neural.backends import SHAPE, open_backend
    from playmill.packs.diplomacy.neural.checkpoint import load

    game, ruleset, action_space, feature_schema, _ = identity()
    return NetFamily(game, ruleset, action_space, feature_schema, SHAPE.feature_type, SHAPE.players, 0, load, open_backend)


class DiplomacyRuns:
    """Self-play by RM+, training on the recorded games, and a gate of one against six."""

    def settings(self) -> type[DiplomacyRunSettings]:
        from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings

        return DiplomacyRunSettings

    def hidden_settings(self, game: str) -> frozenset[str]:
        return frozenset()

    def starting_file(self, game: str, preset: str | None = None) -> str:
        from playmill.packs.diplomacy.neural.starting import starting_file

        return starting_file()

    def load(self, path: SettingsSource, overrides: Sequence[str] = ()) -> tuple[DiplomacyRunSettings, str]:
        from playmill.packs.diplomacy.neural.run_settings import load_settings

        return load_settings(path, overrides)

    def check(self, path: SettingsSource, overrides: Sequence[str] = ()) -> None:
        from playmill.serve.inference import check_executor, check_infer
        from playmill.train.device import pick_device

        settings, _ = self.load(path, overrides)
        device = pick_device(settings.device)
        check_infer(settings.infer)
        check_executor(settings.executor, device.type, settings.infer)

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

    def games_in(self, path: Path) -> list[int]:
        from playmill.packs.diplomacy.selfplay.pages import game_numbers

        return game_numbers(path)

    def open_game(self, path: Path, number: int) -> PhasePages:
        from playmill.packs.diplomacy.selfplay.pages import open_pages

        return open_pages(path, number)

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
