"""Servers and clients that the tests of this folder share: in a thread where many are needed, else as real processes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from nets.making import lively_net, positions
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint, make_checkpoint, save_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.nets.spec import NetSpec
from playmill.packs.checkpoints import read_network
from playmill.serve.control import NoAnswer, ask
from playmill.serve.endpoint import Wanted
from playmill.serve.models import Loading, ModelSource, ModelTable
from playmill.serve.remote import open_remote
from playmill.serve.server import InferenceServer, start_models
from playmill.serve.settings import InferSettings, ServeSettings
from waiting import wait_for

SPECS = {
    "tictactoe": NetSpec(kind="mlp", hidden=32, blocks=1),
    "connect_four": NetSpec(kind="conv", channels=16, hidden=32, blocks=1),
    "yatzy": NetSpec(kind="mlp", hidden=48, blocks=1, togo=True),
    "exchange": NetSpec(kind="conv", channels=8, blocks=1, hidden=16, policy="planes", value="utilities"),
}
PATIENCE_S = 240.0  # of whatever ends when something comes: a machine may have much else to do


def make_net(path: Path, game: str = "tictactoe", seed: int = 0) -> Path:
    """A checkpoint of a small network that uses all its layers."""
    rules, spec = get_game(game), SPECS[game]
    save_checkpoint(path, make_checkpoint(rules, spec, lively_net(rules, spec, seed)))
    return path


@contextlib.contextmanager
def serving(address, models, keys=None, is_managed=False, **settings):
    """A server in a thread of this process, drained at the end."""
    chosen = ServeSettings(**settings)
    table = ModelTable(Loading(read_network, chosen.backend, chosen.device, chosen.max_batch))
    for text in models:
        table.add(ModelSource.parse(text))
    start_models(table)
    server = InferenceServer(table, chosen, [address] if isinstance(address, str) else address, keys, is_managed)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.drain()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


class ServerProcess:
    """`playmill serve` as people start it."""

    def __init__(self, address, *words):
        self.address, self.words = address, [str(word) for word in words]
        self.start()

    def start(self):
        command = [sys.executable, "-m", "playmill", "serve", "--bind", self.address, *self.words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(self.is_there, PATIENCE_S)

    def is_there(self):
        assert self.process.poll() is None, self.process.stderr.read()
        with contextlib.suppress(NoAnswer):
            return bool(ask(self.address, "status", seconds=0.5))
        return False

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def end(self):
        """Ask it to end; return its exit code and what it said."""
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out + err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def reload(address, **fields):
    """Have the server look at its files again; what it tells."""
    return ask(address, "reload", seconds=PATIENCE_S, **fields)


def infer(*addresses, **fields):
    return InferSettings(**{"addresses": ",".join(addresses), "timeout_s": PATIENCE_S, "give_up_s": PATIENCE_S, **fields})


def client_of(path, *addresses, **fields):
    """A remote evaluator of the network in a file."""
    return open_remote(infer(*addresses, **fields), Wanted(load_checkpoint(path).meta.weights_sha256))


def follower(name, *addresses, **fields):
    """A remote evaluator that takes whatever generation is there."""
    return open_remote(infer(*addresses, **fields), Wanted(name=name))


def lose_patience(client):
    """Have a client that is connected give up on servers at once."""
    client._link.settings = client.settings.model_copy(update={"give_up_s": 0.5})


class Truth:
    """What the network in a file answers in this process about some positions."""

    def __init__(self, path, game, count=64):
        evaluator = open_evaluator(path, game=get_game(game))
        self.features = positions(game, count)
        self.logits = np.zeros((count, evaluator.logits), np.float32)
        self.values = np.zeros((count, evaluator.columns), np.float32)
        evaluator.evaluate(self.features, self.logits, self.values)

    def buffer(self, client, game, rows=None):
        """A client's buffer with the positions in it."""
        count = rows or len(self.features)
        buffer = client.open_buffer(get_game(game), count)
        buffer.features[:] = self.features[:count]
        return buffer

    def is_in(self, buffer, rows=None):
        """Whether the buffer's answers are these, to the bit."""
        count = rows or len(buffer.values)
        return (
            buffer.logits[:count].tobytes() == self.logits[:count].tobytes()
            and buffer.values[:count].tobytes() == self.values[:count].tobytes()
        )


def resident_bytes(pid=None):
    """Memory of a process."""
    pages = int(Path(f"/proc/{pid or os.getpid()}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
