"""What this machine has of all that playmill can use, and the command that gets what is missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from playmill.bench.machine import core_count, machine_facts
from playmill.core.errors import PlaymillError
from playmill.core.extras import EXTRAS, find_program, is_installed

GIB = 1 << 30
SETS = ("avx", "avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8")  # that networks on a CPU use
EXTRA_WORDS = {
    "nets": "networks: run, train, serve, every --model",
    "openspiel": "OpenSpiel's games searched here, ours played there",
    "pettingzoo": "games as PettingZoo environments",
    "postgres": "puzzles straight into a database",
    "ray": "runs over several machines",
    "serve": "networks that answer for other processes; pages for Prometheus",
    "tensorboard": "export --tensorboard",
    "tui": "the terminal screen",
    "wandb": "export --wandb",
    "web": "pages in the browser",
}
DISTRIBUTIONS = {  # packages that are called otherwise than what is imported
    "zmq": "pyzmq", "pyspiel": "open_spiel",
}  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
APT = "apt-get install -y --no-install-recommends"


@dataclass(frozen=True)
class Finding:
    """One thing: whether it is there, what was found, what it is for, and how to get it."""

    group: str
    name: str
    is_there: bool
    found: str
    use: str = ""
    remedy: str | None = None


def take_inventory() -> list[Finding]:
    """Everything, in the order in which people read it; nothing is started but programs that say their version."""
    return [*_machine(), *_extras(), *_programs()]


# ------------------------------------------------------------------ the machine


def _machine() -> Iterator[Finding]:
    facts = machine_facts()
    yield Finding("machine", "python", True, f"{facts['python']} on {facts['system']}")
    yield Finding("machine", "cores", True, f"{core_count()} usable of {os.cpu_count()}: {facts['cpu']}", "threads of all work")
    yield _instructions()
    yield _memory()
    yield _room()
    yield _gpu()


def _instructions() -> Finding:
    flags = _flags()
    found = [name for name in SETS if name in flags]
    words = " ".join(found) or "not known"
    is_quick = "avx512_vnni" in flags or "avx_vnni" in flags
    return Finding(
        "machine", "instruction sets", bool(found), words, "int8 networks are quickest with VNNI" if not is_quick else ""
    )


def _flags() -> set[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return next((set(line.partition(":")[2].split()) for line in lines if line.startswith(("flags", "Features"))), set())


def _memory() -> Finding:
    try:
        told = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        total, free = (int(told[name].split()[0]) * 1024 / GIB for name in ("MemTotal", "MemAvailable"))
    except (OSError, KeyError, ValueError):
        return Finding("machine", "memory", True, "not known")
    return Finding("machine", "memory", True, f"{free:.1f} of {total:.1f} GiB free", "replay, trees, networks")


def _room() -> Finding:
    from playmill.core.files import cache_folder

    folder = cache_folder("").resolve()
    return Finding(
        "machine", "cache", True, f"{folder}, {shutil.disk_usage(folder).free / GIB:.0f} GiB free", "compiled kernels, tables"
    )


def _gpu() -> Finding:
    use = "networks and training with --set device=cuda"
    if not is_installed("torch"):
        return Finding("machine", "CUDA", False, "torch is not installed", use, _pip("nets"))
    import torch

    if torch.cuda.is_available():
        return Finding("machine", "CUDA", True, f"{torch.cuda.get_device_name()}, CUDA {torch.version.cuda}", use)
    if shutil.which("nvidia-smi") and torch.version.cuda is None:
        return Finding(
            "machine", "CUDA", False, "a GPU, but torch has no CUDA in it", use, "pip install torch  # without the constraints"
        )
    return Finding("machine", "CUDA", False, "no GPU that torch can use; everything runs on the CPU", use)


# ------------------------------------------------------------------ packages and programs


def _pip(extra: str) -> str:
    return f"pip install -c constraints.txt 'playmill[{extra}]'"


def _extras() -> Iterator[Finding]:
    for extra, packages in sorted(EXTRAS.items()):
        missing = [name for name in packages if not is_installed(name)]
        found = f"without {', '.join(missing)}" if missing else ", ".join(map(_versioned, packages))
        yield Finding("extras", extra, not missing, found, EXTRA_WORDS.get(extra, ""), _pip(extra) if missing else None)


def _versioned(package: str) -> str:
    name = DISTRIBUTIONS.get(package, package)
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return name


def _programs() -> Iterator[Finding]:
    yield _katago()
    postgres = shutil.which("initdb") or next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))), None)
    yield _program("PostgreSQL", postgres, "tests of puzzles seed --database", f"{APT} postgresql")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    yield _program("browser", browser, "report --png; tests of the pages", f"{APT} chromium fonts-dejavu-core")
    yield _program("browser driver", shutil.which("chromedriver"), "tests of the pages", f"{APT} chromium-driver")
    yield _program("py-spy", find_program("py-spy"), "flame graphs: profile", _pip("profile"))
    yield _program("Prometheus", find_program("prometheus"), "looks at --metrics pages", f"{APT} prometheus")
    yield _program("Node", shutil.which("node"), "make web: builds the pages anew", f"{APT} nodejs npm")


def _program(name: str, place: object, use: str, remedy: str) -> Finding:
    return Finding("programs", name, place is not None, str(place or "not found"), use, None if place else remedy)


def _katago() -> Finding:
    from playmill.puzzles.katago.place import find_engine
    from playmill.puzzles.katago.settings import KataGoSettings

    use = "puzzles mine --engine katago"
    try:
        return Finding("programs", "KataGo", True, str(find_engine(KataGoSettings()).engine), use)
    except PlaymillError:
        return Finding("programs", "KataGo", False, "not installed", use, "playmill katago install")
