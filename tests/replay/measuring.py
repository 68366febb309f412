"""Prints how many MB a process needs at most to read a large replay: `python measuring.py FOLDER SHARDS SAMPLES`."""

import sys
from pathlib import Path

import numpy as np
from making import YATZY, link_shards

from playmill.replay import ReplayReader, SampleOrder, list_shards

ORDERED_BATCHES, RANDOM_BATCHES, BATCH_SIZE = 400, 5, 1024


def main(folder, shards, samples):
    link_shards(folder, shards, samples)
    reader = ReplayReader(list_shards(folder), YATZY)
    order = SampleOrder(reader.block_starts, seed=0)
    for step in range(ORDERED_BATCHES):
        reader.batch(order.numbers(step, BATCH_SIZE))
    rng = np.random.default_rng(0)
    for _ in range(RANDOM_BATCHES):
        reader.batch(rng.integers(0, len(reader), BATCH_SIZE))
    status = Path("/proc/self/status").read_text()
    print(int(status.partition("VmHWM:")[2].split()[0]) / 1000)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
