"""What holds for all tests, and a run that several look at; nobody may change it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# A shell starts background jobs with SIGINT ignored, and children inherit that: tests that press Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    """Whoever starts the tests may tell of a terminal's width (`make` and pytest-xdist do); no test stands in front of one."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("LINES", raising=False)


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
