"""`playmill warmup`: compile ahead what commands compile at their first run, by running small ones in other processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import AsJson
from playmill.cli.output import print_json
from playmill.core.crew import count_threads
from playmill.core.errors import PlaymillError, unknown_name
from playmill.core.extras import EXTRAS, is_installed

# Each is a run of one short iteration; a search that differs in its kernels has one of its own.
_NET = {"net": {"kind": "mlp", "hidden": 16, "blocks": 1, "togo": True}}
_PUCT = {"search": {"kind": "puct", "puct": {"budget": 4}}}
_POINTS = {"search": {"kind": "puct", "puct": {"budget": 4, "points_scale": 400, "afterstates": True}}}
CONFIGS: dict[str, dict[str, object]] = {
    "exact_turn": {"game": "yatzy", "search": {"kind": "exact_turn"}, "oracle": {"games": 4}, **_NET},
    "yatzy_puct": {"game": "yatzy", **_POINTS, **_NET},
    "connect_four": {"game": "connect_four", **_PUCT},
    "tictactoe": {"game": "tictactoe", **_PUCT},
}
SHORT = {
    "iterations": 1,
    "selfplay": {"games": 4, "shard_games": 4, "slots": 4},
    "train": {"batch_size": 8, "steps_per_iteration": 2},
    "gate": {"games": 4},
}
GAMES = ("connect_four", "tictactoe", "yatzy")

Words = tuple[str, ...]
# What each area runs, the slowest first. A step that ends in {work} writes there.
AREAS: dict[str, list[Words]] = {
    "diplomacy-search": [
        ("diplomacy", "search", "start", "--kind", "rm_plus", "--nodes", "50"),
        ("diplomacy", "search", "start", "--kind", "cartesian", "--nodes", "50"),
    ],
    "diplomacy": [("diplomacy", "explain", "start", "A par - bur")],
    "training": [("run", f"{{work}}/{name}.yaml", "--out", f"{{work}}/{name}") for name in CONFIGS],
    "search": [("explore", game, "--simulations", "4") for game in GAMES],
    "oracle": [("oracle", "expected"), ("oracle", "sim", "--games", "4")],
    "simulate": [("simulate", game, "--playouts", "4") for game in GAMES],
    "rules": [("check-game", game) for game in GAMES],
}
NEEDS_NETS = {"training"}


@dataclass(frozen=True)
class Step:
    """One command in one area."""

    area: str
    words: Words

    def __str__(self) -> str:
        return " ".join(["playmill", *self.words]).replace("{work}/", "")


def register(app: typer.Typer) -> None:
    app.command()(warmup)


def warmup(
    areas: Annotated[
        list[str] | None, typer.Argument(help=f"What to compile: {', '.join(AREAS)}.", metavar="[AREA]...")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes at a time. [default: one a core]", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Compile kernels ahead, so that no later command waits for that; what is compiled already costs a few seconds."""
    steps, threads = choose_steps(areas or list(AREAS)), count_threads(workers)
    began = time.monotonic()
    run_steps(steps, threads)
    seconds = time.monotonic() - began
    if as_json:
        print_json({"commands": [str(step) for step in steps], "seconds": seconds})
    else:
        typer.echo(f"warm: {len(steps)} small commands in {seconds:.0f} s")


def choose_steps(areas: list[str]) -> list[Step]:
    """The commands of these areas, without those that need what is not installed."""
    for name in areas:
        if name not in AREAS:
            raise unknown_name("area", name, AREAS)
    missing = NEEDS_NETS & set(areas) if not all(map(is_installed, EXTRAS["nets"])) else set()
    if missing:
        typer.echo(f"left out, the networks' packages are not installed: {', '.join(sorted(missing))}", err=True)
    return [Step(area, words) for area in AREAS if area in areas and area not in missing for words in AREAS[area]]


def run_steps(steps: list[Step], workers: int) -> None:
    """Run the commands, some at a time; the first that fails is told with its own last line."""
    from playmill.cli.progress import progress_bar
    from playmill.core.files import temporary_folder

    with temporary_folder("playmill-warmup-") as work, ThreadPoolExecutor(workers) as pool:
        for name, settings in CONFIGS.items():
            Path(work, f"{name}.yaml").write_text(json.dumps({**settings, **SHORT}))  # JSON is YAML, too
        running = {pool.submit(_run_step, step, work): step for step in steps}
        try:
            with progress_bar("commands", len(steps)) as progress:
                for done, future in enumerate(as_completed(running), 1):
                    future.result()
                    if progress is not None:
                        progress(done)
                    else:
                        typer.echo(f"{done} of {len(steps)}: {running[future]}", err=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _run_step(step: Step, work: Path) -> None:
    command = [sys.executable, "-m", "playmill", *(word.format(work=work) for word in step.words)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=work, stdin=subprocess.DEVNULL)
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]
        raise PlaymillError(f"warmup: `{step}` failed: {last.removeprefix('playmill: ')}")
