"""`playmill warmup`: compile ahead what commands compile at their first run, by running small ones in other processes."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import AsJson
from playmill.cli.output import print_json
from playmill.cli.progress import TellsProgress, progress_bar
from playmill.cli.warmup_areas import AREAS, FILES, NEEDS_NETS, RUNS, Words
from playmill.core.errors import Interrupted, PlaymillError, unknown_name
from playmill.core.executor import Hear, Threads, count_threads, stop_sign, tell
from playmill.core.extras import EXTRAS, is_installed


@dataclass(frozen=True)
class WarmupStep:
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


def choose_steps(areas: list[str]) -> list[WarmupStep]:
    """The commands of these areas, without those that need what is not installed."""
    for name in areas:
        if name not in AREAS:
            raise unknown_name("area", name, AREAS)
    missing = NEEDS_NETS & set(areas) if not all(map(is_installed, EXTRAS["nets"])) else set()
    if missing:
        typer.echo(f"left out, the networks' packages are not installed: {', '.join(sorted(missing))}", err=True)
    return [WarmupStep(area, words) for area in AREAS if area in areas and area not in missing for words in AREAS[area]]


def run_steps(steps: list[WarmupStep], workers: int) -> None:
    """Run the commands, areas side by side; the first that fails is told with its own last line."""
    from playmill.core.files import temporary_folder

    areas = dict.fromkeys(step.area for step in steps)
    with temporary_folder("playmill-warmup-") as work, progress_bar("commands", len(steps)) as progress:
        chains = [WarmupChain([step for step in steps if step.area == area], work) for area in areas]
        for name, text in FILES.items():
            Path(work, name).write_text(text)
        for name, settings in RUNS.items():
            Path(work, f"{name}.yaml").write_text(json.dumps(settings))  # JSON is YAML, too
        for _ in Threads(workers).run(_run_chain, chains, hear=_counting(len(steps), progress)):
            pass


@dataclass(frozen=True)
class WarmupChain:
    """The commands of one area, which are run one after the other in a folder."""

    steps: list[WarmupStep]
    work: Path


def _counting(total: int, progress: TellsProgress | None) -> Hear:
    """Counts commands that are done, of all areas, and tells of each."""
    done = itertools.count(1)

    def hear(_: int, step: WarmupStep) -> None:
        if progress is not None:
            progress(next(done))
        else:
            typer.echo(f"{next(done)} of {total}: {step}", err=True)

    return hear


def _run_chain(chain: WarmupChain) -> None:
    for step in chain.steps:
        stop_sign().check()
        _run_step(step, chain.work)
        tell(step)


def _run_step(step: WarmupStep, work: Path) -> None:
    command = [sys.executable, "-m", "playmill", *(word.format(work=work) for word in step.words)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=work, stdin=subprocess.DEVNULL)
    if ended.returncode == Interrupted.exit_code:
        raise KeyboardInterrupt  # Ctrl-C reaches all processes at once, and it may be heard there first
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]
        raise PlaymillError(f"warmup: `{step}` failed: {last.removeprefix('playmill: ')}")
