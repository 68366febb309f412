"""The log of searched roots: what each kind of search has to say, the same bytes for any threads."""

import json

import numpy as np
import pytest

from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator
from playmill.replay import ShardOrigin
from playmill.search.settings import SearchSettings
from playmill.selfplay.generate import SelfPlay
from playmill.selfplay.plan import plan_iteration
from playmill.selfplay.roots import join_parts, part_path
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Learner
from selfplay.test_selfplay import EXACT, HEADS, ONE_PLY, PUCT, evaluator

pytestmark = pytest.mark.jit
SETTINGS = SelfPlaySettings(games=12, shard_games=4, lanes=4, root_log_share=1.0)
QUIET = SearchSettings.model_validate({"puct": {"budget": 12, "dirichlet_epsilon": 0.0}})
GUMBEL = SearchSettings.model_validate({"puct": {"budget": 12, "selection": "gumbel"}})


class NoNumbers(TableEvaluator):
    """Answers that are no numbers."""

    def evaluate(self, features, logits, values):
        logits[:], values[:] = np.nan, np.nan

    def evaluate_values(self, features, values):
        values[:] = np.nan

    def evaluate_head(self, head, features, values):
        values[:] = np.nan


def play_log(folder, name, search, workers=1, answers=evaluator):
    """The lines that a few games leave behind."""
    game = get_game(name)
    makers = [Learner(game, SETTINGS, search, lambda: answers(game))]
    origin = ShardOrigin.of(game, iteration=0, seed=3)
    plan = plan_iteration(SETTINGS, 0)
    SelfPlay(game, SETTINGS, makers, folder / "replay", 3, origin, folder / "parts").run(plan, workers)
    join_parts(folder / "log.ndjson", [part_path(folder / "parts", index) for index in plan.indexes])
    return (folder / "log.ndjson").read_bytes()


def roots_of(folder, *words, **others):
    return [json.loads(line) for line in play_log(folder, *words, **others).splitlines()]


def test_puct_logs_visits_clean_priors_and_the_noisy_ones_it_went_by(tmp_path):
    roots = roots_of(tmp_path, "connect_four", PUCT)
    assert len(roots) > 100
    for root in roots:
        count = len(root["actions"])
        assert [len(root[name]) for name in ("visits", "priors", "noisy_priors", "policy")] == [count] * 4
        assert sum(root["visits"]) >= 12
        assert abs(sum(root["priors"]) - 1) < 0.01
        assert abs(sum(root["noisy_priors"]) - 1) < 0.01
        least = [0.75 * prior for prior in root["priors"]]
        assert all(noisy >= low - 1e-3 for noisy, low in zip(root["noisy_priors"], least, strict=True))
        assert root["fallback"] is False
    assert sum(root["priors"] != root["noisy_priors"] for root in roots if len(root["actions"]) > 1) > 100


def test_without_noise_there_are_no_noisy_priors(tmp_path):
    assert all("priors" in root and "noisy_priors" not in root for root in roots_of(tmp_path, "connect_four", QUIET))


def test_gumbels_noise_makes_no_prior(tmp_path):
    assert all("priors" in root and "noisy_priors" not in root for root in roots_of(tmp_path, "connect_four", GUMBEL))


@pytest.mark.parametrize(("game", "search"), [("connect_four", ONE_PLY), ("yatzy", EXACT)])
def test_a_search_without_a_networks_priors_has_no_field_for_them(tmp_path, game, search):
    roots = roots_of(tmp_path, game, search)
    assert roots
    assert all(not {"priors", "noisy_priors", "visits"} & set(root) for root in roots)
    assert all(root["fallback"] is False for root in roots)


@pytest.mark.parametrize(("game", "search"), [("connect_four", PUCT), ("connect_four", ONE_PLY), ("yatzy", EXACT)])
def test_answers_that_are_no_numbers_are_flagged(tmp_path, game, search):
    roots = roots_of(tmp_path, game, search, answers=lambda game: NoNumbers(NetShape.of_game(game, HEADS), 5))
    flagged = [root for root in roots if root["fallback"]]
    ends = [root for root in roots if not root["fallback"]]  # before the last move one ply asks for nothing
    assert len(flagged) > 5 * len(ends)
    assert all(max(root.get("priors", root["policy"])) == min(root.get("priors", root["policy"])) for root in flagged)


def test_a_network_that_finds_all_actions_alike_is_no_fallback(tmp_path):
    class Alike(TableEvaluator):
        def evaluate(self, features, logits, values):
            logits[:], values[:] = 0.5, 0.0

    roots = roots_of(tmp_path, "connect_four", PUCT, answers=lambda game: Alike(NetShape.of_game(game, HEADS), 5))
    assert all(root["fallback"] is False for root in roots)


def test_the_log_has_the_same_bytes_for_any_threads(tmp_path):
    one, three = (play_log(tmp_path / str(workers), "connect_four", PUCT, workers) for workers in (1, 3))
    assert one == three
