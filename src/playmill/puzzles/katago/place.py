"""Where the engine, its network and its configuration are: the user's own, or those that were installed."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from playmill.core.documents import fit, parse_object, read_bytes
from playmill.core.errors import PlaymillError, UsageError, one_line
from playmill.core.files import cache_folder
from playmill.core.settings import Settings
from playmill.puzzles.katago.parcels import file_hash
from playmill.puzzles.katago.settings import KataGoSettings

NAME = "installed.json"
NONE = "katago: there is no KataGo here; `playmill katago install` gets one, and `--engine solver` needs none"
VERSION_S = 60.0  # for the program to say its version


class Installed(Settings):
    """What `installed.json` says: paths of the engine that is used where no other is named."""

    engine: str
    network: str
    config: str
    tuner: str | None = None


@dataclass(frozen=True)
class EnginePlace:
    """The files of an engine that can be started."""

    engine: Path
    network: Path
    config: Path
    tuner: Path | None = None


@dataclass(frozen=True)
class Identity:
    """What its answers depend on: the program, the network and the configuration."""

    version: str
    build: str
    network_sha256: str
    config_sha256: str


def home() -> Path:
    """The folder of all that has to do with KataGo."""
    return cache_folder("katago")


def find_engine(settings: KataGoSettings) -> EnginePlace:
    """The files that the settings name, and the installed ones for those that they don't; each is there."""
    named = (settings.engine, settings.network, settings.config)
    if not is_there(settings):
        raise UsageError(NONE)
    installed = None if all(named) else read_installed()
    others = ("", "", "") if installed is None else (installed.engine, installed.network, installed.config)
    engine, network, config = (Path(own or other) for own, other in zip(named, others, strict=True))
    tuner = None if installed is None or settings.engine else installed.tuner  # it belongs to the installed engine
    return require_files(EnginePlace(engine, network, config, None if tuner is None else Path(tuner)))


def is_there(settings: KataGoSettings) -> bool:
    """Whether there is an engine at all: one that the settings name, or an installed one."""
    return all((settings.engine, settings.network, settings.config)) or read_installed() is not None


def read_installed() -> Installed | None:
    """What was installed; None if nothing was."""
    path = home() / NAME
    if not path.exists():
        return None
    return fit(Installed, str(path), parse_object(read_bytes(path), str(path)))


def require_files(place: EnginePlace) -> EnginePlace:
    """Return the place if its files are there and the engine can be run."""
    for part, path in (("engine", place.engine), ("network", place.network), ("configuration", place.config)):
        if not path.is_file():
            raise UsageError(
                f"katago: {part}: expected a file, but there is no {path}; `playmill katago install` puts one there"
            )
    if not os.access(place.engine, os.X_OK):
        raise UsageError(f"katago: engine: {place.engine} can't be run; make it executable (chmod +x)")
    for setting in (place.tuner, home()):
        if "," in str(setting):
            raise UsageError(f"katago: {setting}: expected a path without a comma, which KataGo takes for the end of a setting")
    return place


def identify(place: EnginePlace) -> Identity:
    """Who would answer, found out without starting the engine."""
    told = _ask_version(place.engine)
    first = told.splitlines()[0].split() if told.strip() else []
    version = first[-1].removeprefix("v") if first else "unknown"
    build = hashlib.sha256(told.encode()).hexdigest()[:12]
    return Identity(version, build, file_hash(place.network), file_hash(place.config))


def _ask_version(engine: Path) -> str:
    try:
        done = subprocess.run(
            [engine, "version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=VERSION_S
        )
    except OSError as error:
        raise UsageError(f"katago: engine: {engine} can't be run ({error.strerror})") from None
    except subprocess.TimeoutExpired:
        raise PlaymillError(f"katago: {engine} did not say its version within {VERSION_S:.0f} s") from None
    if done.returncode:
        raise PlaymillError(f"katago: {engine} could not say its version: {one_line(done.stderr or done.stdout)}")
    return done.stdout
