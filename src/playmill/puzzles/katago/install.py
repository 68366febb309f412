"""Getting an engine: a published KataGo for machines without a graphics card, or the user's own.

Each step leaves its result where it belongs or nothing, and a step whose result is there is not done again.
"""

from __future__ import annotations

import ctypes.util
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from playmill.core.errors import PlaymillError, UsageError, one_line
from playmill.core.files import atomic_write
from playmill.puzzles.katago import parcels
from playmill.puzzles.katago.place import NAME, EnginePlace, Installed, home, require_files
from playmill.puzzles.katago.settings import KataGoSettings

PACKAGES = ("ocl-icd-libopencl1", "pocl-opencl-icd")
APT = ("apt-get", "install", "-y", "--no-install-recommends", *PACKAGES)
VENDORS = Path("/etc/OpenCL/vendors")
TUNER, CONFIG = "tune_pocl_v13.txt", "analysis.cfg"
APT_S, EXTRACT_S = 900.0, 300.0
Say = Callable[[str], None]


def install(settings: KataGoSettings, say: Say) -> EnginePlace:
    """Make an engine the one that is used from now on: the parts that the settings name, and fetched ones for the others."""
    named = {part: getattr(settings, part) for part in ("engine", "network", "config")}
    own = {part: Path(name).absolute() for part, name in named.items() if name}
    for part, path in own.items():  # before anything is fetched
        if not path.is_file():
            raise UsageError(f"katago: {part}: expected a file, but there is no {path}")
    engine = own.get("engine") or _fetch_engine(say)
    network = own.get("network") or _fetch_network(say)
    config = own.get("config") or _copy_data(CONFIG)
    tuner = None if "engine" in own else _copy_data(TUNER)
    place = require_files(EnginePlace(engine, network, config, tuner))
    paths = {part: str(getattr(place, part)) for part in ("engine", "network", "config")}
    row = Installed(**paths, tuner=None if tuner is None else str(tuner))
    atomic_write(home() / NAME, json.dumps(row.model_dump(), indent=1) + "\n")
    say(f"{home() / NAME}: this engine is used from now on")
    return place


def _fetch_engine(say: Say) -> Path:
    """The published engine, fetched and unpacked now if it isn't there."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise UsageError(
            f"katago: the published engine is for Linux on x86_64, this is {platform.system()} on {platform.machine()}; "
            "name your own with --engine, --network and --config"
        )
    _provide_opencl(say)
    folder = home() / parcels.ENGINE.requirement.replace("==", "-")
    program = folder / "squashfs-root" / "AppRun"
    if program.is_file():
        say(f"engine: {program} is there")
        return program
    image = home() / "katago.AppImage"
    if not parcels.is_whole(image, parcels.ENGINE):
        say(f"engine: downloading {parcels.ENGINE.requirement} (106 MB)")
        parcels.fetch(parcels.ENGINE, image)
    say("engine: unpacking")
    _unpack(image, folder)
    image.unlink()
    return program


def _unpack(image: Path, folder: Path) -> None:
    """Have the image unpack itself beside the folder, which then appears as a whole."""
    image.chmod(0o755)
    beside = folder.with_name(folder.name + ".new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    done = subprocess.run([image, "--appimage-extract"], cwd=beside, capture_output=True, text=True, timeout=EXTRACT_S)
    if done.returncode or not (beside / "squashfs-root" / "AppRun").is_file():
        raise PlaymillError(f"katago: {image} could not be unpacked: {one_line(done.stderr)}")
    shutil.rmtree(folder, ignore_errors=True)
    beside.rename(folder)


def _fetch_network(say: Say) -> Path:
    path = home() / Path(parcels.NETWORK.member).name
    if parcels.is_whole(path, parcels.NETWORK):
        say(f"network: {path} is there")
        return path
    say(f"network: downloading {parcels.NETWORK.requirement} (59 MB)")
    parcels.fetch(parcels.NETWORK, path)
    return path


def _copy_data(name: str) -> Path:
    """A data file of the package, where the engine can read it."""
    path = home() / name
    data = files("playmill.puzzles.katago").joinpath(name).read_bytes()
    if not path.is_file() or path.read_bytes() != data:
        atomic_write(path, data)
    return path


# ------------------------------------------------------------------ what Debian has to bring


def has_opencl() -> bool:
    """Whether there is an OpenCL loader, and a device behind it."""
    return ctypes.util.find_library("OpenCL") is not None and VENDORS.is_dir() and any(VENDORS.glob("*.icd"))


def _provide_opencl(say: Say) -> None:
    """Install what the published engine needs of Debian, or say how; a machine may have another OpenCL."""
    if has_opencl():
        say("OpenCL: it is there")
        return
    command = " ".join(APT)
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"OpenCL: {command}")
        if not _apt(APT) and not (_apt(("apt-get", "update")) and _apt(APT)):
            say(f"OpenCL: that failed, and the engine won't start without it; try: {command}")
    else:
        say(f"OpenCL: it is missing, and the engine won't start without it; install it with: sudo {command}")


def _apt(command: tuple[str, ...]) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=APT_S)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
