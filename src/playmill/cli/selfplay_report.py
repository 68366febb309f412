"""`playmill selfplay-report`: what the games of a run's self-play were like, as its game's pack tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson, Run
from playmill.cli.output import print_json, print_table
from playmill.core.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from playmill.arena.measure import Breakdown
    from playmill.runs.folder import Iteration
    from playmill.runs.view import RunView


def register(app: typer.Typer) -> None:
    app.command("selfplay-report")(selfplay_report)


def selfplay_report(
    run: Run,
    iteration: Annotated[int | None, typer.Option(help="Which, from 0 as in run.json. [default: the last]", min=0)] = None,
    as_json: AsJson = False,
) -> None:
    """Tell of an iteration's games of self-play what the game's pack counts: the use of abilities, the share of rewards."""
    from playmill.pipeline.run import require_pack
    from playmill.runs.view import RunView

    view = RunView(run)
    require_pack(view.folder, view.manifest)
    entry = _find(view, iteration)
    assert entry.selfplay is not None
    if as_json:
        print_json({"run": run, "iteration": entry.number, "details": entry.selfplay.details})
    else:
        _show(view, entry)


def _find(view: RunView, number: int | None) -> Iteration:
    """The iteration, refused if nothing is told of its games."""
    from playmill.packs.shown import summaries_of

    manifest = view.manifest
    played = {entry.number: entry for entry in manifest.iterations if entry.selfplay}
    if not played:
        raise UsageError(f"{view.folder.root}: no iteration has played its games yet; `playmill status` says where the run is")
    if number is not None and number not in played:
        raise UsageError(f"--iteration: expected 0 to {max(played)}, which have played their games, got {number}")
    if not summaries_of(manifest):
        raise UsageError(f"{view.folder.root}: the pack of {manifest.game} tells nothing of its games; see `playmill report`")
    return played[max(played) if number is None else number]


def _show(view: RunView, entry: Iteration) -> None:
    from playmill.packs.shown import found_by, summaries_of
    from playmill.pipeline.roles import roles_in
    from playmill.runs.meetings import results_words

    assert entry.selfplay is not None
    fared = results_words(entry.selfplay, roles_in(view.config))
    typer.echo(f"{view.folder.root}: iteration {entry.number} (from 0), {view.manifest.game}{fared}")
    for summary in summaries_of(view.manifest):
        for part in summary.breakdowns(found_by(summary, entry) or {}):
            typer.echo(f"\n{part.title}. {part.note}")
            print_table(_table(part))


def _table(part: Breakdown) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, header_style="dim")
    for name in part.header:
        table.add_column(name)
    for row in part.rows:
        table.add_row(*row)
    return table
