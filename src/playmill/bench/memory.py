"""How much memory a million playouts take, measured in a process of its own: `python -m playmill.bench.memory COUNT`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.errors import PlaymillError

PLAYOUTS = 1_000_000
MB = 1e6
_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_RESET_PEAK = "5"


@benchmark("sim.memory", "MB")
def memory(_setup: Setup) -> Measured:
    """How far the peak of resident memory grows over 1,000,000 connect-four playouts."""
    command = [sys.executable, "-m", __name__, str(PLAYOUTS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PlaymillError(f"the measuring process failed: {done.stderr.strip().splitlines()[-1]}")
    found = json.loads(done.stdout)
    return Measured(found["peak_mb"] - found["before_mb"], {"playouts": PLAYOUTS, **found})


def measure(count: int) -> dict[str, float]:
    """This process's peak before and after `count` playouts, MB."""
    from playmill.games.connect_four import CONNECT_FOUR
    from playmill.sim import Simulator, uniform_random

    simulator = Simulator(uniform_random)
    simulator.playout_many(CONNECT_FOUR, 1)
    _forget_peak()
    before = _peak_mb()
    batch = simulator.playout_many(CONNECT_FOUR, count)
    assert batch.count == count
    return {"before_mb": before, "peak_mb": _peak_mb()}


def _forget_peak() -> None:
    """Start the peak anew from what is resident now: compiling may have taken more than what is measured here."""
    if _CLEAR.exists():
        _CLEAR.write_text(_RESET_PEAK)


def _peak_mb() -> float:
    """The highest resident size so far. On Linux `ru_maxrss` won't do: a child begins with that of its parent."""
    if _STATUS.exists():
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / MB
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
