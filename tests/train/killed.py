"""Trains the job of `lessons.set_up` and is killed after a step: `python killed.py FOLDER STEP`."""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from playmill.train.trainer import train
from train.lessons import set_up


def main(folder, last):
    def watch(step, **_facts):
        if step == last:
            os.kill(os.getpid(), signal.SIGKILL)

    train(set_up(folder), progress=watch)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
