"""Who sits in self-play's games: the best network's search, and in a share of the games an opponent with its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import PlaymillError, UsageError
from playmill.core.files import copy_file
from playmill.games.game import Game
from playmill.nets.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.nets.net_evaluator import NetEvaluator, NetShape
from playmill.nets.tables import UniformEvaluator
from playmill.pipeline.settings import RunSettings
from playmill.replay import ShardPlayer
from playmill.runs.contents import enter_network, network_files
from playmill.runs.folder import Manifest, RunFolder
from playmill.search.make import batch_rows, make_searcher
from playmill.search.settings import SearchSettings
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Learner

NAMES = ("best", "opponent")


@dataclass(frozen=True)
class Seated:
    """One player of self-play: its network, ready to answer, and its search."""

    name: str
    weights: str
    search: SearchSettings
    evaluator: NetEvaluator

    def maker(self, game: Game, settings: SelfPlaySettings) -> Learner:
        return Learner(game, settings, self.search, self.evaluator.clone)

    def described(self) -> ShardPlayer:
        """What shards say of it."""
        search = self.search.model_dump(mode="json")
        return ShardPlayer(
            name=self.name,
            model=self.weights,
            search=search,
            backend=self.evaluator.backend,
            pass_rows=self.evaluator.pass_rows,
        )


def seat_players(
    folder: RunFolder, game: Game, settings: RunSettings, best: Checkpoint, manifest: Manifest | None
) -> list[Seated]:
    """The players of the iteration to come. An opponent's network is kept with the run's own."""
    networks = [best]
    if settings.selfplay.opponent.share > 0:
        networks.append(_opponent(folder, game, settings, best, manifest))
    return [
        _seat(name, network, settings.backend, search, settings, game)
        for name, network, search in zip(NAMES, networks, searches_of(settings), strict=False)
    ]


def seat_again(folder: RunFolder, game: Game, settings: RunSettings, players: Sequence[tuple[str, str]]) -> list[Seated]:
    """The players of games that were played, by their weights and backends; refused if a network is not the one that played."""
    searches = searches_of(settings)
    if len(players) != len(searches):
        raise PlaymillError(f"players: expected {len(searches)} by the run's settings, got {len(players)}")
    seated = []
    for name, (weights, backend), search in zip(NAMES, players, searches, strict=False):
        path = folder.kept(weights)
        network = load_checkpoint(path, game)
        if network.meta.weights_sha256 != weights:
            raise PlaymillError(f"{path}: expected these weights, got {network.meta.weights_sha256}")
        seated.append(_seat(name, network, backend, search, settings, game))
    return seated


def searches_of(settings: RunSettings) -> list[SearchSettings]:
    """The best's search, and the opponent's where there is one."""
    opponent = settings.selfplay.opponent
    if opponent.share == 0:
        return [settings.search]
    if opponent.budget is None:
        return [settings.search, settings.search]
    if settings.search.kind != "puct":
        raise UsageError(f"selfplay.opponent.budget: a search of the kind {settings.search.kind} has none; leave it out")
    puct = settings.search.puct.model_copy(update={"budget": opponent.budget, "budget_second": None})
    return [settings.search, settings.search.model_copy(update={"puct": puct})]


def check_opponent(game: Game, settings: RunSettings) -> None:
    """Refuse an opponent that can't play, before anything is made for it."""
    opponent = settings.selfplay.opponent
    if opponent.share == 0:
        return
    if game.players < 2:
        raise UsageError(f"selfplay.opponent.share: {game.name} has one player, so there is no seat for another; leave it out")
    search = searches_of(settings)[1]
    if opponent.model is not None:
        heads = load_checkpoint(Path(opponent.model), game).meta.heads
        try:
            make_searcher(game, search, UniformEvaluator(NetShape.of_game(game, heads)), lanes=1)
        except UsageError as error:
            raise UsageError(f"selfplay.opponent.model: {opponent.model}: {error}") from None


def _opponent(folder: RunFolder, game: Game, settings: RunSettings, best: Checkpoint, manifest: Manifest | None) -> Checkpoint:
    """The opponent's network: the one that earlier iterations kept, or the file that the settings name, kept from now on."""
    model = settings.selfplay.opponent.model
    if model is None:
        return best
    if manifest is not None:
        for entry in manifest.iterations[: manifest.iterations_done]:
            if entry.selfplay is not None and (kept := entry.selfplay.opponent):
                return load_checkpoint(folder.kept(kept.model), game)
    network = load_checkpoint(Path(model), game)
    path = folder.kept(network.meta.weights_sha256)
    keep_network(network, Path(model), path)
    if manifest is not None:
        enter_network(folder, manifest, path)
        manifest.save(folder)
    return load_checkpoint(path, game)


def keep_network(network: Checkpoint, source: Path | None, kept: Path) -> None:
    """Copy a network into the folder, with its int8 model if it has one."""
    if not kept.exists():
        save_checkpoint(kept, network)
        if source is not None and (int8 := network_files(source)[2]).exists():
            copy_file(int8, network_files(kept)[2])


def _seat(name: str, network: Checkpoint, backend: str, search: SearchSettings, settings: RunSettings, game: Game) -> Seated:
    # As many as a cohort of self-play asks about, also where one game is played again: the last bits depend on it.
    rows = batch_rows(search, settings.selfplay.lanes)
    evaluator = open_evaluator(network, backend, settings.device, game=game, rows=rows)
    return Seated(name, network.meta.weights_sha256, search, evaluator)
