"""Kills self-play and looks at what it leaves: `python killing.py FOLDER KILLS SEED` prints a JSON line.

A process of its own, since it forks: it plays once undisturbed, which loads all code, and then forks one command after the
other. A child dies at a random moment, at a call that changes the disk (just before or just after it), or in the middle of a
line that it writes.
"""

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

from dying import die, die_at_call, in_child
from playmill.cli import boundary

GAMES = 16
MAX_CALLS = 12  # a kill comes after at most so many calls: a run makes about 35
MAX_DELAY_S = 0.6


def arguments(folder, threads):
    options = f"--kind heuristic --games {GAMES} --max-year 1904 --seed 7 --workers {threads} --domination-centres 8"
    files = ["--out", str(folder / "games.jsonl"), "--rejects", str(folder / "rejects.jsonl")]
    return ["playmill", "diplomacy", "selfplay", *options.split(), *files]


def run(folder, threads):
    sys.argv = arguments(folder, threads)
    return boundary.run()


def die_in_line(number, part):
    """Write only a part of line `number` and die."""
    from playmill.packs.diplomacy.selfplay import output

    real, seen = output._append, [0]

    def append(file, line):
        seen[0] += 1
        if seen[0] == number:
            file.write(line[: int(part * len(line))])
            die()
        real(file, line)

    output._append = append


def fork_run(folder, threads, prepare):
    def work():
        sys.stderr = (folder / "stderr.txt").open("a")
        prepare()
        return run(folder, threads)

    return in_child(work)


def disturb(folder, rng):
    """One command that may be killed; how it was, or None."""
    kind, threads = rng.choice(["moment", "call", "line"]), rng.choice([1, 2])
    number, is_after, part = rng.randint(1, MAX_CALLS), rng.random() < 0.5, rng.random()
    prepare = {
        "moment": lambda: None,
        "call": lambda: die_at_call(number, is_after),
        "line": lambda: die_in_line(number, part),
    }[kind]
    child = fork_run(folder, threads, prepare)
    if kind == "moment":
        time.sleep(rng.uniform(0, MAX_DELAY_S))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, (folder / "stderr.txt").read_text()
    return kind if os.WIFSIGNALED(status) else None


def results(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "stderr.txt"}


def check_kept(before, now):
    """Whole lines that were there are there still: no finished game is lost or written anew."""
    for name, content in before.items():
        whole = content[: content.rfind(b"\n") + 1]
        if name == "games.jsonl":
            assert now[name].startswith(whole), f"{name} was changed"


def run_disturbed(folder, rng, kills):
    """Kill and start again until all is played."""
    folder.mkdir()
    before = {}
    while kind := disturb(folder, rng):
        kills[kind] += 1
        now = results(folder)
        check_kept(before, now)
        before = {"games.jsonl": now.get("games.jsonl", b"")}


def kill_often(folder, wanted, seed):
    reference = folder / "undisturbed"
    reference.mkdir()
    run(reference, 1)
    rng, kills, runs = random.Random(seed), Counter(), 0
    while kills.total() < wanted:
        runs += 1
        run_disturbed(folder / f"run_{runs}", rng, kills)
        assert results(folder / f"run_{runs}") == results(reference), f"run_{runs} differs"
    print(json.dumps({"kills": kills.total(), "runs": runs, "kinds": kills}))


if __name__ == "__main__":
    kill_often(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
