"""A client of a benchmark's server, as a process: `python -m playmill.bench.serve_client GAME ADDRESS WEIGHTS BATCHES ROWS`.

It answers each line `run SECONDS` with a line of JSON, as peers do: how many rows came back, in how long, and what processor
time that took.
"""

from __future__ import annotations

import json
import sys

from playmill.bench.nets import BenchNet
from playmill.bench.serve import open_client


def main(game: str, address: str, weights: str, batches: str, rows: str) -> None:
    """Answer until nobody asks any more."""
    asking = open_client(BenchNet(game, {}), address, weights, int(batches), int(rows))
    for request in sys.stdin:
        before = asking.cpu_s
        found = asking(float(request.removeprefix("run ")))
        answer = {"count": found.count, "seconds": found.seconds, "cpu_s": asking.cpu_s - before}
        print(json.dumps(answer), flush=True)
    asking.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
