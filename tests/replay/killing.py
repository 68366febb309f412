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

from making import YATZY, make_data

from playmill.replay import ShardOrigin, list_shards, prepare_folder, read_shard, write_shard

CALLS = ("open", "fsync", "replace")
RANDOM_KILLS = 25


def write_forever(folder):
    index = prepare_folder(folder)
    while True:
        write_shard(folder, index, make_data(seed=index), ShardOrigin.of(YATZY))
        index += 1


def die_at(name, number):
    """Make call number `number` of os.NAME the process's last act."""
    real, seen = getattr(os, name), [0]

    def call(*args, **options):
        seen[0] += 1
        if seen[0] == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **options)

    setattr(os, name, call)


def in_child(work):
    child = os.fork()
    if child == 0:
        work()
    return child


def check(folder):
    """Every listed shard is whole and says what its index says."""
    for path in list_shards(folder):
        data, _ = read_shard(path, YATZY)
        expected = make_data(seed=int(path.stem.removeprefix("shard_")))
        assert data.samples.state.tobytes() == expected.samples.state.tobytes(), path
    return len(list_shards(folder))


def check_after(child, folder, count):
    """Wait until the child was killed; return how many whole shards there are, at least `count`."""
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), status
    now = check(folder)
    assert now >= count
    return now


def main(folder):
    count = 0
    for name in CALLS:
        for number in range(1, 8):
            child = in_child(lambda n=name, k=number: (die_at(n, k), write_forever(folder)))
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
