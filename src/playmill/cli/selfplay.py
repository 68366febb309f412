"""`playmill selfplay`: play one iteration's games with a network and write them as replay shards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.configured import refuse_other_size
from playmill.cli.executor import ExecutorName, RayAddress, executing, executor_words
from playmill.cli.infer import InferKey, RunInfer, infer_words
from playmill.cli.metrics import Metrics, metrics_page
from playmill.cli.options import AsJson, Overrides
from playmill.cli.output import print_json
from playmill.core.errors import UsageError
from playmill.core.executor import count_threads, count_workers
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.nets.checkpoint import Checkpoint
    from playmill.pipeline.metering import RunTally
    from playmill.pipeline.selfplay_phase import PlayedIteration
    from playmill.pipeline.settings import RunSettings
    from playmill.runs.folder import Manifest, RunFolder
    from playmill.runs.watcher import Tell

HASH_DIGITS = 8


def register(app: typer.Typer) -> None:
    app.command()(selfplay)


def selfplay(
    config: Annotated[Path, typer.Argument(help="Settings, e.g. configs/yatzy_smoke.yaml.")],
    out: Annotated[Path, typer.Option(help="Run folder; made if missing. Shards go into its replay folder.")],
    model: Annotated[Path | None, typer.Option(help="The network. [default: models/best.pt there, else a new one]")] = None,
    games: Annotated[int | None, typer.Option(help="How many. [default: as the settings say]", min=1)] = None,
    iteration: Annotated[
        int | None, typer.Option(help="Which iteration's games, from 0. [default: the one a run is in, else 0]", min=0)
    ] = None,
    executor: ExecutorName = None,
    ray_address: RayAddress = None,
    infer: RunInfer = None,
    infer_key: InferKey = None,
    metrics: Metrics = None,
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Play games and write replay shards; shards that are there already are kept."""
    require_extra("nets", "self-play")
    from playmill.nets.checkpoint import load_checkpoint
    from playmill.nets.pretrained import model_path
    from playmill.pipeline.checks import check_run
    from playmill.pipeline.selfplay_folder import keep_selfplay
    from playmill.runs.folder import RunFolder

    changes = [*executor_words(executor, ray_address), *infer_words(infer, infer_key), *(overrides or [])]
    changes += [f"selfplay.games={games}"] if games is not None else []
    settings, text, game = check_run(config, changes)
    if games is not None and settings.selfplay.is_bootstrap(iteration or 0):
        raise UsageError(
            f"--games: {settings.selfplay.bootstrap.bot} plays iteration 0; use --set selfplay.bootstrap.games={games}"
        )
    if model is not None:
        model = model_path(model)
        refuse_other_size("--model", load_checkpoint(model, game), settings)  # before the folder is made
    folder = RunFolder(out)
    with (
        executing(settings.executor, settings.ray_address, settings.workers),
        metrics_page(metrics) as tally,
        folder.locked(),
    ):
        manifest = _find_run(folder, settings, text, iteration)
        if manifest is not None:
            if model is not None and model.resolve() != folder.best.resolve():
                raise UsageError(f"--model: the run in {out} plays with its own {folder.best.name}; choose a new folder")
            iteration = manifest.iterations_done
        network = _find_model(folder, game, settings, manifest, model)
        if manifest is None:
            keep_selfplay(folder, settings, text, network, model)
        if manifest is not None and manifest.current.selfplay is not None:
            facts = {**manifest.current.selfplay.model_dump(), "games_s": None}
        else:
            played = _play(folder, game, settings, network, iteration or 0, manifest, tally)
            facts = played.fields()
    facts |= {"replay": folder.replay, "weights_sha256": network.meta.weights_sha256}
    print_json(facts) if as_json else typer.echo(closing_line(facts))


def _find_run(folder: RunFolder, settings: RunSettings, text: str, iteration: int | None) -> Manifest | None:
    """The run in the folder, if there is one; it takes no games but its current iteration's, by its own settings."""
    from playmill.pipeline.settings import load_settings
    from playmill.runs.folder import read_manifest
    from playmill.runs.resume import open_folder

    if not folder.manifest.exists() and (folder.note.exists() or not folder.config.exists()):
        return None  # shards of games that are of no run
    manifest = read_manifest(folder)
    if manifest is not None and manifest.settings_hash != settings.digest():
        raise UsageError(
            f"{folder.root}: the run was begun with other settings; go on with its own, {folder.config}, or choose a new folder"
        )
    if manifest is not None and iteration not in (None, manifest.iterations_done):
        raise UsageError(f"--iteration: the run in {folder.root} is in iteration {manifest.iterations_done}, got {iteration}")
    return open_folder(folder, settings, text, load_settings)


def _find_model(
    folder: RunFolder, game: Game, settings: RunSettings, manifest: Manifest | None, model: Path | None
) -> Checkpoint:
    """The network to play with; a new one is the one that a run with these settings begins with."""
    from playmill.nets.checkpoint import load_checkpoint
    from playmill.pipeline.selfplay_phase import begin_best, first_network

    if manifest is not None and manifest.best is None:
        begin_best(folder, game, settings, manifest)
    if model is not None or folder.best.exists():
        return load_checkpoint(model or folder.best, game)
    return first_network(game, settings, settings.digest())


def _play(
    folder: RunFolder,
    game: Game,
    settings: RunSettings,
    best: Checkpoint,
    iteration: int,
    manifest: Manifest | None,
    tally: RunTally,
) -> PlayedIteration:
    """Play what is missing; return what came of it."""
    from playmill.nets.evaluators import open_evaluator
    from playmill.pipeline.selfplay_phase import play_iteration
    from playmill.serve.inference import open_networks

    workers = count_workers(settings.workers)
    threads = min(workers, count_threads(None))  # of a server of its own, in this machine
    opener = open_networks(settings.infer, settings.device, settings.backend, threads, folder.serve_log)
    tally.iteration, tally.opener = iteration, opener
    try:
        played = play_iteration(
            folder, game, settings, best, iteration, workers,
            lambda total, done: _watched(tally, game.name, total, done), manifest, opener or open_evaluator,
        )  # fmt: skip
        tally.add_searches(played.stats, played.seconds)
        return played
    finally:
        if opener is not None:
            opener.close()


@contextmanager
def _watched(tally: RunTally, game: str, total: int, done: int) -> Iterator[Tell]:
    """Who hears of games: a bar, and the tally."""
    from playmill.cli.progress import progress_bar

    with progress_bar(f"{game} self-play", total) as shown, tally.in_phase("selfplay", total, done) as counted:

        def tell(done: int, **facts: float) -> None:
            counted(done, **facts)
            if shown is not None:
                shown(done)

        yield tell


def closing_line(facts: dict[str, Any]) -> str:
    """What was played, how fast and by whom."""
    if facts["games_s"] is None:
        return f"{facts['replay']}: all {facts['games']} games had been played before"
    who = facts.get("bot") or f"{facts['weights_sha256'][:HASH_DIGITS]} ({facts['backend']})"
    if opponent := facts.get("opponent"):
        who += f" and {opponent['model'][:HASH_DIGITS]} ({opponent['backend']})"
    played = f"{facts['played']} games, {facts['played_samples']:,} samples"
    return f"{facts['replay']}: {played}, {facts['games_s']:,.1f} games/s by {who}"
