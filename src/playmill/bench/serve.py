"""What it costs to ask a server instead of a network in the same process."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, Round, best_rates
from playmill.bench.nets import EXCHANGE, YATZY, BenchNet, answering
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.bench.threads import OnThreads
from playmill.core.files import temporary_folder

if TYPE_CHECKING:
    from playmill.serve.card import ModelCard
    from playmill.serve.remote import RemoteEvaluator

ROWS, LARGE_ROWS = 256, 1024  # of a message, as few and as many games side by side send them
BATCHES_OUT = 3  # for each thread of the server: one that it works on, and two so that it never waits
US = 1e6
MOST_CORES = 2


@benchmark("protocol.encode", "rows/s")
def encode(setup: Setup) -> Measured:
    """Rows of Yatzy packed into messages of 256 and those made whole, as a client sends them, on one core."""
    card, features = _card_and_features()
    return _measured(_sides(card, features)["encode"], setup, card, features)


@benchmark("protocol.decode", "rows/s")
def decode(setup: Setup) -> Measured:
    """The same messages checked and unpacked into a batch, as a server reads them, on one core."""
    card, features = _card_and_features()
    return _measured(_sides(card, features)["decode"], setup, card, features)


def _card_and_features() -> tuple[ModelCard, Any]:
    from playmill.bench.positions import features_of
    from playmill.nets.net_evaluator import NetShape
    from playmill.serve.card import ModelCard

    game = YATZY.find_game()
    shape = NetShape.of_game(game)
    card = ModelCard(
        id=0, name="bench", generation=1, game=game.name, ruleset=game.ruleset, action_space=game.action_space,
        feature_schema=game.feature_schema, travel=game.feature_type, features=shape.features, logits=shape.logits,
        columns=shape.columns, max_legal=game.max_legal, players=game.players, heads=shape.heads,
    )  # fmt: skip
    return card, features_of(game, ROWS)


def _sides(card: ModelCard, features: Any) -> dict[str, Any]:
    """Work of either end, `times` messages over."""
    import numpy as np

    from playmill.serve import protocol
    from playmill.serve.intake import make_job
    from playmill.serve.models import Generation, Loading, ModelSource, ModelTable
    from playmill.serve.packing import pack_features
    from playmill.serve.protocol import Header, MessageKind

    header = Header(
        MessageKind.EVALUATE, 0, 1, 0, card.feature_schema, card.rules, 0, ROWS, card.features, card.logits, card.columns, 0
    )  # fmt: skip
    table = ModelTable(Loading(read=lambda _path: NotImplemented))
    table.add(ModelSource("bench")).current = Generation(card, None)
    message = [bytes(frame) for frame in protocol.encode(header, pack_features(features, card.travel).tobytes())]
    batch = np.zeros((ROWS, card.features), np.float32)

    def write(times: int) -> int:
        for _ in range(times):
            protocol.encode(header, pack_features(features, card.travel).data)
        return times * ROWS

    def read(times: int) -> int:
        for _ in range(times):
            job = make_job((0, b""), *protocol.decode(message), table, 0.0)
            assert job.sent.features is not None
            job.sent.features.unpack(0, batch)
        return times * ROWS

    return {"encode": write, "decode": read}


def _measured(work: Any, setup: Setup, card: ModelCard, features: Any) -> Measured:
    from playmill.serve.packing import pack_features
    from playmill.serve.protocol import HEADER_BYTES

    rate = best_rates({"ours": Paced(work)}, setup.seconds)["ours"]
    size = HEADER_BYTES + pack_features(features, card.travel).nbytes
    return Measured(rate, {"rows": ROWS, "message_bytes": size, "us_per_row": US / rate})


# ------------------------------------------------------------------ a whole server


@benchmark("serve.end_to_end", "x")
def end_to_end(setup: Setup) -> Measured:
    """Rows that a Yatzy server answers over those that the same network answers in process, with as many threads."""
    return _end_to_end(YATZY, setup)


@benchmark("serve.end_to_end.large", "x")
def large_end_to_end(setup: Setup) -> Measured:
    """The same with messages and batches of 1,024 rows."""
    return _end_to_end(YATZY, setup, LARGE_ROWS)


@benchmark("serve.end_to_end.exchange", "x")
def exchange_end_to_end(setup: Setup) -> Measured:
    """The same with EXCHANGE's board net 32x2, whose rows have 19 kB, 256 a message."""
    return _end_to_end(EXCHANGE, setup)


def _end_to_end(net: BenchNet, setup: Setup, rows: int = ROWS) -> Measured:
    from playmill.nets.checkpoint import save_checkpoint
    from playmill.nets.evaluators import open_evaluator
    from playmill.serve.control import ask
    from playmill.serve.endpoint import Wanted
    from playmill.serve.managed import ManagedServer
    from playmill.serve.remote import open_remote
    from playmill.serve.settings import InferSettings

    cores = min(os.cpu_count() or 1, MOST_CORES)
    with temporary_folder("playmill-bench-") as folder:
        path, checkpoint = folder / "net.pt", net.checkpoint()
        save_checkpoint(path, checkpoint)
        local = open_evaluator(path, "ort")
        infer = InferSettings(max_batch=rows)
        server = ManagedServer(infer, "cpu", "ort", cores, folder / "serve.log")
        server.start()
        try:
            weights = checkpoint.meta.weights_sha256
            server.load(weights, path)
            client = open_remote(infer.model_copy(update={"addresses": server.address}), Wanted(weights, "ort"))
            asking = Asking(net, client, cores * BATCHES_OUT, rows)
            raw = Costed(OnThreads([answering(net, local.clone(), rows) for _ in range(cores)]))
            began = ask(server.address, "status")["cpu_s"]
            rates = best_rates({"serve": asking, "in_process": Paced(raw)}, setup.seconds)
            served_s = ask(server.address, "status")["cpu_s"] - began
            client.close()
        finally:
            server.stop()
    costs = {"client": asking.us_per_row, "server": US * served_s / asking.rows, "in_process": raw.us_per_row}
    return Measured(rates["serve"] / rates["in_process"], {**net.spec, **_facts(rates, costs, asking, cores)})


def _facts(rates: dict[str, float], costs: dict[str, float], asking: Asking, cores: int) -> dict[str, Any]:
    """Processor time tells what the protocol costs on each side also while neighbours take cores away."""
    return {
        "rows": asking.rows_a_message,
        "cores": cores,
        "serve_evals_per_s": rates["serve"],
        "in_process_evals_per_s": rates["in_process"],
        "cpu_us_per_row": costs,
        "protocol_us_per_row": {"client": costs["client"], "server": costs["server"] - costs["in_process"]},
        "of_cpu_in_process": costs["in_process"] / (costs["client"] + costs["server"]),
        "latency_us": asking.client.tally.facts()["latency_us"],
    }


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


class Asking:
    """A side that keeps so many batches out at a server, and counts what it costs this process."""

    def __init__(self, net: BenchNet, client: RemoteEvaluator, batches: int, rows: int) -> None:
        from playmill.bench.positions import asked_of, features_of

        game = net.find_game()
        self.client, self.rows_a_message = client, rows
        self._buffers = [client.open_buffer(game, rows) for _ in range(batches)]
        for buffer in self._buffers:
            buffer.features[:] = features_of(game, rows)
            asked_of(game, rows, buffer.asked)
        self._cpu_s, self.rows = 0.0, 0

    @property
    def us_per_row(self) -> float:
        return US * self._cpu_s / self.rows

    def __call__(self, seconds: float) -> Round:
        count, began, cpu = 0, time.perf_counter(), time.process_time()
        for buffer in self._buffers:
            self.client.submit(buffer, self.rows_a_message)
        is_over = False
        while not is_over:
            is_over = time.perf_counter() - began >= seconds
            for buffer in self._buffers:
                self.client.collect(buffer)
                count += self.rows_a_message
                if not is_over:
                    self.client.submit(buffer, self.rows_a_message)
        self._cpu_s += time.process_time() - cpu
        self.rows += count
        return Round(count, time.perf_counter() - began)
