"""Which sources are running."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path

import playmill


@functools.cache
def source_commit() -> str:
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
