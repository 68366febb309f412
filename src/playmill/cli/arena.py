"""`playmill gate`, `oracle-eval`, `seed-set`: whether a candidate is better, how good a bot is, and the seeds for both."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.core.errors import UsageError

if TYPE_CHECKING:
    from playmill.arena.gate_report import GateReport
    from playmill.arena.gate_settings import GateSettings
    from playmill.arena.oracle_suite import SuiteReport
    from playmill.arena.statistics import Estimate
    from playmill.games.game import Game
    from playmill.games.yatzy.oracle import Oracle

BOARDS = 1 << 15  # what a solving oracle counts to

Seed = Annotated[int, typer.Option(help="Same seed, same games.")]
Workers = Annotated[int | None, typer.Option(help="Threads; results don't depend on it. [default: all cores]")]
Search = Annotated[str, typer.Option(help="What models think with: auto, puct, exact_turn or policy.")]
Simulations = Annotated[int, typer.Option(help="puct: simulations a decision.", min=1)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def register(app: typer.Typer) -> None:
    app.command()(gate)
    app.command("oracle-eval")(oracle_eval)
    app.command("seed-set")(seed_set)


# ------------------------------------------------------------------ the gate


def gate(
    game: Annotated[str, typer.Argument(help="A game from `playmill games`, or module:GAME.", metavar="GAME")],
    best: Annotated[str, typer.Option(help="The bot to beat: a checkpoint, random, or oracle (yatzy).")],
    candidate: Annotated[str, typer.Option(help="The bot that wants its place; named likewise.")],
    games: Annotated[int, typer.Option(help="Games, two for each seed.")] = 400,
    seed: Seed = 0,
    workers: Workers = None,
    threshold: Annotated[float, typer.Option(help="The win rate, draws half, that promotes.")] = 0.55,
    sequential: Annotated[bool, typer.Option("--sequential", help="Stop as soon as a sequential test knows.")] = False,
    luck_reduced: Annotated[bool, typer.Option("--luck-reduced", help="Yatzy: judge by the win rate without luck.")] = False,
    guardrail_points: Annotated[
        float | None, typer.Option(help="Yatzy: the most that the candidate's boards may be worse by.")
    ] = None,
    seed_set: Annotated[Path | None, typer.Option(help="Play on the seeds in this file (`playmill seed-set`).")] = None,
    opening_plies: Annotated[int | None, typer.Option(help="Random first moves. [default: 2 in games without chance]")] = None,
    search: Search = "auto",
    simulations: Simulations = 48,
    out: Annotated[Path | None, typer.Option(help="Write the report to this file, too.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a candidate against the best on paired seeds, and say whether it is promoted."""
    from playmill.arena.entrants import find_bot
    from playmill.arena.gate import gate_seeds, run_gate
    from playmill.arena.gate_report import write_report
    from playmill.cli.progress import progress_bar
    from playmill.games.registry import get_game

    settings = _gate_settings(
        games=games,
        threshold=threshold,
        sequential=sequential,
        luck_reduced=luck_reduced,
        guardrail_points=guardrail_points,
        seed_set=None if seed_set is None else str(seed_set),
        opening_plies=opening_plies,
    )
    rules, threads, seeds = get_game(game), _threads(workers), gate_seeds(settings, seed)
    oracle = _oracle_of(rules, threads)
    first, second = (find_bot(name, rules, search, simulations, oracle) for name in (candidate, best))
    with progress_bar(f"{rules.name} games", games) as progress:
        report = run_gate(rules, first, second, settings, seeds, threads, oracle, progress)
    if out is not None:
        write_report(out, report)
    typer.echo(report.json(), nl=False) if as_json else _show_gate(report)


def _gate_settings(**fields: Any) -> GateSettings:
    from pydantic import ValidationError

    from playmill.arena.gate_settings import GateSettings

    try:
        return GateSettings(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + "-".join(map(str, first["loc"])).replace("_", "-")
        raise UsageError(f"{name}: {first['msg'][0].lower() + first['msg'][1:]}, got {first['input']!r}") from None


def _threads(workers: int | None) -> int:
    return (os.cpu_count() or 1) if workers is None else workers


def _oracle_of(rules: Game, threads: int) -> Oracle | None:
    """The solved game, where there is one."""
    return _load_oracle(threads) if rules.name == "yatzy" else None


def _load_oracle(threads: int) -> Oracle:
    from playmill.cli.progress import progress_bar
    from playmill.games.yatzy.oracle import Oracle

    with progress_bar("solving boards", BOARDS) as progress:
        return Oracle.load(threads, progress)


def _show_gate(report: GateReport) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    verdict = "[bold green]promoted[/bold green]" if report.promote else "[bold red]not promoted[/bold red]"
    console.print(f"[bold]{report.game}[/bold]  {report.candidate} against {report.best}: {verdict}")
    console.print(f"{report.reason}\n")
    console.print(_facts(_gate_rows(report)))
    if report.distinct_games < report.games:
        console.print(f"[yellow]only {report.distinct_games} of {report.games} games differ; the intervals promise too much[/]")


def _gate_rows(report: GateReport) -> list[tuple[str, str]]:
    total, low, high = report.total, *report.wilson
    rows = [
        ("games", f"{report.games} in {report.pairs} pairs, seeds {report.seed_set} ({report.seeds_hash[:16]})"),
        ("result", f"{total.wins} wins, {total.losses} losses, {total.draws} draws"),
        ("win rate", f"{report.win_rate:.4f}  Wilson {low:.4f} to {high:.4f}"),
        ("paired", _interval(report.paired)),
    ]
    if report.oracle is not None:
        rows.append(("luck reduced", _interval(report.oracle.wins.fair)))
    if report.points is not None:
        rows.append(("points", _interval(report.points, 2)))
    if report.oracle is not None:
        rows.append(("luck removed", _interval(report.oracle.wins.fair_points, 2)))
    if report.sequential is not None:
        last = report.sequential.looks[-1]
        bounds = f"{report.sequential.reject_at:.2f} to {report.sequential.accept_at:.2f}"
        rows.append(("sequential", f"{last.decision} after {last.pairs} pairs: ratio {last.ratio:.2f} in {bounds}"))
    return rows


def _facts(rows: list[tuple[str, str]]) -> Any:
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    for row in rows:
        table.add_row(*row)
    return table


def _interval(found: Estimate, digits: int = 4) -> str:
    """The mean and how far its 95 % interval reaches."""
    return f"{found.mean:.{digits}f} ± {found.high - found.mean:.{digits}f}"


# ------------------------------------------------------------------ the oracle suite


def oracle_eval(
    model: Annotated[
        list[str] | None, typer.Option(help="A checkpoint, random or oracle; may be given more than once.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each bot against the oracle, two for each seed.")] = 1000,
    seed: Seed = 0,
    workers: Workers = None,
    search: Search = "auto",
    simulations: Simulations = 48,
    as_json: AsJson = False,
) -> None:
    """Measure Yatzy bots against the solved game, with luck removed; without a model, the oracle and a random bot."""
    from playmill.arena.entrants import find_bot
    from playmill.arena.oracle_suite import oracle_suite
    from playmill.cli.progress import progress_bar
    from playmill.games.yatzy.rules import YATZY

    names, threads = model or ["oracle", "random"], _threads(workers)
    oracle = _load_oracle(threads)
    bots = [find_bot(name, YATZY, search, simulations, oracle) for name in names]
    with progress_bar("yatzy games", games * len(names)) as progress:
        reports = oracle_suite(bots, games, seed, threads, oracle, progress)
    if as_json:
        typer.echo(json.dumps({"games": games, "bots": [report.fields() for report in reports]}, allow_nan=False))
    else:
        _show_suite(reports)


def _show_suite(reports: list[SuiteReport]) -> None:
    """One column a bot."""
    from rich.console import Console
    from rich.table import Table

    table = Table("", *(report.bot for report in reports), box=None, padding=(0, 2, 0, 0))
    columns = [_suite_rows(report) for report in reports]
    for name in columns[0]:
        table.add_row(f"[dim]{name}[/dim]", *(column[name] for column in columns))
    console = Console(highlight=False)
    console.print(
        f"[bold]{reports[0].boards.games:,} games[/bold] against the oracle; best play {reports[0].expected_score:.2f}\n"
    )
    console.print(table)


def _suite_rows(report: SuiteReport) -> dict[str, str]:
    boards, wins, choices = report.boards, report.against_oracle, report.choices
    rows = {
        "mean score": _interval(boards.plain, 2),
        "luck removed": _interval(boards.fair, 2),
        "variance ratio": _number(boards.variance_ratio, ".1f"),
        "sd, median": f"{boards.sd:.1f}, {boards.median:g}",
        "lowest, highest": f"{boards.min}, {boards.max}",
        "bonus": f"{boards.bonus_rate:.1%}",
        "win rate": _interval(wins.paired),
        "luck reduced": _interval(wins.fair),
        "points ahead": _interval(wins.fair_points, 2),
        "oracle's choice": _number(choices["all"].match_rate, ".2%"),
        "or as good": _number(choices["all"].no_regret_rate, ".2%"),
    }
    regrets = {f"regret, {kind}": _number(row.mean_regret, ".4f") for kind, row in choices.items()}
    return {**rows, **regrets}


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else f"{value:{form}}"


# ------------------------------------------------------------------ seeds


def seed_set(
    out: Annotated[Path, typer.Argument(help="The file to write.", metavar="FILE")],
    count: Annotated[int, typer.Option(help="How many seeds; a gate needs one for two games.")] = 500,
    seed: Annotated[int, typer.Option(help="Same seed, same set.")] = 0,
    name: Annotated[str | None, typer.Option(help="What reports call it. [default: the file's name]")] = None,
) -> None:
    """Write a set of seeds, so that gates can be played on the same episodes."""
    from playmill.arena.seeds import derive_seeds, save_seeds

    made = derive_seeds(count, seed, name or out.stem)
    save_seeds(out, made)
    typer.echo(f"{len(made.seeds)} seeds '{made.name}' ({made.seeds_hash[:16]}) in {out}")
