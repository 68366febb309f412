"""`playmill selfplay`: play one iteration's games with a network and write them as replay shards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson, Overrides, thread_count
from playmill.cli.output import print_json
from playmill.core.errors import UsageError

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.nets.checkpoint import Checkpoint
    from playmill.pipeline.folder import RunFolder
    from playmill.pipeline.playing import Played
    from playmill.pipeline.settings import RunSettings

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
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Play games and write replay shards; shards that are there already are kept."""
    from playmill.games.registry import get_game
    from playmill.pipeline.folder import RunFolder
    from playmill.pipeline.settings import load_settings

    settings, _ = load_settings(config, overrides or [])
    if games is not None:
        settings = settings.model_copy(update={"selfplay": settings.selfplay.model_copy(update={"games": games})})
    folder, game = RunFolder(out), get_game(settings.game)
    with folder.locked():
        network = _find_model(folder, game, settings, model)
        played = _play(folder, game, settings, network, _find_iteration(folder, settings, network, iteration))
    who = network.meta.weights_sha256
    if as_json:
        print_json({"replay": folder.replay, **vars(played), "games_s": played.games_s, "weights_sha256": who})
    else:
        typer.echo(closing_line(folder, played, who))


def _find_iteration(folder: RunFolder, settings: RunSettings, network: Checkpoint, wanted: int | None) -> int:
    """The iteration to play; a run takes no games but its current iteration's, by its own settings and its best network."""
    from playmill.pipeline.folder import read_manifest

    manifest = read_manifest(folder)
    if manifest is None:
        return wanted or 0
    if manifest.settings_hash != settings.digest():
        raise UsageError(
            f"{folder.root}: the run was begun with other settings; compare {folder.config}, or choose a new folder"
        )
    if wanted not in (None, manifest.iterations_done):
        raise UsageError(f"--iteration: the run in {folder.root} is in iteration {manifest.iterations_done}, got {wanted}")
    if network.path is not None and network.path.resolve() != folder.best.resolve():
        raise UsageError(f"--model: the run in {folder.root} plays with its own {folder.best.name}; choose a new folder")
    return manifest.iterations_done


def _find_model(folder: RunFolder, game: Game, settings: RunSettings, model: Path | None) -> Checkpoint:
    """The network to play with; a new one is the one that a run with these settings begins with."""
    from playmill.nets.checkpoint import load_checkpoint
    from playmill.pipeline.playing import first_network

    if model is not None or folder.best.exists():
        return load_checkpoint(model or folder.best, game)
    return first_network(game, settings, settings.digest())


def _play(folder: RunFolder, game: Game, settings: RunSettings, best: Checkpoint, iteration: int) -> Played:
    """Play what is missing; return what came of it."""
    from playmill.cli.progress import progress_bar
    from playmill.pipeline.playing import play_iteration

    threads = thread_count(settings.workers)
    return play_iteration(
        folder, game, settings, best, iteration, threads, lambda total, _: progress_bar(f"{game.name} self-play", total)
    )


def closing_line(folder: RunFolder, played: Played, weights: str) -> str:
    """What was played, how fast and by whom."""
    if played.games_s is None:
        return f"{folder.replay}: all {played.games} games had been played before"
    who = f"{weights[:HASH_DIGITS]} ({played.backend})"
    return f"{folder.replay}: {played.played} games, {played.played_samples:,} samples, {played.games_s:,.1f} games/s by {who}"
