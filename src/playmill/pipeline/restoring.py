"""Shards of finished self-play that are gone or damaged: their games are played again, to the very bytes that were there."""

from __future__ import annotations

from collections import defaultdict

from playmill.core.errors import Interrupted, PlaymillError
from playmill.games.game import Game
from playmill.pipeline.holdings import listed_shards, remove_files, remove_unlisted, shard_fault
from playmill.pipeline.seating import seat_again
from playmill.pipeline.selfplay_phase import make_origin
from playmill.pipeline.settings import RunSettings
from playmill.replay import newest
from playmill.replay.shard import shard_index
from playmill.runs.contents import network_files, tell
from playmill.runs.folder import ELSEWHERE, Manifest, RunFolder
from playmill.selfplay.generate import SelfPlay
from playmill.selfplay.plan import find_shard, plan_iteration


def restore_shards(folder: RunFolder, game: Game, settings: RunSettings, manifest: Manifest, workers: int) -> None:
    """Play lost shards again, each with the network that played it; refused where that gives anything else than was there."""
    remove_unlisted(folder, plan_iteration(settings.selfplay, manifest.iterations_done), manifest)
    for iteration, lost in _lost(folder, settings, manifest).items():
        for index, fault in lost.items():
            tell(f"{fault}; its games are played again")
            remove_files(folder, index)
        _play_again(folder, game, settings, manifest, workers, iteration, sorted(lost))
        for index in lost:
            if what := shard_fault(folder, manifest, index):
                raise PlaymillError(f"{what}, though its games were played again; {ELSEWHERE}")


def _lost(folder: RunFolder, settings: RunSettings, manifest: Manifest) -> dict[int, dict[int, str]]:
    """By iteration: the shards whose self-play is over and which are not whole, and what is wrong with them."""
    lost: dict[int, dict[int, str]] = defaultdict(dict)
    shards = listed_shards(folder, manifest)
    window = set(newest(shards, settings.train.window_shards))  # what is not trained on any more is only measured
    for path in shards:
        index = shard_index(path)
        iteration, _ = find_shard(settings.selfplay, index)
        is_over = iteration < len(manifest.iterations) and manifest.iterations[iteration].selfplay is not None
        if is_over and (what := shard_fault(folder, manifest, index, path in window)):
            lost[iteration][index] = what
    return lost


def _play_again(
    folder: RunFolder, game: Game, settings: RunSettings, manifest: Manifest, workers: int, iteration: int, lost: list[int]
) -> None:
    entry = manifest.iterations[iteration].selfplay
    assert entry is not None
    players = [(one.model, one.backend) for one in (entry, entry.opponent) if one and one.model and one.backend]
    for path in (path for weights, _ in players for path in network_files(folder.kept(weights))):
        mark = manifest.files.get(folder.name_of(path))
        if mark is not None and (what := mark.fault(path)):
            raise PlaymillError(f"{path}: {what}, and the games of iteration {iteration} were played with it; {ELSEWHERE}")
    seated = seat_again(folder, game, settings, players, iteration)
    origin = make_origin(game, settings, seated, iteration)
    plan = plan_iteration(settings.selfplay, iteration)
    rules = settings.selfplay.in_iteration(iteration)
    makers = [one.maker(game, rules) for one in seated]
    player = SelfPlay(game, rules, makers, folder.replay, origin.seed, origin)
    if not player.run(plan, workers, only=[index - plan.first_shard for index in lost]).is_whole:
        raise Interrupted
