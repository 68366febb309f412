"""Where does the bottleneck move when a cluster grows? Simulates self-play with 1 to 2,000 CPU workers and 1 to 64 endpoints.

    python examples/cluster_scale.py [--bench costs.jsonl] [--gbit 100] [--latency-us 50] [--svg scale.svg]

A discrete-event simulation. Each worker has some cohorts in turn. A cohort's message of `rows` rows takes the worker's
processor, crosses the network to the endpoint with the fewest rows out, passes its network card and its front (which unpacks
and packs), and waits until the GPU takes it with others into a pass; the answers go back the same way. What is busy more than
nine tenths of the time is the bottleneck; if nothing is, it is waiting: more cohorts or rows in flight would help. If it is
only the GPUs, with passes less than nine tenths full, passes are thin: more workers would fill them.

Costs are those measured on an H200 with EXCHANGE's 256x12 net (docs/performance.md); `--bench` takes what the protocol costs
on each side from lines of `playmill bench serve.end_to_end --json`. Every cost is an option.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

WORKERS = (1, 4, 16, 64, 250, 500, 1000, 2000)
ENDPOINTS = (1, 2, 4, 8, 16, 32, 64)
BUSY = 0.9  # of the time: then it is what holds the others up
MESSAGES = 6000  # simulated, at least; a tenth of the time at the beginning is not counted
US = 1e6
GBIT_BYTES_US = 1000 / 8  # bytes that a Gbit/s carries in a microsecond


@dataclass(frozen=True)
class Costs:
    """What a row, a pass and a journey cost. Times in microseconds."""

    rows: int = 512  # of a message: what a cohort has in flight
    in_turn: int = 4  # cohorts of a worker
    worker_us: float = 16.2  # of a worker's processor for a row: 4.87 cores at 301k evaluations/s
    client_us: float = 1.0  # likewise, for its message
    front_us: float = 3.9  # of an endpoint's front, to unpack a row: a thread packs 259k of them a second
    front_threads: int = 2
    max_batch: int = 2048  # rows of a pass
    pass_us: float = 6787.0  # of the GPU for a pass, however full it is: 302k evaluations/s
    row_us: float = 0.0  # and for each row in it, where passes are not padded
    latency_us: float = 50.0  # of the network, one way
    gbit: float = 100.0  # of an endpoint's network card, each way
    row_bytes: int = 1900  # of a row on its way there, with the logits it asks for: a mean over games; its answer is smaller
    is_random: bool = False  # exponential times with these means: for comparing with queueing theory


@dataclass(frozen=True)
class Outcome:
    """What came of a cluster: rows a second, how busy each part was, and how full the passes were."""

    rows_s: float
    busy: dict[str, float]
    fill: float

    @property
    def bottleneck(self) -> str:
        is_thin = self.fill < BUSY
        busy = {part: share for part, share in self.busy.items() if share >= BUSY and not (part == "GPUs" and is_thin)}
        if busy:
            return max(busy, key=lambda part: busy[part])
        return "thin passes" if self.busy["GPUs"] >= BUSY else "waiting"


class Station:
    """Serves one message after the other, in the order of their coming, with so many servers."""

    def __init__(self, clock: Clock, servers: int = 1) -> None:
        self._clock, self._free, self._queue = clock, servers, deque[tuple[float, Callable[[], None]]]()
        self.busy_us = 0.0

    def serve(self, cost_us: float, then: Callable[[], None]) -> None:
        self._queue.append((cost_us, then))
        self._begin()

    def _begin(self) -> None:
        if self._free and self._queue:
            cost, then = self._queue.popleft()
            self._free -= 1
            self.busy_us += self._clock.after(cost, lambda: self._end(then))

    def _end(self, then: Callable[[], None]) -> None:
        self._free += 1
        then()
        self._begin()


class Clock:
    """What happens when."""

    def __init__(self, is_random: bool) -> None:
        self.now, self._events, self._count = 0.0, list[tuple[float, int, Callable[[], None]]](), 0
        self._random = random.Random(1) if is_random else None

    def after(self, cost_us: float, then: Callable[[], None]) -> float:
        """Have it happen after that time, or after a random one with that mean; return the time."""
        cost = self._random.expovariate(1 / cost_us) if self._random and cost_us else cost_us
        self._count += 1  # ties go to whoever came first
        heapq.heappush(self._events, (self.now + cost, self._count, then))
        return cost

    def step(self) -> None:
        self.now, _, happen = heapq.heappop(self._events)
        happen()


class Endpoint:
    """A network card, a front, and a GPU that takes as many waiting messages into a pass as fit."""

    def __init__(self, clock: Clock, costs: Costs) -> None:
        self.costs, self.gpu, self._clock = costs, Station(clock), clock
        self.card, self.front = Station(clock), Station(clock, costs.front_threads)
        self.rows_out = self.passes = self.answered = 0
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_at_work = False

    def ask(self, then: Callable[[], None]) -> None:
        costs = self.costs
        self.rows_out += costs.rows
        carry_us = costs.rows * costs.row_bytes / (costs.gbit * GBIT_BYTES_US)
        self.card.serve(carry_us, lambda: self.front.serve(costs.rows * costs.front_us, lambda: self._queue(then)))

    def _queue(self, then: Callable[[], None]) -> None:
        self._waiting.append(then)
        self._pass()

    def _pass(self) -> None:
        if self._is_at_work or not self._waiting:
            return
        costs, self._is_at_work = self.costs, True
        batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), max(1, costs.max_batch // costs.rows)))]
        self.passes += 1
        self.answered += len(batch) * costs.rows
        self.gpu.serve(costs.pass_us + len(batch) * costs.rows * costs.row_us, lambda: self._answer(batch))

    def _answer(self, batch: list[Callable[[], None]]) -> None:
        self._is_at_work = False
        self.rows_out -= len(batch) * self.costs.rows
        for then in batch:
            then()
        self._pass()


def simulate(workers: int, endpoints: int, costs: Costs, messages: int = MESSAGES) -> Outcome:
    """A cluster's steady state."""
    clock = Clock(costs.is_random)
    processors = [Station(clock) for _ in range(workers)]
    servers = [Endpoint(clock, costs) for _ in range(endpoints)]
    done = [0]

    def search(worker: int) -> None:
        processors[worker].serve(costs.rows * (costs.worker_us + costs.client_us), lambda: send(worker))

    def send(worker: int) -> None:
        server = min(servers, key=lambda one: one.rows_out)
        clock.after(costs.latency_us, lambda: server.ask(lambda: clock.after(costs.latency_us, lambda: receive(worker))))

    def receive(worker: int) -> None:
        done[0] += 1
        search(worker)

    for number in range(workers * costs.in_turn):
        search(number % workers)
    wanted = max(messages, 12 * workers * costs.in_turn)
    before, began, marks = 0, 0.0, _marks(processors, servers)
    while done[0] < wanted:
        clock.step()
        if not before and done[0] >= wanted // 10:
            before, began, marks = done[0], clock.now, _marks(processors, servers)
    spent = clock.now - began
    after = _marks(processors, servers)
    shares = {name: (after[name] - marks[name]) / spent for name in after}
    busy = {
        "workers": shares["workers"] / workers,
        "network": shares["network"] / endpoints,
        "fronts": shares["fronts"] / endpoints / costs.front_threads,
        "GPUs": shares["GPUs"] / endpoints,
    }
    fill = sum(one.answered for one in servers) / max(1, sum(one.passes for one in servers)) / costs.max_batch
    return Outcome((done[0] - before) * costs.rows / spent * US, busy, min(fill, 1.0))


def _marks(processors: list[Station], servers: list[Endpoint]) -> dict[str, float]:
    """How long each kind of part has been busy, summed."""
    return {
        "workers": sum(one.busy_us for one in processors),
        "network": sum(one.card.busy_us for one in servers),
        "fronts": sum(one.front.busy_us for one in servers),
        "GPUs": sum(one.gpu.busy_us for one in servers),
    }


# ------------------------------------------------------------------ showing


def show(outcomes: dict[tuple[int, int], Outcome], workers: Sequence[int], endpoints: Sequence[int]) -> None:
    print("million rows/s and what holds them up (w workers, n network, f fronts, g GPUs, t thin passes, - waiting)\n")
    print("| endpoints \\ workers |" + "".join(f" {count:,} |" for count in workers))
    print("|---" * (len(workers) + 1) + "|")
    for count in endpoints:
        cells = (outcomes[size, count] for size in workers)
        print(f"| {count} |" + "".join(f" {cell.rows_s / US:.2f} {letter(cell)} |" for cell in cells))


def letter(outcome: Outcome) -> str:
    return {"workers": "w", "network": "n", "fronts": "f", "GPUs": "g", "thin passes": "t"}.get(outcome.bottleneck, "-")


COLOURS = {
    "workers": "#3b6ea5", "network": "#b8860b", "fronts": "#7a4ea3", "GPUs": "#b03a2e", "thin passes": "#d98880",
    "waiting": "#888888",
}  # fmt: skip
CELL, ROW, LEFT, TOP = 92, 40, 96, 64


def draw(outcomes: dict[tuple[int, int], Outcome], workers: Sequence[int], endpoints: Sequence[int]) -> str:
    """The table as a map: a cell's colour is its bottleneck."""
    width, height = LEFT + CELL * len(workers) + 16, TOP + ROW * len(endpoints) + 56
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="bold">Million rows/s, coloured by what holds them up</text>',
    ]
    for i, size in enumerate(workers):
        parts.append(f'<text x="{LEFT + CELL * (i + 0.5)}" y="{TOP - 10}" text-anchor="middle">{size:,}</text>')
        for j, count in enumerate(endpoints):
            parts.append(_cell(outcomes[size, count], LEFT + CELL * i, TOP + ROW * j))
    parts.append(f'<text x="{LEFT - 10}" y="{TOP - 10}" text-anchor="end">workers</text>')
    for j, count in enumerate(endpoints):
        words = f"{count} GPU{'s' if count > 1 else ''}"
        parts.append(f'<text x="{LEFT - 10}" y="{TOP + ROW * (j + 0.5) + 5}" text-anchor="end">{words}</text>')
    seen = [name for name in COLOURS if any(one.bottleneck == name for one in outcomes.values())]
    for i, name in enumerate(seen):
        x, y = LEFT + 110 * i, height - 30
        parts.append(f'<rect x="{x}" y="{y}" width="14" height="14" rx="3" fill="{COLOURS[name]}"/>')
        parts.append(f'<text x="{x + 20}" y="{y + 12}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _cell(outcome: Outcome, x: float, y: float) -> str:
    box = f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{ROW - 2}" rx="4" fill="{COLOURS[outcome.bottleneck]}"/>'
    middle = f'x="{x + CELL / 2}" y="{y + ROW / 2 + 5}" text-anchor="middle"'
    return f'{box}<text {middle} fill="#ffffff">{outcome.rows_s / US:.2f}</text>'


# ------------------------------------------------------------------ asking


def main() -> None:
    options = parse()
    costs = read_costs(options)
    workers, endpoints = (tuple(int(word) for word in text.split(",")) for text in (options.workers, options.endpoints))
    print(", ".join(f"{one.name} {getattr(costs, one.name)}" for one in fields(costs)) + "\n")
    outcomes = {(size, count): simulate(size, count, costs, options.messages) for count in endpoints for size in workers}
    show(outcomes, workers, endpoints)
    if options.svg is not None:
        options.svg.write_text(draw(outcomes, workers, endpoints))


def read_costs(options: argparse.Namespace) -> Costs:
    """The usual costs, those of a benchmark, and what the options say, in this order."""
    costs = Costs()
    if options.bench is not None:
        lines = [json.loads(line) for line in options.bench.read_text().splitlines() if line.startswith("{")]
        found = [line["facts"]["protocol_us_per_row"] for line in lines if line["name"] == "serve.end_to_end"]
        if not found:
            raise SystemExit(f"{options.bench}: expected a line of `playmill bench serve.end_to_end --json`, got none")
        costs = replace(costs, client_us=round(found[-1]["client"], 2), front_us=round(max(found[-1]["server"], 0.0), 2))
    asked = {one.name: getattr(options, one.name) for one in fields(Costs) if getattr(options, one.name, None) is not None}
    return replace(costs, **asked)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, help="lines of `playmill bench serve.end_to_end --json`")
    parser.add_argument("--workers", default=",".join(map(str, WORKERS)), help="how many, with commas between")
    parser.add_argument("--endpoints", default=",".join(map(str, ENDPOINTS)), help="likewise")
    parser.add_argument("--messages", type=int, default=MESSAGES, help="messages to simulate, at least")
    parser.add_argument("--svg", type=Path, help="write the table as a picture")
    for one in fields(Costs):
        if not isinstance(one.default, bool):
            parser.add_argument(f"--{one.name.replace('_', '-')}", type=type(one.default), help=f"default: {one.default}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
