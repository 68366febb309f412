"""Where and of what a number was measured: facts about the machine, and the commit."""

from __future__ import annotations

import functools
import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

import playmill


@functools.cache
def machine_facts() -> dict[str, Any]:
    """CPU model, usable cores, system, and the versions that decide about speed."""
    return {
        "cpu": _cpu_model(),
        "cores": core_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def core_count() -> int:
    """The cores that this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"


@functools.cache
def commit() -> str:
    """The git commit of the sources, "-dirty" if they were edited since; outside a checkout, the package's version."""
    assert playmill.__file__ is not None
    source = Path(playmill.__file__)
    # An installed package can lie inside somebody else's checkout (.venv/), whose commit says nothing about it.
    if _git(source.parent, "ls-files", "--error-unmatch", source.name) is None:
        return f"playmill {playmill.__version__}"
    described = _git(source.parent, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    return described or f"playmill {playmill.__version__}"


def _git(folder: Path, *args: str) -> str | None:
    """What a git command answers; None if it fails or there is no git. It takes no locks, so nothing is changed."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(["git", *args], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
