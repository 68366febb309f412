"""`playmill puzzles mine`: game records become puzzles, with proofs, rejects and a funnel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.executor import ExecutorName, RayAddress, executing
from playmill.cli.options import AsJson, Workers
from playmill.cli.output import print_json
from playmill.cli.progress import progress_bar
from playmill.core.errors import Interrupted
from playmill.core.executor import count_workers

if TYPE_CHECKING:
    from playmill.puzzles.mining.conveyor import Mined
    from playmill.puzzles.mining.settings import MiningSettings

MiningFile = Annotated[Path | None, typer.Option(help="Settings of mining in YAML; what is not in it keeps its default.")]


def register(app: typer.Typer) -> None:
    app.command()(mine)


def mine(
    folder: Annotated[
        Path, typer.Argument(help="Game records, raw or cleaned: a folder of .sgf and .mgt files, or one file.", metavar="DIR")
    ],
    out: Annotated[Path, typer.Option(help="The puzzles, one JSON object a line; rejects and proofs go beside it.")],
    engine: Annotated[str, typer.Option(help="Who finds and judges: solver, or katago, which has to be installed.")] = "solver",
    settings: MiningFile = None,
    limit: Annotated[int | None, typer.Option(help="Records to mine, at most, in their order.", min=1)] = None,
    workers: Workers = None,
    executor: ExecutorName = None,
    ray_address: RayAddress = None,
    force: Annotated[bool, typer.Option("--force", help="Begin anew, and replace what an earlier run wrote.")] = False,
    as_json: AsJson = False,
) -> None:
    """Mine puzzles from games: groups that hang on one move, cropped, proved and graded. A killed run goes on."""
    from playmill.puzzles.mining.conveyor import mine_folder
    from playmill.puzzles.sources import find_sources

    wanted, total = read_settings(settings), len(find_sources(folder))
    columns = ("positions", "candidates", "rejected", "accepted")
    with executing(executor, ray_address, workers), progress_bar("mining", min(total, limit or total), columns) as bar:
        hear = None if bar is None else lambda done, funnel: bar(done, **funnel.counts())
        try:
            mined = mine_folder(
                folder, out, wanted, engine=engine, workers=count_workers(workers), limit=limit, force=force, progress=hear
            )
        except KeyboardInterrupt:
            raise Interrupted from None
    if as_json:
        print_json({"in": folder, "out": out, "engine": engine, "done_now": mined.done_now, **mined.funnel.fields()})
    else:
        for line in _summary(mined):
            typer.echo(line)


def read_settings(path: Path | None) -> MiningSettings:
    """The settings of mining in a file, or the defaults."""
    from playmill.core.documents import fit, read_yaml
    from playmill.puzzles.mining.settings import MiningSettings

    return MiningSettings() if path is None else fit(MiningSettings, str(path), read_yaml(path)[0] or {})


def _summary(mined: Mined) -> list[str]:
    funnel = mined.funnel
    was = "" if mined.done_now == funnel.records else f", {funnel.records - mined.done_now} of them before"
    lines = [f"{mined.out}: {funnel.records} records{was}: {funnel.line()}"]
    if funnel.unusable:
        lines.append(f"games that could not be used: {funnel.unusable}")
    if funnel.rejected:
        lines.append("rejected: " + ", ".join(f"{reason} {count}" for reason, count in funnel.rejected.most_common()))
    return lines
