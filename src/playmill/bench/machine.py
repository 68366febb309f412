"""Where and of what a number was measured: facts about the machine, and the commit."""

from __future__ import annotations

import functools
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any


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
