"""`playmill katago`: the engine that finds and judges puzzles: get it, try it, time it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.groups import App
from playmill.cli.options import AsJson
from playmill.cli.output import print_json

if TYPE_CHECKING:
    from playmill.puzzles.katago.analyst import Analyst
    from playmill.puzzles.katago.settings import KataGoSettings

app = App(help="KataGo, the engine that finds and judges Go puzzles.")

EnginePath = Annotated[Path | None, typer.Option("--engine", help="KataGo's program. [default: the installed one]")]
NetworkPath = Annotated[Path | None, typer.Option("--network", help="The network's file. [default: the installed one]")]
ConfigPath = Annotated[
    Path | None, typer.Option("--config", help="The analysis engine's configuration. [default: the installed one]")
]
Timeout = Annotated[float, typer.Option(help="Seconds that an answer may take, besides one for each visit.", min=0.1)]
Startup = Annotated[float, typer.Option(help="Seconds that the engine may take to start.", min=0.1)]


@app.callback()
def _katago() -> None:
    pass


@app.command()
def install(engine: EnginePath = None, network: NetworkPath = None, config: ConfigPath = None, as_json: AsJson = False) -> None:
    """Get KataGo and a network from published packages, or use your own, and remember it."""
    from playmill.puzzles.katago.install import install as install_engine

    place = install_engine(_settings(engine, network, config), lambda line: typer.echo(line, err=as_json))
    if as_json:
        print_json(asdict(place))


@app.command()
def check(
    engine: EnginePath = None,
    network: NetworkPath = None,
    config: ConfigPath = None,
    timeout: Timeout = 60.0,
    startup: Startup = 600.0,
    as_json: AsJson = False,
) -> None:
    """Start the engine and ask it about a position whose answer is known."""
    from playmill.puzzles.katago.trial import check as try_engine

    with _analyst(_settings(engine, network, config, timeout_s=timeout, startup_s=startup, restarts=0)) as analyst:
        report = try_engine(analyst)
    if as_json:
        print_json(asdict(report))
    else:
        typer.echo(
            f"KataGo {report.version}, {report.network}: it works; {report.seconds_to_start:.1f} s to start, "
            f"{report.seconds_to_answer:.1f} s for {report.visits} visits"
        )


@app.command()
def bench(
    engine: EnginePath = None,
    network: NetworkPath = None,
    config: ConfigPath = None,
    visits: Annotated[int, typer.Option(help="Visits of each query.", min=1, max=1_000_000)] = 20,
    queries: Annotated[int, typer.Option(help="Queries to time.", min=1, max=10_000)] = 8,
    as_json: AsJson = False,
) -> None:
    """Time the engine on openings of 19x19: visits a second, and seconds a query."""
    from playmill.puzzles.katago.trial import bench as time_engine

    with _analyst(_settings(engine, network, config)) as analyst:
        report = time_engine(analyst, visits, queries)
    rates = {"visits_per_second": report.visits_per_second, "seconds_per_query": report.seconds_per_query}
    if as_json:
        print_json({**asdict(report), **rates})
    else:
        typer.echo(
            f"KataGo {report.version}, {report.network}: {report.visits_per_second:.1f} visits/s, "
            f"{report.seconds_per_query:.2f} s a query of {visits} visits ({report.queries} queries, {report.seconds:.1f} s)"
        )


def _settings(engine: Path | None, network: Path | None, config: Path | None, **others: Any) -> KataGoSettings:
    from playmill.puzzles.katago.settings import KataGoSettings

    paths = {"engine": engine, "network": network, "config": config}
    named = {part: str(path) for part, path in paths.items() if path is not None}
    return KataGoSettings.model_validate({**named, **others})


@contextmanager
def _analyst(settings: KataGoSettings) -> Iterator[Analyst]:
    from playmill.puzzles.katago.analyst import Analyst

    analyst = Analyst(settings)
    try:
        yield analyst
    finally:
        analyst.close()
