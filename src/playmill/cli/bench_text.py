"""What `playmill bench` shows to people: a row for each result as it comes, and what to make of threads."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from playmill.bench.registry import Benchmark

SCALES_WELL = 1.6  # of two threads, times the rate of one
RATE = 12  # columns
THREADS = "sim.connect_four.threads"


def number(value: float | None) -> str:
    """Whole from 1,000 on, else three digits."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


class BenchRows:
    """A table that grows a row at a time, so that a long run can be watched, and what it has is there if it is stopped."""

    def __init__(self, chosen: list[Benchmark]) -> None:
        self._name = max(len(benchmark.name) for benchmark in chosen)
        self._unit = max(len(benchmark.unit) for benchmark in chosen)

        self._is_narrow = self._name + RATE + 2 + self._unit > shutil.get_terminal_size().columns

    def begin(self, benchmark: Benchmark) -> None:
        """Say what is being measured; where there is room, the figures follow on the same line."""
        typer.echo(benchmark.name if self._is_narrow else f"{benchmark.name:<{self._name}}", nl=self._is_narrow)

    def end(self, line: dict[str, Any] | None) -> None:
        """The figures, or none if it could not be measured."""
        if line is None:
            typer.echo(f"{'-':>{RATE}}")
            return
        peers = (f"{number(peer['ratio'])} x {name}" for name, peer in line.get("against", {}).items() if "ratio" in peer)
        typer.echo(f"{number(line['rate']):>{RATE}}  {line['unit']:<{self._unit}}  {', '.join(peers)}".rstrip())


def thread_advice(lines: list[dict[str, Any]]) -> str:
    """What the results say about `--workers` on this machine."""
    cores = os.cpu_count() or 1
    ratio = next((float(line["rate"]) for line in lines if line["name"] == THREADS), None)
    if cores == 1:
        return "threads: this machine has one core; more --workers than 1 gain nothing"
    if ratio is None:
        return f"threads: commands use all {cores} cores; `playmill bench {THREADS}` measures what that gains"
    if ratio >= SCALES_WELL:
        return f"threads: two do {ratio:.2f} times the work of one; leave --workers alone, it uses all {cores} cores"
    return f"threads: two do only {ratio:.2f} times the work of one; is something else at work here? If not, try --workers 1"
