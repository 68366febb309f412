"""Servers as actors of a Ray cluster: each is `playmill serve` on some node, on a GPU of its own where there are any.

Networks reach them through Ray's object store. Rows don't: whoever asks connects to their addresses, by keys made for the run.
"""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path
from typing import Any

import ray

from playmill.core.errors import PlaymillError, one_line
from playmill.nets.int8 import int8_path
from playmill.serve.keys import CLIENT_FILE, SERVER_FILE, make_keys
from playmill.serve.managed import RELOAD_S, START_S, ManagedServer, OnRestart
from playmill.serve.settings import InferSettings

Files = dict[str, bytes]


class EndpointActor:
    """One server, and the files that it serves, on the node where Ray has put it."""

    def __init__(self, settings: InferSettings, device: str, backend: str, keys: Files) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="playmill-endpoint-")
        folder = Path(self._folder.name)
        for name, content in keys.items():
            (folder / name).touch(mode=0o600)
            (folder / name).write_bytes(content)
        self._models, self._log = folder, folder / "serve.log"
        address = f"tcp://{ray.util.get_node_ip_address()}:{_free_port()}"
        self._server = ManagedServer(settings, device, backend, threads=2, log=self._log, address=address, keys=folder)

    def start(self) -> str:
        """Start the server; return its address."""
        try:
            self._server.start()
        except PlaymillError as error:
            raise PlaymillError(f"{error}: {self._log.read_text()[-400:]}") from None
        return self._server.address

    def load(self, weights: str, files: Files) -> None:
        """Have it serve a network: the checkpoint, and its int8 model if there is one."""
        path = self._models / f"{weights}.pt"
        (self._models / f"{weights}.pt").write_bytes(files[".pt"])
        if ".int8.onnx" in files:
            int8_path(path).write_bytes(files[".int8.onnx"])
        self._server.load(weights, path)

    def stop(self) -> None:
        self._server.stop()


class ClusterEndpoints:
    """The endpoints of a run, behind the face of its own server (`managed.OwnServer`)."""

    def __init__(self, settings: InferSettings, device: str, backend: str) -> None:
        self._settings, self._device, self._backend = settings, device, backend
        self._folder = tempfile.TemporaryDirectory(prefix="playmill-keys-")
        self._actors: list[Any] = []
        self.on_restart: OnRestart | None = None  # never told: an endpoint that dies is left out
        self.address, self.key = "", str(Path(self._folder.name) / CLIENT_FILE)

    @property
    def is_running(self) -> bool:
        return bool(self._actors)

    def start(self) -> None:
        """Start as many as are wanted, and wait until all answer."""
        folder, gpus = Path(self._folder.name), int(ray.cluster_resources().get("GPU", 0))
        make_keys(folder)
        keys = {name: (folder / name).read_bytes() for name in (SERVER_FILE, CLIENT_FILE)}
        on_gpu = self._device == "cuda"
        count = self._settings.servers or (max(gpus, 1) if on_gpu else 1)
        kind = ray.remote(EndpointActor).options(num_cpus=1, num_gpus=int(on_gpu))
        self._actors = [kind.remote(self._settings, self._device, self._backend, keys) for _ in range(count)]
        self.address = ",".join(self._all("start", START_S))

    def load(self, weights: str, path: Path) -> None:
        """Have all serve the network in a file."""
        files = {".pt": path.read_bytes()}
        if int8_path(path).exists():
            files[".int8.onnx"] = int8_path(path).read_bytes()
        self._all("load", RELOAD_S, weights, ray.put(files))

    def stop(self) -> None:
        """End them: they answer what they have."""
        stops = [actor.stop.remote() for actor in self._actors]
        ray.wait(stops, num_returns=len(stops), timeout=START_S)
        for actor in self._actors:
            ray.kill(actor)
        self._actors = []
        self._folder.cleanup()

    def _all(self, word: str, seconds: float, *what: Any) -> list[Any]:
        """What all of them answer."""
        try:
            found: list[Any] = ray.get([getattr(actor, word).remote(*what) for actor in self._actors], timeout=seconds)
            return found
        except ray.exceptions.GetTimeoutError:
            free = {name: ray.available_resources().get(name, 0) for name in ("CPU", "GPU")}
            raise PlaymillError(
                f"infer.managed: not all {len(self._actors)} endpoints answered in {seconds:g} s; each needs a CPU, with cuda a"
                f" GPU, too, and the cluster has {free['CPU']:g} and {free['GPU']:g} free; set infer.servers"
            ) from None
        except ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None) or error
            raise PlaymillError(f"infer.managed: an endpoint of the cluster failed: {one_line(cause)}") from None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        port: int = probe.getsockname()[1]
        return port
