"""One iteration's self-play in a run folder, for the controller and for whoever wants only that."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playmill.arena.measure import Fields
from playmill.core.errors import Interrupted
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.nets.checkpoint import Checkpoint, make_checkpoint, save_checkpoint
from playmill.nets.evaluators import OpenEvaluator, open_evaluator
from playmill.nets.model import build_net
from playmill.packs.registry import find_pack
from playmill.pipeline.holdings import enter_shard, prepare_replay
from playmill.pipeline.rates import LIVE, search_rates
from playmill.pipeline.results import results_by_player
from playmill.pipeline.roles import searches_of
from playmill.pipeline.seating import Seated, SeatedBot, seat_players
from playmill.pipeline.settings import RunSettings
from playmill.pipeline.streams import GAMES, WEIGHTS
from playmill.replay import ShardOrigin, list_shards, read_meta
from playmill.replay.meta import meta_path
from playmill.replay.policies import policy_facts
from playmill.replay.shard import check_origin, read_games, shard_index, shard_path
from playmill.runs.copies import enter_best, enter_first, make_copies
from playmill.runs.entries import OpponentEntry, PlayerEntry, SelfPlayEntry
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.watcher import Tell
from playmill.search.make import batch_rows
from playmill.selfplay.generate import SelfPlay
from playmill.selfplay.plan import Plan, plan_iteration
from playmill.selfplay.roots import join_parts, part_path
from playmill.selfplay.settings import SelfPlaySettings

WAVES = 2  # of games, one after the other in every lane: played all at once, shards would all be finished at the end

# Given how many games there are, and how many had been played before: who hears how many have ended, and what was counted.
Watch = Callable[[int, int], AbstractContextManager[Tell]]


@dataclass(frozen=True)
class PlayedIteration:
    """An iteration's games. `played` and what follows is what this call did; shards that were there took it no time."""

    games: int
    samples: int
    backend: str | None
    played: int
    played_samples: int
    seconds: float
    stats: dict[str, int] = field(default_factory=dict)
    opponent: OpponentEntry | None = None
    policy_entropy: float | None = None  # of the policies in all shards of the iteration
    top_probability: float | None = None
    bot: str | None = None
    results: dict[str, PlayerEntry] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)  # what the game's pack says of them

    @property
    def games_s(self) -> float | None:
        """Games a second, None if all had been played before."""
        return self.played / self.seconds if self.played else None

    def fields(self) -> dict[str, Any]:
        """As plain values."""
        opponent = self.opponent.model_dump() if self.opponent else None
        results = {name: result.model_dump() for name, result in self.results.items()}
        rates = {"games_s": self.games_s, **vars(search_rates(self.stats, self.seconds))}
        return {**vars(self), "opponent": opponent, "results": results, **rates}

    def entry(self, model: str) -> SelfPlayEntry:
        """For the manifest; `model` are the weights of the best, which a bootstrap is played without."""
        fields = {name: value for name, value in self.fields().items() if name not in ("played_samples", "seconds")}
        return SelfPlayEntry(model=None if self.bot else model, **fields)


def first_network(game: Game, settings: RunSettings, config_hash: str | None = None, commit: str | None = None) -> Checkpoint:
    """The network that a run with these settings begins with."""
    net = build_net(game, settings.net, mix(settings.seed, WEIGHTS) >> 1)
    return make_checkpoint(game, settings.net, net, config_hash=config_hash, commit=commit)


def begin_best(folder: RunFolder, game: Game, settings: RunSettings, manifest: Manifest) -> None:
    """Make the network that a new run begins with its best one."""
    first = first_network(game, settings, manifest.settings_hash, manifest.commit)
    weights = first.meta.weights_sha256
    save_checkpoint(folder.kept(weights), first)
    enter_best(folder, manifest, folder.kept(weights), weights)
    enter_first(folder, manifest, weights)
    manifest.save(folder)
    make_copies(folder, manifest)


def play_iteration(
    folder: RunFolder,
    game: Game,
    settings: RunSettings,
    best: Checkpoint,
    iteration: int,
    workers: int,
    watch: Watch,
    manifest: Manifest | None = None,
    opener: OpenEvaluator = open_evaluator,
) -> PlayedIteration:
    """Play the games of the iteration that are missing; raises Interrupted if the user stops it.

    In a run, given by its manifest, a shard counts once the manifest lists it.
    """
    plan = plan_iteration(settings.selfplay, iteration)
    prepare_replay(folder, plan, manifest)
    seated = seat_players(folder, game, settings, best, manifest, iteration, opener)
    origin = make_origin(game, settings, seated, iteration)
    _check_shards(folder, plan, origin)
    rules = settings.selfplay.in_iteration(iteration)
    rules = rules.model_copy(update={"lanes": lanes_of(settings, plan.games, workers)})
    player = SelfPlay(
        game, rules, [one.maker(game, rules) for one in seated], folder.replay, origin.seed, origin,
        folder.root_parts, None if manifest is None else lambda index: enter_shard(folder, manifest, index),
    )  # fmt: skip
    began = time.perf_counter()
    with watch(plan.games, player.games_there(plan)) as tell:

        def hear(done: int, **counted: float) -> None:
            rows_out = None if settings.infer.is_local else _rows_out(opener)
            tell(done, **counted, **_live_facts(counted, time.perf_counter() - began, rows_out))

        report = player.run(plan, workers, hear)
    if not report.is_whole:
        raise Interrupted
    _log_roots(folder, plan, manifest)
    samples, seconds = _samples_of(folder, plan), time.perf_counter() - began
    paths = _shards_of(folder, plan)
    (first, *others), (entropy, top) = seated, policy_facts(paths)
    opponents = [OpponentEntry(model=one.weights, backend=one.backend) for one in others if isinstance(one, Seated)]
    return PlayedIteration(
        plan.games, samples, first.backend or None, report.games, report.samples, seconds, report.stats,
        opponent=opponents[0] if opponents else None,
        policy_entropy=entropy,
        top_probability=top,
        bot=first.name if isinstance(first, SeatedBot) else None,
        results=results_by_player(paths, game, rules, origin.seed, [one.name for one in seated]),
        details=summarise(game, paths, rules),
    )  # fmt: skip


def lanes_of(settings: RunSettings, games: int, workers: int) -> int:
    """How many games a cohort has: where networks answer elsewhere, enough to fill a message. No result depends on it."""
    own, infer = settings.selfplay.lanes, settings.infer
    if infer.is_local:
        return own
    rows_a_lane = min(batch_rows(search, 1) for search in searches_of(settings))
    return max(own, min(-(-infer.rows // rows_a_lane), games // (WAVES * workers * infer.in_turn)))


def _live_facts(counted: Mapping[str, float], seconds: float, rows_out: int | None) -> dict[str, float]:
    """What can be said of self-play while it is under way: how fast it searches, how full batches are, what servers owe."""
    rates = search_rates({name: int(count) for name, count in counted.items()}, seconds)
    found = dict(zip(LIVE, (rates.simulations_s, rates.batch_fill, rows_out), strict=True))
    return {name: float(value) for name, value in found.items() if value is not None}


def _rows_out(opener: OpenEvaluator) -> int | None:
    from playmill.serve.opening import RemoteOpener  # brings ZeroMQ, which nobody else needs

    return opener.total().rows_out if isinstance(opener, RemoteOpener) else None


def make_origin(game: Game, settings: RunSettings, seated: Sequence[Seated | SeatedBot], iteration: int) -> ShardOrigin:
    """What the shards of an iteration say of themselves."""
    players = tuple(one.described() for one in seated)
    return ShardOrigin.of(game, iteration=iteration, seed=mix(settings.seed, GAMES), players=players)


def _check_shards(folder: RunFolder, plan: Plan, origin: ShardOrigin) -> None:
    """Refuse shards of the plan that came from somewhere else."""
    for number in range(plan.shards):
        path = shard_path(folder.replay, plan.first_shard + number)
        if meta_path(path).exists():
            check_origin(path, origin, *plan.games_of(number))


def _samples_of(folder: RunFolder, plan: Plan) -> int:
    return sum(read_meta(path).samples for path in _shards_of(folder, plan))


def _shards_of(folder: RunFolder, plan: Plan) -> list[Path]:
    return [path for path in list_shards(folder.replay) if shard_index(path) in plan.indexes]


def summarise(game: Game, shards: Sequence[Path], settings: SelfPlaySettings) -> dict[str, Fields]:
    """What the game's pack says of the games in these shards, by the names of its summaries."""
    summaries = find_pack(game.name).summaries
    games = [read_games(path) for path in shards] if summaries else []
    return {summary.name: summary.run(game, games, settings) for summary in summaries}


def _log_roots(folder: RunFolder, plan: Plan, manifest: Manifest | None) -> None:
    """Put the shards' roots into the log; the parts go once the manifest has the whole."""
    parts = [part_path(folder.root_parts, index) for index in plan.indexes]
    join_parts(folder.roots, parts, manifest.event_head() if manifest else None)
    if manifest is not None and folder.roots.exists():
        manifest.enter(folder, folder.roots)
        manifest.forget(folder, *parts)
        manifest.save(folder)
    for path in parts:
        path.unlink(missing_ok=True)
    with suppress(OSError):  # others' parts are there, or there never was any
        folder.root_parts.rmdir()
