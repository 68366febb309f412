"""Self-play of EXCHANGE for tests: a shard by a search over an evaluator that needs no network."""

from __future__ import annotations

from playmill.games.heads import target_columns
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator, UniformEvaluator
from playmill.packs.registry import find_game
from playmill.search.settings import SearchSettings
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Learner, games_of_run, play_shard

GAME = find_game("exchange")
SHAPE = NetShape.of_game(GAME, ("shaped",))
SEARCH = SearchSettings.model_validate({"puct": {"budget": 2, "inflight": 1}})


class SureOfADraw(UniformEvaluator):
    """Says of every position that it will be drawn."""

    def clone(self):
        return SureOfADraw(self.shape)

    def _fill(self, features, logits, values):
        logits[:], values[:] = 0, GAME.draw_utility

    def _fill_values(self, features, values):
        values[:] = GAME.draw_utility


def table():
    return TableEvaluator(SHAPE, 5)


def play_games(count=4, lanes=4, open_evaluator=table, **settings):
    """A shard of so many games."""
    rules = SelfPlaySettings.model_validate(settings)
    players = [Learner(GAME, rules, SEARCH, open_evaluator)(lanes)]
    return play_shard(GAME, players, rules, games_of_run(GAME, rules, 3, 0, count), lanes)


def targets_of(data):
    """The columns of the shard's targets by name."""
    return {name: data.samples.targets[:, i] for i, name in enumerate(target_columns(GAME))}
