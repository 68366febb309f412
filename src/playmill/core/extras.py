"""Packages that are not always there, and the line that says how to get them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from playmill.core.errors import UsageError

EXTRAS = {
    "nets": ("torch", "onnx", "onnxruntime"),
    "openspiel": ("pyspiel",),
    "pettingzoo": ("gymnasium", "pettingzoo"),
    "postgres": ("psycopg",),
    "ray": ("ray",),
    "serve": ("zmq", "prometheus_client", "isal"),
    "tensorboard": ("tensorboardX",),
    "tui": ("textual",),
    "wandb": ("wandb",),
    "web": ("fastapi", "uvicorn"),
}


class MissingExtra(UsageError):
    """What is asked for needs an extra that is not installed."""


def require_extra(extra: str, what: str, packages: Iterable[str] | None = None) -> None:
    """Refuse `what` in one line, before any work, where a package of the extra is missing: any, or one of `packages`."""
    for package in packages or EXTRAS[extra]:
        if not is_installed(package):
            raise MissingExtra(_line(extra, package, what))


def missing_extra(error: ModuleNotFoundError) -> str | None:
    """The line for an import that failed for want of an extra; None for any other."""
    package = (error.name or "").partition(".")[0]
    extra = next((extra for extra, packages in EXTRAS.items() if package in packages), None)
    return None if extra is None else _line(extra, package, "this command")


def is_installed(package: str) -> bool:
    """Whether a package can be imported."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # it is being kept out, or was imported without a spec
        return False


def find_program(name: str) -> str | None:
    """Where a program is that a package brings: beside this Python, or wherever programs are."""
    return shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


def _line(extra: str, package: str, what: str) -> str:
    return f"{what} needs {package}, which is not installed; pip install -c constraints.txt 'playmill[{extra}]'"
