"""What a new run may be made of: configurations in a folder, games with their presets, runs and drafts that are there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path

from playmill.games.registry import BUILT_IN
from playmill.packs.registry import find_pack, load_packs
from playmill.pipeline.run import kind_of, starting_text
from playmill.runs.settings_file import SettingsSource, SettingsText, read_content
from playmill.runs.settings_form import SettingsForm
from playmill.runs.shelf import ShelfEntry

CONFIGS = Path("configs")
COMMENT_LINES = 20  # of a file that are looked at


@dataclass(frozen=True)
class StartingPoint:
    """Settings to begin with, made when they are wanted."""

    label: str
    about: str
    name: str  # for a run made of it
    open: Callable[[], SettingsSource]


def starting_points(entries: Iterable[ShelfEntry], configs: Path = CONFIGS) -> list[StartingPoint]:
    """All of them, configurations first."""
    return [*_configurations(configs), *_games(), *_copies(entries)]


def open_form(source: SettingsSource, name: str) -> SettingsForm:
    """The form of the settings in a file, be they wrong; its game must be known."""
    content, _ = read_content(source)
    kind = kind_of(source)
    game = content.get("game")
    hidden = kind.hidden_settings(game) if isinstance(game, str) and game else frozenset[str]()
    return SettingsForm(kind.settings(), name, content, hidden)


def _configurations(folder: Path) -> list[StartingPoint]:
    paths = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
    return [StartingPoint(str(path), _first_sentence(path), path.stem, lambda path=path: path) for path in paths]  # type: ignore[misc]


def _first_sentence(path: Path) -> str:
    """That of the comment that a file begins with."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = list(takewhile(lambda line: line.startswith("#"), islice(file, COMMENT_LINES)))
    except OSError:
        return ""
    text = " ".join(line.removeprefix("#").strip() for line in lines)
    return re.split(r"(?<=[.!?]) +(?=[A-Z])", text)[0]


def _games() -> list[StartingPoint]:
    points = []
    for game in [*BUILT_IN, *(name for name in _games_of_runs() if name not in BUILT_IN)]:
        points.append(_game(game, None, f"a first run of {game}"))
        points += [_game(game, preset, found.about) for preset, found in find_pack(game).named_presets.items()]
    return points


def _games_of_runs() -> list[str]:
    """Games that are trained otherwise than the engine's."""
    return [game for pack in load_packs() if pack.run is not None for game in pack.games]


def _game(game: str, preset: str | None, about: str) -> StartingPoint:
    label = game if preset is None else f"{game} --preset {preset}"
    name = game if preset is None else f"{game}-{preset}"
    return StartingPoint(label, about, name, lambda: SettingsText(label, starting_text(game, preset)))


def _copies(entries: Iterable[ShelfEntry]) -> list[StartingPoint]:
    """Settings of runs and drafts that are there."""
    points = []
    for entry in entries:
        path = entry.folder.config if entry.view is not None else entry.folder.draft
        if entry.game and path.exists():
            about = f"the settings of {entry.name}, a run of {entry.game}"
            points.append(StartingPoint(f"copy of {entry.name}", about, entry.name, lambda path=path: path))  # type: ignore[misc]
    return points
