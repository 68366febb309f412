"""Many clients, each a process of its own: batches are full, and nobody is left behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from playmill.serve.control import ask
from serve.serving import ServerProcess, make_net, reload, resident_bytes

pytestmark = pytest.mark.jit
SCRIPT = Path(__file__).with_name("loading.py")
SOAK_S = float(os.environ.get("PLAYMILL_SOAK_S", 1800))
MIB = 1 << 20


def clients(address, count, model="best", game="yatzy", rows=64, buffers=4, seconds=2.0):
    """Client processes, all connected."""
    words = [address, model, game, rows, buffers, seconds]
    command = [sys.executable, SCRIPT, *map(str, words)]
    found = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    for child in found:
        assert child.stdout.readline() == "ready\n"
    return found


def finish(children):
    """Let them begin together; return how many rows each had answered."""
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    return [int(child.communicate(timeout=SOAK_S + 60)[0]) for child in children]


def test_batches_of_four_clients_are_full_and_their_turns_are_fair(tmp_path):
    path, address = make_net(tmp_path / "net.pt", "yatzy"), f"unix://{tmp_path}/mill"
    with ServerProcess(address, "--model", f"best={path}", "--threads", 1, "--max-batch", 256) as server:
        rows = finish(clients(address, 4))
        status = ask(address, "status")
        assert status["median_batch"] > 0.7 * 256
        assert status["evaluations"] == sum(rows)
        assert min(rows) > 0.5 * max(rows)
        lonely = finish(clients(address, 1, rows=1, buffers=64, seconds=0.5))
        assert lonely[0] > 0
        after = ask(address, "status")
        mean = (after["evaluations"] - status["evaluations"]) / (after["batches"] - status["batches"])
        assert mean > 4  # single rows of one client are joined, too
        assert server.end()[0] == 0


@pytest.mark.slow
def test_half_an_hour_at_full_load_leaves_the_server_as_it_was(tmp_path):
    """`make soak-serve`. Clients come, go and are killed; networks are reloaded; memory stays."""
    nets = [make_net(tmp_path / f"{seed}.pt", "yatzy", seed) for seed in range(2)]
    best, address = tmp_path / "best.pt", f"unix://{tmp_path}/mill"
    best.write_bytes(nets[0].read_bytes())
    with ServerProcess(address, "--model", f"best={best}", "--threads", 1, "--max-batch", 256) as server:
        rounds, memory, answered = max(6, int(SOAK_S // 30)), [], 0
        for number in range(rounds):
            children = clients(address, 3, seconds=SOAK_S / rounds)
            killed = clients(address, 1, seconds=SOAK_S)[0]
            best.write_bytes(nets[(number + 1) % 2].read_bytes())
            assert reload(address)["swapped"] == ["best"]
            killed.send_signal(signal.SIGKILL)
            killed.communicate()
            rows = finish(children)
            assert min(rows) > 0
            answered += sum(rows)
            memory.append(resident_bytes(server.process.pid) // MIB)
        status = ask(address, "status")
        counts = ("evaluations", "batches", "median_batch", "latency_us", "reloads", "dropped_requests", "refusals")
        print(json.dumps({"rounds": rounds, "rows_to_living_clients": answered, "memory_mib": memory}))
        print(json.dumps({name: status[name] for name in counts}))  # for docs/performance.md: `pytest -s`
        assert memory[-1] - memory[rounds // 3] < 48
        assert status["queue_rows"] == 0
        assert status["median_batch"] > 0.7 * status["max_batch"]
        assert server.end()[0] == 0
