"""Runs that several tests look at; nobody may change them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def smoke_run(tmp_path_factory):
    """A finished run of configs/yatzy_smoke.yaml."""
    folder = tmp_path_factory.mktemp("runs") / "smoke"
    command = [
        sys.executable,
        "-m",
        "playmill.cli.main",
        "run",
        str(ROOT / "configs" / "yatzy_smoke.yaml"),
        "--out",
        str(folder),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return folder
