"""`playmill diplomacy selfplay`, `check` and `export`: make games, play them again, hand them to other tools."""

from __future__ import annotations

import json
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.executor import ExecutorName, RayAddress, executing
from playmill.cli.options import AsJson, Force, Workers
from playmill.cli.output import print_json
from playmill.core.errors import Interrupted, UsageError
from playmill.core.executor import count_workers

if TYPE_CHECKING:
    from playmill.packs.diplomacy.selfplay.generate import DiplomacySelfPlayReport
    from playmill.packs.diplomacy.selfplay.output import Output
    from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings

MAX_PROBLEMS = 20  # that `check` prints; it counts them all
DEFAULT_ITERATIONS = 200

Records = Annotated[Path, typer.Argument(help="A file that `playmill diplomacy selfplay` wrote.")]


def selfplay(
    out: Annotated[Path, typer.Option(help="JSON lines, one game each; a run that was stopped goes on.")],
    games: Annotated[int, typer.Option(help="How many to play; those that are rejected count, too.", min=1)] = 10,
    iterations: Annotated[int | None, typer.Option(help="Of the search, a phase. [default: 200]", min=1)] = None,
    nodes: Annotated[int | None, typer.Option(help="Instead of iterations: positions looked at, a phase.", min=1)] = None,
    movetime: Annotated[int | None, typer.Option(help="Instead: milliseconds a phase. Can't be repeated.", min=1)] = None,
    strength: Annotated[int, typer.Option(help="Of the players; from 80 on RM+ plays.", min=0, max=100)] = 100,
    kind: Annotated[str, typer.Option(help="Of player: auto, rm_plus, cartesian, heuristic or random.")] = "auto",
    polish_nodes: Annotated[
        int, typer.Option(help="RM+: what polishing a power's set may take; 0: play sets as they were drawn.", min=0)
    ] = 1000,
    max_year: Annotated[int, typer.Option(help="The last year; then it is a draw.")] = 1920,
    temperature: Annotated[float, typer.Option(help="Chance of random orders for a power in 1901.", min=0)] = 1.0,
    decay: Annotated[float, typer.Option(help="What the chance is multiplied by each year.", min=0, max=1)] = 0.8,
    workers: Workers = None,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    min_stalemate_year: Annotated[int, typer.Option(help="Leave out games that stall before it.")] = 1905,
    domination_centres: Annotated[int, typer.Option(help="Leave out games in which a power has so many", min=1, max=18)] = 14,
    domination_year: Annotated[int, typer.Option(help="before this year.")] = 1905,
    rules: Annotated[str, typer.Option(help="Version of the DATC's rules: 2.x or 3.x.")] = "3.x",
    rejects: Annotated[Path | None, typer.Option(help="Write the games that are left out here.")] = None,
    executor: ExecutorName = None,
    ray_address: RayAddress = None,
    as_json: AsJson = False,
) -> None:
    """Play games and write them as JSON lines; the summary goes to stderr, or as JSON to stdout."""
    from playmill.packs.diplomacy.selfplay.output import Output
    from playmill.packs.diplomacy.selfplay.settings import make_settings

    settings = make_settings(
        budget=_budget(iterations=iterations, nodes=nodes, movetime=movetime),
        seed=seed,
        player=_player_kind(kind, strength),
        strength=strength,
        polish_nodes=polish_nodes,
        rules=rules,
        max_year=max_year,
        temperature=temperature,
        decay=decay,
        min_stalemate_year=min_stalemate_year,
        domination_centres=domination_centres,
        domination_year=domination_year,
    )
    with executing(executor, ray_address, workers), Output(out, settings, rejects) as files:
        _play(settings, files, games, count_workers(workers), as_json)


def check(file: Records, as_json: AsJson = False) -> None:
    """Play recorded games again, phase by phase, and compare; exit 1 if anything differs."""
    from playmill.packs.diplomacy.selfplay.check import check_file

    totals: Counter[str] = Counter()
    problems = 0
    for problem in check_file(file, totals):
        problems += 1
        if problems <= MAX_PROBLEMS:
            _say(problem)
    if as_json:
        counts = {name: totals[name] for name in ("games", "phases", "orders")}
        print_json({"file": file, **counts, "problems": problems})
    else:
        found = f"{problems} problems" if problems else "no problems"
        typer.echo(f"{file}: {totals['games']} games, {totals['phases']} phases, {totals['orders']} orders: {found}")
    if problems:
        raise typer.Exit(1)


def export(
    file: Records,
    out: Annotated[Path | None, typer.Option(help="Where to. [default: stdout]")] = None,
    force: Force = False,
) -> None:
    """Write the games as saved games of the `diplomacy` package, one JSON object a line."""
    from playmill.core.files import atomic_writer, claim_output
    from playmill.packs.diplomacy.selfplay.export import export_game
    from playmill.packs.diplomacy.selfplay.records import read_records

    lines = (json.dumps(export_game(record)) + "\n" for record in read_records(file))
    if out is None:
        sys.stdout.writelines(lines)
        return
    with atomic_writer(claim_output(out, force, [file])) as target:
        target.writelines(line.encode() for line in lines)


# ------------------------------------------------------------------ parts of a run


def _budget(**limits: int | None) -> dict[str, Any]:
    """The one limit that was given."""
    given = {name: amount for name, amount in limits.items() if amount is not None}
    if len(given) > 1:
        raise UsageError(f"expected one budget, got {' and '.join(f'--{name}' for name in given)}")
    name, amount = next(iter(given.items()), ("iterations", DEFAULT_ITERATIONS))
    return {"kind": name, "amount": amount}


def _player_kind(name: str, strength: int) -> str:
    """The kind that plays, as records tell it; a name that isn't known is refused before anything is written."""
    from playmill.packs.diplomacy.players.player import make_player

    return make_player(name, strength).kind


def _play(settings: DiplomacyGameSettings, files: Output, games: int, threads: int, as_json: bool) -> None:
    from playmill.packs.diplomacy.selfplay.generate import DiplomacySelfPlay

    for note in files.standing.notes:
        _say(note)
    if files.next_game:
        _say(f"{files.path}: {files.next_game} games were finished before")
    run = DiplomacySelfPlay(settings, files)
    with _stops(run.stop), _progress("self-play", files.next_game, games) as progress:
        report = run.run(games, threads, progress)
    if as_json:
        print_json(_facts(settings, files, report))
    else:
        for line in _summary(settings, files, report):
            _say(line)
    if not report.is_whole:
        raise Interrupted


def _facts(settings: DiplomacyGameSettings, files: Output, report: DiplomacySelfPlayReport) -> dict[str, Any]:
    """What `--json` prints: what was played now, what the file holds, and how it was made."""
    tally = files.standing.tally
    counts = {
        "kept": tally.kept,
        "rejected": tally.rejected,
        "wins": tally.wins,
        "draws": tally.draws,
        "reasons": tally.reasons,
    }
    return {"file": files.path, **vars(report), **counts, "phases": tally.phases, "settings": settings.as_json()}


def _summary(settings: DiplomacyGameSettings, files: Output, report: DiplomacySelfPlayReport) -> list[str]:
    rate = report.games / max(report.seconds, 1e-9)
    now = (
        f"{report.games} games in {report.seconds:.1f} s, {60 * rate:.1f} a minute"
        if report.games
        else "nothing was left to play"
    )
    repeats = "the same seed gives the same games" if settings.budget.is_reproducible else "NOT reproducible: a clock decides"
    budget = f"budget: {settings.budget} a phase, {settings.player}, seed {settings.seed}; {repeats}"
    return [f"{files.path}: {now}", *files.standing.tally.lines(), budget]


def _say(line: str) -> None:
    print(line, file=sys.stderr)


@contextmanager
def _stops(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at the first SIGINT or SIGTERM; a second one ends the process as usual."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def handle(number: int, _: object) -> None:
        stop()
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        restore()


@contextmanager
def _progress(label: str, first: int, total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on stderr with games a second; None where nobody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        rate,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total, completed=first, rate="")

        def show(done: int) -> None:
            seconds = bar.tasks[0].elapsed
            bar.update(task, completed=done, rate=f"{(done - first) / seconds:.2f} games/s" if seconds else "")

        yield show
