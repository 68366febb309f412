"""Runs FOLDER/config.yaml and is killed in a phase: `python killed_run.py FOLDER ITERATION PHASE AFTER`."""

import os
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from diplomacy_neural.test_runs import Stopper, run


class Killer(Stopper):
    """Kills the process where another would stop the run."""

    def phase(self, name, total, done=0):
        is_here = name == self.stop_at and self.manifest.iterations_done + 1 == self.iteration

        def watch(done, **facts):
            if is_here and done >= self.after:
                os.kill(os.getpid(), signal.SIGKILL)

        return nullcontext(watch)


if __name__ == "__main__":
    folder, iteration, phase, after = sys.argv[1:]
    run(Path(folder), Killer(int(iteration), phase, int(after)))
