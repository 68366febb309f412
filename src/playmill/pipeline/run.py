"""A run: which kind it is, its folder opened, its controller."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from playmill.core.errors import UsageError
from playmill.core.events import EventLog
from playmill.packs.recording import open_recording
from playmill.packs.registry import find_game, pack_of, package_of_pack
from playmill.pipeline.checks import check_run
from playmill.pipeline.controller import Controller
from playmill.pipeline.holdings import listed_shards
from playmill.pipeline.phases import EnginePhases
from playmill.pipeline.settings import RunSettings, load_settings
from playmill.pipeline.starting import find_preset, hidden_settings, starting_file
from playmill.pipeline.verify_shards import ShardVerifier
from playmill.replay.game_text import GamePages
from playmill.replay.meta import read_meta
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.heartbeat import Heartbeat
from playmill.runs.kind import RunIdentity, RunKind
from playmill.runs.resume import begin_run, open_folder
from playmill.runs.settings_file import SettingsSource, read_content
from playmill.runs.verification import VerifyReport
from playmill.runs.watcher import RunDisplay, Watcher


class EngineRuns:
    """The runs of all games of the contract."""

    def settings(self) -> type[RunSettings]:
        return RunSettings

    def hidden_settings(self, game: str) -> frozenset[str]:
        return hidden_settings(find_game(game))

    def starting_file(self, game: str, preset: str | None = None) -> str:
        return starting_file(game, preset)

    def load(self, path: SettingsSource, overrides: Sequence[str] = ()) -> tuple[RunSettings, str]:
        return load_settings(path, overrides)

    def check(self, path: SettingsSource, overrides: Sequence[str] = ()) -> None:
        check_run(path, overrides)

    def identify(self, settings: RunSettings) -> RunIdentity:
        game = find_game(settings.game)
        pack = package_of_pack(game.name)
        return RunIdentity(game.name, game.ruleset, game.action_space, game.feature_schema, pack)

    def open_phases(
        self, folder: RunFolder, settings: RunSettings, manifest: Manifest, metrics: EventLog, watcher: Watcher
    ) -> EnginePhases:
        return EnginePhases(folder, settings, manifest, metrics, watcher)

    def files_of_games(self, folder: RunFolder, manifest: Manifest) -> list[Path]:
        return listed_shards(folder, manifest)

    def games_in(self, path: Path) -> list[int]:
        meta = read_meta(path)
        return list(range(meta.first_game, meta.first_game + meta.games))

    def open_game(self, path: Path, number: int) -> GamePages:
        return GamePages(open_recording(path, number))

    def play_again(
        self,
        folder: RunFolder,
        manifest: Manifest,
        settings: RunSettings,
        paths: Sequence[Path],
        games: int,
        seed: int,
        report: VerifyReport,
        progress: Callable[[int], None] | None,
    ) -> None:
        ShardVerifier(folder, settings, report).run(paths, games, seed, progress)

    def suggest(self, folder: RunFolder, settings: RunSettings) -> list[str]:
        best, game = (shlex.quote(str(word)) for word in (folder.best, settings.game))
        pack = pack_of(settings.game)
        measures = [f"playmill measure {game} --model {best}"] if pack.measures else []
        own = pack.suggest(game, best) if pack.suggest else []
        return [*(own or measures), f"playmill explore {game} --model {best}"]


def starting_text(game: str, preset: str | None = None) -> str:
    """A commented file of settings of the game, as a preset of its pack has them."""
    pack = pack_of(game)
    find_preset(pack, game, preset)  # an unknown one is refused, whatever kind of run it is
    return (pack.run or EngineRuns()).starting_file(game, preset)


def require_pack(folder: RunFolder, manifest: Manifest | None) -> None:
    """Refuse a run that was begun with a pack of another package, where that package is not installed."""
    if manifest is not None and manifest.pack is not None and package_of_pack(manifest.game) is None:
        raise UsageError(
            f"{folder.root}: the run needs the pack of {manifest.game} that the package {manifest.pack} brings, and it is not"
            " installed here; install it"
        )


def kind_of(config: SettingsSource) -> RunKind:
    """What kind of run a file of settings is for: that of its game's pack, or the engine's."""
    game = read_content(config)[0].get("game")
    if not isinstance(game, str):
        return EngineRuns()  # it has more to say about that
    try:
        return pack_of(game).run or EngineRuns()
    except UsageError as error:
        raise UsageError(f"{config}: game: {error}") from None


def open_run(config: SettingsSource, out: Path, watcher: RunDisplay, overrides: Sequence[str] = ()) -> Controller:
    """The controller of the run in `out`: begun if it is new, else carried on."""
    kind, folder = kind_of(config), RunFolder(out)
    settings, text = kind.load(config, overrides)
    manifest = open_folder(folder, settings, text, kind.load)
    if manifest is None:
        manifest = begin_run(folder, settings, text, kind.identify(settings))
    metrics, heartbeat = EventLog(folder.metrics, manifest.event_head()), Heartbeat(folder, watcher)
    phases = kind.open_phases(folder, settings, manifest, metrics, heartbeat)
    return Controller(folder, manifest, settings.iterations, phases, metrics, heartbeat)
