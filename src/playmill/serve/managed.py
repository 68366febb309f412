"""A server that belongs to a run: started with it, told which networks to serve, restarted if it dies, gone with it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from playmill.core.errors import PlaymillError
from playmill.core.leaving import before_leaving
from playmill.nets.checkpoint import AnyNet, save_checkpoint
from playmill.nets.net_evaluator import NetEvaluator
from playmill.serve.control import NoAnswer, ask, load_key
from playmill.serve.keys import CLIENT_FILE, SERVER_FILE
from playmill.serve.opening import RemoteOpener
from playmill.serve.reloading import told_reload
from playmill.serve.settings import InferSettings

START_S = 120.0  # a cold machine loads PyTorch, compiles, and reads files from a slow disk
RELOAD_S = 600.0  # a GPU compiles a network that it has not seen
PROBE_S = 0.5
MOST_RESTARTS = 5
STOP_S = 10.0
MOST_NETWORKS = 4  # best, candidate, an opponent, and one on its way

OnRestart = Callable[[int, int], None]  # hears which restart it is, of how many at most


class ManagedServer:
    """The process. It ends when its owner ends, however that is: it looks whether its parent is still there."""

    def __init__(
        self,
        settings: InferSettings,
        device: str,
        backend: str,
        threads: int,
        log: Path,
        address: str | None = None,
        keys: Path | None = None,
    ) -> None:
        """At an address that other machines reach it has `keys`, a folder of both sides'; else it is this machine's alone."""
        self._settings, self._device, self._backend = settings, device, backend
        self._threads, self._log = settings.threads or threads, log
        self._folder = tempfile.TemporaryDirectory(prefix="playmill-serve-")
        self.address = address or f"unix://{self._folder.name}/socket"
        self._keys, self.key = keys, None if keys is None else str(keys / CLIENT_FILE)
        self._models: dict[str, Path] = {}
        self._name_of: dict[str, str] = {}  # by weights, those wanted last at the end
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopping = False
        self._restarts = 0
        self.on_restart: OnRestart | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._spawn()
        before_leaving(self._terminate)
        threading.Thread(target=self._watch, daemon=True, name="playmill-serve-watch").start()
        self._wait_until_there()

    def load(self, weights: str, path: Path) -> None:
        """Have it serve the network in a file, in place of the one that was not wanted for longest."""
        name = self._name_of.pop(weights, None)
        if name is None:
            is_full = len(self._name_of) == MOST_NETWORKS
            name = self._name_of.pop(next(iter(self._name_of))) if is_full else f"network{len(self._name_of)}"
        self._name_of[weights] = name
        self._models[name] = path.absolute()
        ask(self.address, "load", load_key(self.key), RELOAD_S, models={name: str(path.absolute())})

    def stop(self) -> None:
        """End it: it answers what it has."""
        self._terminate()
        if self._process is not None:
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()

    def _terminate(self) -> None:
        self._is_stopping = True
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def _spawn(self) -> None:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            # A session of its own: Ctrl-C is for the run, which ends its server itself.
            self._process = subprocess.Popen(
                self._command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def _command(self) -> list[str]:
        settings = self._settings
        words = ["--bind", self.address, "--owner", os.getpid(), "--device", self._device, "--backend", self._backend]
        words += ["--allow-missing", "--threads", self._threads, "--max-wait-us", settings.max_wait_us]
        words += [] if settings.max_batch is None else ["--max-batch", settings.max_batch]
        words += [] if self._keys is None else ["--keys", self._keys / SERVER_FILE]
        for name, path in self._models.items():
            words += ["--model", f"{name}={path}"]
        return [sys.executable, "-m", "playmill", "serve", *map(str, words)]

    def _watch(self) -> None:
        """Start it again when it died; its clients wait and ask again."""
        while self._process is not None and self._restarts <= MOST_RESTARTS:
            self._process.wait()
            if self._is_stopping:
                return
            self._restarts += 1
            if self._restarts <= MOST_RESTARTS:
                self._spawn()
                if self.on_restart is not None:
                    self.on_restart(self._restarts, MOST_RESTARTS)

    def _wait_until_there(self) -> None:
        end = time.monotonic() + START_S
        while time.monotonic() < end and self._restarts == 0:
            with contextlib.suppress(NoAnswer):
                ask(self.address, "status", load_key(self.key), PROBE_S)
                return
        self.stop()
        raise PlaymillError(f"infer.managed: the run's inference server did not start; see {self._log}")


class OwnServer(Protocol):
    """What a run owns: a process on this machine, or endpoints of a cluster. Addresses are known once it has started."""

    on_restart: OnRestart | None

    @property
    def address(self) -> str: ...

    @property
    def key(self) -> str | None: ...

    @property
    def is_running(self) -> bool: ...

    def start(self) -> None: ...

    def load(self, weights: str, path: Path) -> None: ...

    def stop(self) -> None: ...


class ManagedOpener(RemoteOpener):
    """Opens networks at a server of its own, which it starts for the first of them."""

    def __init__(self, settings: InferSettings, server: OwnServer) -> None:
        super().__init__(settings)
        self.server = server
        self._own_files: tempfile.TemporaryDirectory[str] | None = None

    def _open(self, checkpoint: AnyNet, backend: str) -> NetEvaluator:
        if not self.server.is_running:
            self.server.start()
            own = {"managed": False, "addresses": self.server.address, "key": self.server.key}
            self.settings = self.settings.model_copy(update=own)
        weights = checkpoint.meta.weights_sha256
        with told_reload(self.on_reload, self.server.address, weights):
            self.server.load(weights, checkpoint.path or self._written(checkpoint))
        return super()._open(checkpoint, backend)

    def _written(self, checkpoint: AnyNet) -> Path:
        """A network that was made just now and lies in no file yet."""
        self._own_files = self._own_files or tempfile.TemporaryDirectory(prefix="playmill-nets-")
        path = Path(self._own_files.name) / f"{checkpoint.meta.weights_sha256}.pt"
        save_checkpoint(path, checkpoint)
        return path

    def hear_restarts(self, on_restart: OnRestart) -> None:
        self.server.on_restart = on_restart

    def close(self) -> None:
        """End the server."""
        if self.server.is_running:
            self.server.stop()
