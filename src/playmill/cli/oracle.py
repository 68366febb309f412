"""`playmill oracle`: ask the solved solitaire Yatzy game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.groups import App
from playmill.cli.options import AsJson, Seed, Workers
from playmill.cli.output import print_json, print_table
from playmill.core.errors import UsageError, require_positive, require_seed

if TYPE_CHECKING:
    from playmill.games.yatzy.oracle import Oracle, RankedAction, SimulationReport

app = App(help="Ask the solved solitaire Yatzy game.")

MASK_DIGITS = 15
PERCENTILES = (5, 95)


@app.command()
def expected(as_json: AsJson = False) -> None:
    """Say what best play of one board scores on average."""
    points = _load().expected_score()
    if as_json:
        print_json({"expected_score": points})
    else:
        typer.echo(f"{points:.6f} points: the mean final score of solitaire Swedish Yatzy with best play, bonus included")


@app.command()
def sim(
    games: Annotated[int, typer.Option(help="How many to play.")] = 100_000,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Play whole games with best play and describe their scores."""
    from playmill.cli.progress import progress_bar

    require_positive("games", games), require_seed(seed)
    oracle = _load(workers)
    with progress_bar("turns", games * MASK_DIGITS) as progress:
        report = oracle.simulate(games, seed, workers, progress)
    if as_json:
        print_json({"seed": seed, **_report_fields(report)})
    else:
        _show_report(report, oracle.expected_score())


@app.command()
def advise(
    avail: Annotated[str, typer.Option(help="Open categories: 15 binary digits, ones first, or a number (0x.., 0b.. too).")],
    dice: Annotated[str, typer.Option(help="Five dice, such as 1,3,3,5,6.")],
    upper: Annotated[int, typer.Option(help="Points in the upper section so far, at most 63.")] = 0,
    rerolls: Annotated[int, typer.Option(help="Rerolls left: 0, 1 or 2.")] = 2,
    top: Annotated[int | None, typer.Option(help="Show only the best so many.", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Rank the actions of a position: what each is worth, and how much it gives away."""
    from playmill.games.yatzy.oracle import require_possible

    mask, hand = parse_mask(avail), parse_dice(dice)
    require_possible(mask, upper, hand, rerolls)
    actions = _load().ranked(mask, upper, hand, rerolls)[:top]
    if as_json:
        position = {"avail": mask, "upper": upper, "dice": sorted(hand), "rerolls": rerolls}
        print_json({**position, "actions": [vars(action) for action in actions]})
    else:
        _show_actions(actions)


def parse_mask(text: str) -> int:
    """The mask in `text`: 15 binary digits as the board is drawn, or a number as Python writes it."""
    try:
        return int(text, 2) if len(text) == MASK_DIGITS else int(text, 0)
    except ValueError:
        raise UsageError(f"--avail: expected 15 binary digits, or a number such as 32767 or 0x7fff, got '{text}'") from None


def parse_dice(text: str) -> list[int]:
    """The numbers between the commas; whether they are dice is for the oracle to say."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"--dice: expected five numbers such as 1,3,3,5,6, got '{text}'") from None


def _load(workers: int | None = None) -> Oracle:
    from playmill.cli.progress import progress_bar
    from playmill.games.yatzy.oracle import Oracle

    with progress_bar("solving boards", 1 << MASK_DIGITS) as progress:
        return Oracle.load(workers, progress)


def _report_fields(report: SimulationReport) -> dict[str, Any]:
    return {name: value for name, value in vars(report).items() if name != "scores"}


def _show_report(report: SimulationReport, expected: float) -> None:
    import numpy as np
    from rich.console import Console

    from playmill.cli.histogram import draw_histogram

    console = Console(highlight=False)
    console.print(f"[bold]{report.games:,} games[/bold]  mean {report.mean:.3f} (expected {expected:.3f}), sd {report.sd:.3f}")
    console.print(f"median {report.median:g}, {report.min} to {report.max}, bonus in {report.bonus_rate:.1%} of games\n")
    places = zip(PERCENTILES, np.percentile(report.scores, PERCENTILES).tolist(), strict=True)
    markers = {"mean": report.mean, **{f"P{p}": place for p, place in places}}
    console.print(draw_histogram(report.histogram, title="final score", markers=markers, columns=console.width))


def _show_actions(actions: list[RankedAction]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("action", justify="right", style="dim")
    table.add_column("what")
    table.add_column("value", justify="right")
    table.add_column("regret", justify="right")
    for action in actions:
        style = "bold green" if action.regret == 0 else ""
        table.add_row(str(action.action), action.text, f"{action.value:.4f}", f"{action.regret:.4f}", style=style)
    print_table(table)
