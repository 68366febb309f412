"""Who sits in self-play's games: the best network's search, an opponent with its own, and a bot to spar with.

In a bootstrap a bot has all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from playmill.arena.entrants import RANDOM, find_bot
from playmill.core.errors import PlaymillError, UsageError, unknown_name
from playmill.core.executor import count_threads
from playmill.core.files import copy_file
from playmill.games.game import Game
from playmill.nets.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from playmill.nets.evaluators import OpenEvaluator, open_evaluator
from playmill.nets.net_evaluator import NetEvaluator, NetShape
from playmill.nets.spec import heads as heads_of_net
from playmill.nets.tables import UniformEvaluator
from playmill.packs.registry import find_pack
from playmill.pipeline.roles import NAMES, searches_of
from playmill.pipeline.settings import RunSettings
from playmill.play.player import MakePlayer, Player
from playmill.replay import ShardPlayer
from playmill.runs.contents import enter_network, network_files
from playmill.runs.folder import Manifest, RunFolder
from playmill.search.decisions import Tells
from playmill.search.kinds import ONE_PLY
from playmill.search.make import batch_rows, make_searcher
from playmill.search.settings import SearchSettings
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Learner


@dataclass(frozen=True)
class Seated:
    """One player of self-play: its network, ready to answer, and its search."""

    name: str
    weights: str
    search: SearchSettings
    evaluator: NetEvaluator

    @property
    def backend(self) -> str:
        return self.evaluator.backend

    def maker(self, game: Game, settings: SelfPlaySettings) -> MakePlayer:
        return Learner(game, settings, self.search, self.evaluator.clone, NAMES.index(self.name))

    def described(self) -> ShardPlayer:
        """What shards say of it."""
        search = self.search.model_dump(mode="json")
        return ShardPlayer(
            name=self.name,
            model=self.weights,
            search=search,
            backend=self.backend,
            pass_rows=self.evaluator.pass_rows,
        )


@dataclass(frozen=True)
class Imitated:
    """Makes the same players, whose moves are recorded as policies to be learned."""

    make: MakePlayer

    def __call__(self, lanes: int) -> Player:
        player = self.make(lanes)
        player.tells |= Tells.MOVES
        return player


@dataclass(frozen=True)
class SeatedBot:
    """A bot that plays a bootstrap, or that the others spar with."""

    name: str
    make: MakePlayer
    is_imitated: bool = False  # whether its moves are taught as a policy
    weights = backend = ""

    def maker(self, game: Game, settings: SelfPlaySettings) -> MakePlayer:
        return Imitated(self.make) if self.is_imitated else self.make

    def described(self) -> ShardPlayer:
        """What shards say of it."""
        return ShardPlayer(name=self.name)


def seat_players(
    folder: RunFolder,
    game: Game,
    settings: RunSettings,
    best: Checkpoint,
    manifest: Manifest | None,
    iteration: int,
    opener: OpenEvaluator = open_evaluator,
) -> Sequence[Seated | SeatedBot]:
    """The players of an iteration to come. An opponent's network is kept with the run's own."""
    if settings.selfplay.is_bootstrap(iteration):
        return [_seat_bootstrap(game, settings)]
    networks = [(best, settings.backend)]
    if settings.selfplay.opponent.share > 0:
        networks.append((_opponent(folder, game, settings, best, manifest), settings.backend))
    return [*_seat(game, settings, networks, opener), *_sparring_partner(game, settings)]


def seat_again(
    folder: RunFolder, game: Game, settings: RunSettings, players: Sequence[tuple[str, str]], iteration: int
) -> Sequence[Seated | SeatedBot]:
    """The players of games that were played, by their weights and backends; refused if a network is not the one that played.

    Bots have neither, and are those of the settings.
    """
    if settings.selfplay.is_bootstrap(iteration):
        return [_seat_bootstrap(game, settings)]
    players = [(weights, backend) for weights, backend in players if weights]
    searches = searches_of(settings)
    if len(players) != len(searches):
        raise PlaymillError(f"players: expected {len(searches)} by the run's settings, got {len(players)}")
    networks = []
    for weights, backend in players:
        path = folder.kept(weights)
        network = load_checkpoint(path, game)
        if network.meta.weights_sha256 != weights:
            raise PlaymillError(f"{path}: expected these weights, got {network.meta.weights_sha256}")
        networks.append((network, backend))
    return [*_seat(game, settings, networks), *_sparring_partner(game, settings)]


def check_opponent(game: Game, settings: RunSettings) -> None:
    """Refuse an opponent that can't play, before anything is made for it."""
    opponent = settings.selfplay.opponent
    _check_seats(game, "opponent", opponent.share)
    if opponent.share == 0:
        return
    best, search = searches_of(settings)
    rules, heads = settings.selfplay, heads_of_net(settings.net)
    if opponent.model is None and best.is_like(search) and rules.temperature_of(0).is_like(rules.temperature_of(1)):
        raise UsageError(
            f"selfplay.opponent: network, search ({search.kind}) and temperature are the best's own, so both players are one;"
            " give it another of them, or leave it out"
        )
    if opponent.model is None and best.kind == search.kind == ONE_PLY:
        raise UsageError(
            "selfplay.opponent.search: both players look one ply deep with one network, so there is no teacher;"
            " use search.kind=puct, or leave the opponent out"
        )
    if opponent.model is not None:
        heads = load_checkpoint(Path(opponent.model), game).meta.heads
    try:
        make_searcher(game, search, UniformEvaluator(NetShape.of_game(game, heads)), lanes=1)
    except UsageError as error:
        where = "search" if opponent.model is None else f"model: {opponent.model}"
        raise UsageError(f"selfplay.opponent.{where}: {error}") from None


def check_bots(game: Game, settings: RunSettings) -> None:
    """Refuse bots that the game doesn't have, and one to spar with where there is no seat for it."""
    selfplay, known = settings.selfplay, (RANDOM, *find_pack(game.name).bots)
    for section, name in (("bootstrap", selfplay.bootstrap.bot), ("sparring", selfplay.sparring.bot)):
        if name not in known:
            raise UsageError(f"selfplay.{section}.bot: {unknown_name('bot', name, known)}")
    _check_seats(game, "sparring", selfplay.sparring.share)


def _check_seats(game: Game, section: str, share: float) -> None:
    if share > 0 and game.players < 2:
        raise UsageError(f"selfplay.{section}.share: {game.name} has one player, so there is no seat for another; leave it out")


def check_imitation(game: Game, settings: RunSettings) -> None:
    """Refuse to teach a bot's moves where some are another name for a move that policies have: they would be none."""
    if settings.selfplay.bootstrap.policy and "distinct" in game.kernels:
        raise UsageError(
            f"selfplay.bootstrap.policy: {game.name} has actions of equal effect, of which policies name one and a bot any;"
            " leave it out"
        )


def _seat_bootstrap(game: Game, settings: RunSettings) -> SeatedBot:
    """The bot that plays the first iteration."""
    bootstrap = settings.selfplay.bootstrap
    return replace(_seat_bot(game, settings, bootstrap.bot), is_imitated=bootstrap.policy)


def _sparring_partner(game: Game, settings: RunSettings) -> list[SeatedBot]:
    """The bot to spar with, none if there are no such games."""
    sparring = settings.selfplay.sparring
    return [_seat_bot(game, settings, sparring.bot)] if sparring.share > 0 else []


def _seat_bot(game: Game, settings: RunSettings, name: str) -> SeatedBot:
    bots = find_pack(game.name).bots
    return SeatedBot(name, find_bot(name, game, bots=bots, workers=count_threads(settings.workers)))


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
    keep_network(network, network.path, path)
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


def shared_rows(asked: Sequence[int]) -> int:
    """For how many rows at a time a network is opened whose players ask for so many each.

    Two players share the lanes, so neither ever fills its batch. A batch that is larger than a pass takes several, one that is
    smaller pays for a whole one: of a teacher's and a one-ply student's passes three quarters were once padding.
    """
    return min(asked) if len(asked) == 1 else max(min(asked) // 2, 1)


def _seat(
    game: Game, settings: RunSettings, networks: Sequence[tuple[Checkpoint, str]], opener: OpenEvaluator = open_evaluator
) -> list[Seated]:
    """Networks, each with its backend, as players. One that plays both is opened once."""
    keys = [(network.meta.weights_sha256, backend) for network, backend in networks]
    searches = searches_of(settings)
    opened: dict[tuple[str, str], NetEvaluator] = {}
    for key, (network, backend) in zip(keys, networks, strict=True):
        if key not in opened:
            # As many as a cohort of self-play asks about, also where one game is played again: the last bits depend on it.
            asked = [
                batch_rows(search, settings.selfplay.lanes) for own, search in zip(keys, searches, strict=True) if own == key
            ]
            opened[key] = opener(network, backend, settings.device, game=game, rows=shared_rows(asked))
    return [Seated(name, key[0], search, opened[key]) for name, key, search in zip(NAMES, keys, searches, strict=False)]
