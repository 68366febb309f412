"""Kills controllers and looks at what they leave: `python killing.py CONFIG FOLDER KILLS SEED` prints a JSON line.

A process of its own, since it forks: it runs once undisturbed, which loads all code, and then forks one controller after the
other. Half of them die at a system call that changes the disk, just before or just after it; the rest at random moments.
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

from dying import die_at_call, in_child, was_killed

MAX_CALLS = 34  # a kill comes after at most so many calls: a run makes about 420
MAX_DELAY_S = 0.4


def run(config, folder):
    from playmill.pipeline.run import open_run
    from playmill.runs.folder import RunFolder
    from playmill.runs.watcher import Nobody

    with RunFolder(folder).locked():
        open_run(config, folder, Nobody()).run()


def fork_run(config, folder, prepare):
    """A child that runs the controller; it exits 0 when the run is done."""

    def work():
        prepare()
        run(config, folder)

    return in_child(work)


def disturb(config, folder, rng):
    """One controller that may be killed; whether it was."""
    if rng.random() < 0.5:
        number, is_after = rng.randint(1, MAX_CALLS), rng.random() < 0.5
        child = fork_run(config, folder, lambda: die_at_call(number, is_after))
    else:
        child = fork_run(config, folder, lambda: None)
        time.sleep(rng.uniform(0, MAX_DELAY_S))
        os.kill(child, signal.SIGKILL)
    return was_killed(child)


def whole_shards(folder):
    """Inode and time of each finished shard's files: those that the manifest lists."""
    files, listed = {}, manifest_of(folder).get("files", {})
    for meta in (folder / name for name in listed if name.startswith("replay/") and name.endswith(".meta.json")):
        data = meta.with_name(meta.name.replace(".meta.json", ".safetensors"))
        if data.exists():
            files[data.name] = [(path.stat().st_ino, path.stat().st_mtime_ns) for path in (data, meta)]
    return files


def check_shards(before, now):
    """Finished shards are never rewritten, and only the oldest ever go."""
    for name, marks in before.items():
        if name in now:
            assert now[name] == marks, f"{name} was written again"
        else:
            assert all(name < other for other in now), f"{name} was lost"


def manifest_of(folder):
    path = folder / "run.json"
    return json.loads(path.read_text()) if path.exists() else {"phase": "none"}


def results(folder):
    """Everything that a run decides: its files by content, and the manifest without clocks."""
    files = {}
    for path in folder.rglob("*"):
        # Logs and manifest have times in them.
        is_result = path.suffix in (".safetensors", ".pt", ".onnx", ".json") and path.name not in ("run.json", "status.json")
        if path.is_file() and is_result:
            files[str(path.relative_to(folder))] = path.read_bytes()
    roots = folder / "logs" / "mcts_roots.ndjson"
    files["roots"] = [line | {"run_id": ""} for line in lines_of(roots)]
    manifest = manifest_of(folder)
    for name in ("run_id", "created_ms", "checksum"):
        del manifest[name]
    for name in ("metrics", "iteration_stats", "mcts_roots"):  # their lines name the run
        manifest["files"].pop(f"logs/{name}.ndjson", None)
    for iteration in manifest["iterations"]:
        played = iteration["selfplay"]  # the rest tells of the process that finished it
        iteration["selfplay"] = {name: played[name] for name in ("model", "games", "samples", "bot", "opponent", "results")}
        iteration["train"].pop("samples_s")
        for phase in ("train", "gate", "measure"):
            (iteration[phase] or {}).pop("seconds", None)
    return files, manifest


def lines_of(log):
    """The lines of a log that are whole."""
    from playmill.core.events import read_events

    return list(read_events(log))


def check_end(folder, reference):
    files, manifest = results(folder)
    wanted, wanted_manifest = reference
    assert files.keys() == wanted.keys(), sorted(files.keys() ^ wanted.keys())
    assert not [name for name in files if files[name] != wanted[name]], [n for n in files if files[n] != wanted[n]]
    assert manifest == wanted_manifest
    assert json.loads(files["models/best.meta.json"])["weights_sha256"] == manifest["best"]
    assert not list(folder.rglob("*.tmp"))
    lines = [json.loads(line) for line in (folder / "logs" / "iteration_stats.ndjson").read_text().splitlines()]
    assert [line["number"] for line in lines] == list(range(len(manifest["iterations"])))


def run_disturbed(config, folder, rng, phases):
    """Kill and start again until the run is done; count in which phase each kill came."""
    shards = {}
    while disturb(config, folder, rng):
        phases[manifest_of(folder)["phase"]] += 1
        now = whole_shards(folder)
        check_shards(shards, now)
        shards = now
    check_shards(shards, whole_shards(folder))


def main(config, folder, kills, seed):
    import torch

    torch.set_num_threads(1)  # a pool of threads would not survive the fork
    run(config, folder / "undisturbed")
    reference = results(folder / "undisturbed")
    rng, phases, runs = random.Random(seed), Counter(), 0
    while phases.total() < kills:
        runs += 1
        run_disturbed(config, folder / f"run_{runs}", rng, phases)
        check_end(folder / f"run_{runs}", reference)
    print(json.dumps({"kills": phases.total(), "runs": runs, "phases": phases}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
