"""Trains on FOLDER/games.jsonl and is killed after a step: `python killed.py FOLDER STEP`."""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from diplomacy_neural.lessons import make_job
from playmill.train.trainer import train


def main(folder, last):
    def watch(step, **facts):
        if step == last:
            os.kill(os.getpid(), signal.SIGKILL)

    train(make_job(folder), progress=watch)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
