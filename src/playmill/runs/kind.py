"""What a run is made of: its settings, its phases, how its games are played again. The engine has one kind of run for all
games of the contract; a game that is trained otherwise brings its own with its pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from playmill.core.events import EventLog
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.phases import Phases
from playmill.runs.settings_file import SettingsFile, SettingsSource
from playmill.runs.shown_game import ShownGame
from playmill.runs.verification import VerifyReport
from playmill.runs.watcher import Watcher


class RunLike(Protocol):
    """What the settings of every run have."""

    @property
    def game(self) -> str: ...

    @property
    def seed(self) -> int: ...

    @property
    def iterations(self) -> int: ...

    @property
    def workers(self) -> int | None: ...

    @property
    def executor(self) -> str: ...

    @property
    def ray_address(self) -> str | None: ...

    def digest(self) -> str: ...

    def describe(self) -> dict[str, str]:
        """What a report tells of them, by what it is."""

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...

    def model_copy(self, *, update: Mapping[str, Any]) -> Self: ...


class RunIdentity(NamedTuple):
    """What a run's files are about; none of it changes while it goes on."""

    game: str
    ruleset: str
    action_space: str
    feature_schema: int
    pack: str | None = None  # the package that brought the game's pack, where it is not playmill


class RunKind(Protocol):
    """All that differs between runs. `settings` is always what `load` has read."""

    def settings(self) -> type[SettingsFile]:
        """The model of a settings file."""

    def hidden_settings(self, game: str) -> frozenset[str]:
        """Keys that say nothing to the game."""

    def starting_file(self, game: str, preset: str | None = None) -> str:
        """The commented settings of a first run of the game, as a named preset of its pack has them."""

    def load(self, path: SettingsSource, overrides: Sequence[str] = ()) -> tuple[RunLike, str]:
        """The settings in a file, and its text; both with the overrides."""

    def check(self, path: SettingsSource, overrides: Sequence[str] = ()) -> None:
        """Refuse a file that can't be carried out here, before a folder is made."""

    def identify(self, settings: Any) -> RunIdentity: ...

    def open_phases(
        self, folder: RunFolder, settings: Any, manifest: Manifest, metrics: EventLog, watcher: Watcher
    ) -> Phases: ...

    def files_of_games(self, folder: RunFolder, manifest: Manifest) -> list[Path]:
        """The files that self-play has made, in order."""

    def games_in(self, path: Path) -> list[int]:
        """The numbers of the games in one of these files."""

    def open_game(self, path: Path, number: int) -> ShownGame:
        """One of them, to be stepped through."""

    def play_again(
        self,
        folder: RunFolder,
        manifest: Manifest,
        settings: Any,
        paths: Sequence[Path],
        games: int,
        seed: int,
        report: VerifyReport,
        progress: Callable[[int], None] | None,
    ) -> None:
        """Play `games` games of these files again, chosen by `seed`, and report what differs; `progress` hears of files."""

    def suggest(self, folder: RunFolder, settings: Any) -> list[str]:
        """Commands that look at a run's games or its best network."""
