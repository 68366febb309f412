"""`playmill puzzles`: the tsumego factory, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli import (
    puzzles_browse,
    puzzles_draw,
    puzzles_mine,
    puzzles_permute,
    puzzles_recheck,
    puzzles_seed,
    puzzles_stats,
)
from playmill.cli.groups import App
from playmill.cli.options import AsJson, Workers
from playmill.cli.output import print_json
from playmill.cli.progress import progress_bar
from playmill.core.errors import Interrupted
from playmill.core.executor import count_threads

if TYPE_CHECKING:
    from playmill.puzzles.cleaning import Cleaned

app = App(help="Go puzzles out of game records.")


@app.callback()
def _puzzles() -> None:
    pass


@app.command()
def clean(
    folder: Annotated[
        Path, typer.Argument(help="Game records: a folder of .sgf and .mgt files at any depth, or one file.", metavar="IN")
    ],
    out: Annotated[
        Path, typer.Argument(help="Folder for the cleaned games and the report, clean.jsonl; made if missing.", metavar="OUT")
    ],
    keep_comments: Annotated[bool, typer.Option("--keep-comments", help="Leave comments in the games.")] = False,
    workers: Workers = None,
    force: Annotated[bool, typer.Option("--force", help="Begin anew, and replace files that are there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Turn game records of any encoding and make into plain SGF; what can't be used is reported with its reason."""
    from playmill.puzzles.cleaning import clean_folder
    from playmill.puzzles.sources import find_sources

    with progress_bar("cleaning", len(find_sources(folder))) as bar:
        hear = None if bar is None else lambda done, _: bar(done)
        try:
            cleaned = clean_folder(
                folder, out, keep_comments=keep_comments, workers=count_threads(workers), force=force, progress=hear
            )
        except KeyboardInterrupt:
            raise Interrupted from None
    if as_json:
        print_json({"in": folder, "out": out, "report": cleaned.report, "done_now": cleaned.done_now, **vars(cleaned.tally)})
    else:
        for line in _summary(out, cleaned):
            typer.echo(line)


def _summary(out: Path, cleaned: Cleaned) -> list[str]:
    """What people want to know: how much came out, what was done, and why the rest did not."""
    tally = cleaned.tally
    was = "" if cleaned.done_now == tally.files else f", {tally.files - cleaned.done_now} of them before"
    lines = [f"{out}: {tally.files} files{was}: {tally.cleaned} games with {tally.moves:,} moves, {tally.rejected} rejected"]
    for title, counts in (("encodings", tally.encodings), ("repairs", tally.repairs), ("rejected", tally.reasons)):
        if counts:
            lines.append(f"{title}: " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    return [*lines, f"report: {cleaned.report}"]


for room in (puzzles_mine, puzzles_recheck, puzzles_browse, puzzles_permute, puzzles_stats, puzzles_draw, puzzles_seed):
    room.register(app)
