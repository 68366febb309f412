"""How long a user waits before anything happens: whole processes, timed from outside."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.errors import PlaymillError

RUNS = 5
_COMMAND = ("-m", "playmill.cli.main")


@benchmark("start.import", "s")
def import_package(_setup: Setup) -> Measured:
    """What `import playmill` adds to a bare Python."""
    bare, importing = _in_turns(("-c", "pass"), ("-c", "import playmill"))
    return Measured(importing - bare, {"bare_python_s": bare})


@benchmark("start.help", "s")
def show_help(_setup: Setup) -> Measured:
    """`playmill --help` from start to end."""
    (seconds,) = _in_turns((*_COMMAND, "--help"))
    return Measured(seconds)


@benchmark("start.simulate", "s")
def simulate(_setup: Setup) -> Measured:
    """`playmill simulate connect_four --playouts 1` from start to end, kernels from the cache."""
    (seconds,) = _in_turns((*_COMMAND, "simulate", "connect_four", "--playouts", "1", "--json"))
    return Measured(seconds)


def _in_turns(*commands: tuple[str, ...]) -> list[float]:
    """The median seconds of each command of this Python, over RUNS turns; one before them fills the caches."""
    for args in commands:
        _wall(args)
    turns = [[_wall(args) for args in commands] for _ in range(RUNS)]
    return [statistics.median(seconds) for seconds in zip(*turns, strict=True)]


def _wall(args: tuple[str, ...]) -> float:
    """The seconds that one process takes."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, *args], capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if done.returncode != 0:
        reason = " ".join(done.stderr.strip().splitlines()[-1:])
        raise PlaymillError(f"python {' '.join(args)}: expected exit code 0, got {done.returncode}: {reason}")
    return seconds
