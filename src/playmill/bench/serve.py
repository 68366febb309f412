"""What it costs to ask a server instead of a network in the same process."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from playmill.bench.measure import Paced, Round, best_rates
from playmill.bench.nets import EXCHANGE, YATZY, BenchNet, answering
from playmill.bench.peers.children import Peer
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.bench.threads import OnThreads
from playmill.core.files import temporary_folder

if TYPE_CHECKING:
    from playmill.serve.remote import RemoteEvaluator

ROWS, LARGE_ROWS = 256, 1024  # of a message, as few and as many games side by side send them
BATCHES_OUT = 3  # for each thread of the server: one that it works on, and two so that it never waits
CLIENTS, CLIENT_BATCHES = 4, 2  # processes, and what each has out, as a thread has that plays two cohorts in turn
US = 1e6
MOST_CORES = 2


@benchmark("serve.end_to_end", "x")
def end_to_end(setup: Setup) -> Measured:
    """Rows that a Yatzy server answers over those that the same network answers in process, with as many threads."""
    return _beside_in_process(YATZY, setup, ROWS, _one_client)


@benchmark("serve.end_to_end.large", "x")
def large_end_to_end(setup: Setup) -> Measured:
    """The same with messages and batches of 1,024 rows."""
    return _beside_in_process(YATZY, setup, LARGE_ROWS, _one_client)


@benchmark("serve.end_to_end.exchange", "x")
def exchange_end_to_end(setup: Setup) -> Measured:
    """The same with EXCHANGE's board net 32x2, whose rows have 19 kB, 256 a message."""
    return _beside_in_process(EXCHANGE, setup, ROWS, _one_client)


@benchmark("serve.clients", "x")
def clients(setup: Setup) -> Measured:
    """Four client processes of a Yatzy server, with messages as large as self-play sends them, over the network in process."""
    return _beside_in_process(YATZY, setup, LARGE_ROWS, _four_clients)


@benchmark("serve.clients.small", "x")
def small_clients(setup: Setup) -> Measured:
    """The same with messages and batches of 256 rows."""
    return _beside_in_process(YATZY, setup, ROWS, _four_clients)


@benchmark("serve.clients.exchange", "x")
def exchange_clients(setup: Setup) -> Measured:
    """The same as `serve.clients` with EXCHANGE's board net 32x2."""
    return _beside_in_process(EXCHANGE, setup, LARGE_ROWS, _four_clients)


class Asking(Protocol):
    """A side that keeps batches out at a server for some seconds."""

    rows: int  # answered so far
    cpu_s: float  # of whoever asked

    def __call__(self, seconds: float) -> Round: ...

    def facts(self) -> dict[str, Any]: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Served:
    """A server at work."""

    net: BenchNet
    address: str
    weights: str
    path: Path  # the checkpoint that it serves
    cores: int
    rows: int  # of a message, and of a full batch


def _beside_in_process(net: BenchNet, setup: Setup, rows: int, make: Callable[[Served], Asking]) -> Measured:
    """Rows answered over the wire and in process, in turns, on the same cores."""
    from playmill.nets.evaluators import open_evaluator
    from playmill.serve.control import ask

    with _serving(net, rows) as served:
        local, asking = open_evaluator(served.path, "ort"), make(served)
        raw = Costed(OnThreads([answering(net, local.clone(), rows) for _ in range(served.cores)]))
        try:
            asking(0.0)
            before, rows_before, cpu_before = ask(served.address, "status"), asking.rows, asking.cpu_s
            rates = best_rates({"serve": asking, "in_process": Paced(raw)}, setup.seconds)
            status, answered = ask(served.address, "status"), asking.rows - rows_before
        finally:
            asking.close()
    costs = {
        "client": US * (asking.cpu_s - cpu_before) / answered,
        "server": US * (status["cpu_s"] - before["cpu_s"]) / answered,
        "in_process": raw.us_per_row,
    }
    return Measured(rates["serve"] / rates["in_process"], {**_facts(served, rates, costs, status), **asking.facts()})


def _facts(served: Served, rates: dict[str, float], costs: dict[str, float], status: dict[str, Any]) -> dict[str, Any]:
    """Processor time tells what the protocol costs on each side also while neighbours take cores away."""
    return {
        **served.net.spec,
        "rows": served.rows,
        "cores": served.cores,
        "serve_evals_per_s": rates["serve"],
        "in_process_evals_per_s": rates["in_process"],
        "cpu_us_per_row": costs,
        "protocol_us_per_row": {"client": costs["client"], "server": costs["server"] - costs["in_process"]},
        "of_cpu_in_process": costs["in_process"] / (costs["client"] + costs["server"]),
        **{name: status[name] for name in ("median_batch", "max_batch", "latency_us")},
    }


@contextmanager
def _serving(net: BenchNet, rows: int) -> Iterator[Served]:
    """A server of a new network, with as many threads as there are cores."""
    from playmill.nets.checkpoint import save_checkpoint
    from playmill.serve.managed import ManagedServer
    from playmill.serve.settings import InferSettings

    cores = min(os.cpu_count() or 1, MOST_CORES)
    with temporary_folder("playmill-bench-") as folder:
        path, checkpoint = folder / "net.pt", net.checkpoint()
        save_checkpoint(path, checkpoint)
        server = ManagedServer(InferSettings(max_batch=rows), "cpu", "ort", cores, folder / "serve.log")
        server.start()
        try:
            weights = checkpoint.meta.weights_sha256
            server.load(weights, path)
            yield Served(net, server.address, weights, path, cores, rows)
        finally:
            server.stop()


class Costed:
    """A work that counts its rows and the processor time that they took."""

    def __init__(self, work: OnThreads) -> None:
        self._work, self._cpu_s, self._rows = work, 0.0, 0

    @property
    def us_per_row(self) -> float:
        return US * self._cpu_s / self._rows

    def __call__(self, size: int) -> int:
        began = time.process_time()
        count = self._work(size)
        self._cpu_s += time.process_time() - began
        self._rows += count
        return count


# ------------------------------------------------------------------ who asks


class OneClient:
    """Keeps so many batches out from this process."""

    def __init__(self, net: BenchNet, client: RemoteEvaluator, batches: int, rows: int) -> None:
        from playmill.bench.positions import asked_of, features_of

        game = net.find_game()
        self.client, self.rows, self.cpu_s, self._message_rows = client, 0, 0.0, rows
        self._buffers = [client.open_buffer(game, rows) for _ in range(batches)]
        for buffer in self._buffers:
            buffer.features[:] = features_of(game, rows)
            asked_of(game, rows, buffer.asked)

    def __call__(self, seconds: float) -> Round:
        count, began, cpu = 0, time.perf_counter(), time.process_time()
        for buffer in self._buffers:
            self.client.submit(buffer, self._message_rows)
        is_over = False
        while not is_over:
            is_over = time.perf_counter() - began >= seconds
            for buffer in self._buffers:
                self.client.collect(buffer)
                count += self._message_rows
                if not is_over:
                    self.client.submit(buffer, self._message_rows)
        self.cpu_s += time.process_time() - cpu
        self.rows += count
        return Round(count, time.perf_counter() - began)

    def facts(self) -> dict[str, Any]:
        return {"clients": 1}

    def close(self) -> None:
        self.client.close()


def open_client(net: BenchNet, address: str, weights: str, batches: int, rows: int) -> OneClient:
    """A client of a server that has the network."""
    from playmill.serve.endpoint import Wanted
    from playmill.serve.remote import open_remote
    from playmill.serve.settings import InferSettings

    client = open_remote(InferSettings(addresses=address), Wanted(weights, "ort"))
    return OneClient(net, client, batches, rows)


def _one_client(served: Served) -> OneClient:
    return open_client(served.net, served.address, served.weights, served.cores * BATCHES_OUT, served.rows)


class ClientProcesses:
    """Several clients, each in a process of its own that is asked as peers are."""

    def __init__(self, processes: list[Peer]) -> None:
        self._processes = processes
        self._pool = ThreadPoolExecutor(len(processes))
        self.rows, self.cpu_s = 0, 0.0

    def __call__(self, seconds: float) -> Round:
        rounds = list(self._pool.map(lambda process: process(seconds), self._processes))
        self.cpu_s += sum(process.about["cpu_s"] for process in self._processes)
        count = sum(found.count for found in rounds)
        self.rows += count
        return Round(count, max(found.seconds for found in rounds))

    def facts(self) -> dict[str, Any]:
        return {"clients": len(self._processes)}

    def close(self) -> None:
        for process in self._processes:
            process.close()
        self._pool.shutdown()


def _four_clients(served: Served) -> ClientProcesses:
    words = [served.net.game, served.address, served.weights, str(CLIENT_BATCHES), str(served.rows)]
    command = [sys.executable, "-m", "playmill.bench.serve_client", *words]
    return ClientProcesses([Peer(f"client {number}", command) for number in range(CLIENTS)])
