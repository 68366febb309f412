"""Kills writers and looks at what they leave: `python killing.py FOLDER` prints how many shards stood it.

A process of its own, since it forks: first a writer that dies at its n-th system call of a kind, for every n; then writers
that are killed at random moments.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

from making import YATZY, make_data

from dying import die_at_call, in_child, was_killed
from playmill.replay import ShardOrigin, list_shards, prepare_folder, read_shard, write_shard

CALLS = ("open", "fsync", "replace")
RANDOM_KILLS = 25


def write_forever(folder):
    index = prepare_folder(folder)
    while True:
        write_shard(folder, index, make_data(seed=index), ShardOrigin.of(YATZY))
        index += 1


def check(folder):
    """Every listed shard is whole and says what its index says."""
    for path in list_shards(folder):
        data, _ = read_shard(path, YATZY)
        expected = make_data(seed=int(path.stem.removeprefix("shard_")))
        assert data.samples.state.tobytes() == expected.samples.state.tobytes(), path
    return len(list_shards(folder))


def check_after(child, folder, count):
    """Wait until the child was killed; return how many whole shards there are, at least `count`."""
    assert was_killed(child)
    now = check(folder)
    assert now >= count
    return now


def main(folder):
    count = 0
    for name in CALLS:
        for number in range(1, 8):
            child = in_child(lambda n=name, k=number: (die_at_call(k, names=(n,)), write_forever(folder)))
            count = check_after(child, folder, count)
    rng = random.Random(1)
    for _ in range(RANDOM_KILLS):
        child = in_child(lambda: write_forever(folder))
        time.sleep(rng.uniform(0.0, 0.05))
        os.kill(child, signal.SIGKILL)
        count = check_after(child, folder, count)
    assert prepare_folder(folder) == count
    assert len(list(folder.iterdir())) == 2 * count
    print(count)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
