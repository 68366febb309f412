"""What `playmill gate` and `oracle-eval` show to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from playmill.cli.output import print_table, table_console

if TYPE_CHECKING:
    from playmill.arena.gate_report import GateReport
    from playmill.arena.statistics import Estimate
    from playmill.packs.yatzy.oracle_suite import SuiteReport


def show_gate(report: GateReport) -> None:
    """The verdict, the reason, and the numbers behind it."""
    console = Console(highlight=False)
    verdict = "[bold green]promoted[/bold green]" if report.promote else "[bold red]not promoted[/bold red]"
    console.print(f"[bold]{report.game}[/bold]  {report.candidate} against {report.best}: {verdict}")
    console.print(f"{report.reason}\n")
    console.print(_facts(_gate_rows(report)))
    if report.repeated_pairs:
        pairs = report.pairs + report.repeated_pairs
        line = f"{report.repeated_pairs} of {pairs} pairs repeat others and don't count; more opening plies make more openings"
        console.print(f"[yellow]{line}[/]")


def _gate_rows(report: GateReport) -> list[tuple[str, str]]:
    total, low, high = report.total, *report.wilson
    is_paired = report.settings["paired"]
    how = f"in {report.pairs + report.repeated_pairs} pairs" if is_paired else "unpaired"
    rows = [
        (
            "games",
            f"{report.games} {how}, {report.distinct_games} distinct, seeds {report.seed_set} ({report.seeds_hash[:16]})",
        ),
        ("result", f"{total.wins} wins, {total.losses} losses, {total.draws} draws"),
        ("win rate", f"{report.win_rate:.4f}  Wilson {low:.4f} to {high:.4f}"),
    ]
    if is_paired:
        rows.append(("paired", _interval(report.paired)))
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


def _facts(rows: list[tuple[str, str]]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column()
    for row in rows:
        table.add_row(*row)
    return table


def _interval(found: Estimate, digits: int = 4) -> str:
    """The mean and how far its 95 % interval reaches."""
    if found.high is None:
        return f"{found.mean:.{digits}f}, one trial: no interval"
    return f"{found.mean:.{digits}f} ± {found.high - found.mean:.{digits}f}"


def show_suite(reports: list[SuiteReport]) -> None:
    """One column a bot."""
    table = Table("", *(report.bot for report in reports), box=None, padding=(0, 2, 0, 0))
    columns = [_suite_rows(report) for report in reports]
    for name in columns[0]:
        table.add_row(f"[dim]{name}[/dim]", *(column[name] for column in columns))
    console = table_console()
    console.print(
        f"[bold]{reports[0].boards.games:,} games[/bold] against the oracle; best play {reports[0].expected_score:.2f}\n"
    )
    print_table(table, console)


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
