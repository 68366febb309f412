"""Bots against the solved game."""

import json

import pytest

from arena.players import SoftOracle
from playmill.core.errors import UsageError
from playmill.games.yatzy.rules import YATZY
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.packs.yatzy.oracle_suite import oracle_suite
from playmill.play.bots import RandomBot

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def reports(oracle):
    bots = [lambda _s: OracleBot(oracle), lambda _s: RandomBot(YATZY), lambda _s: SoftOracle(oracle, 0.5)]
    return dict(zip(("oracle", "random", "soft"), oracle_suite(bots, 1000, 1, 2, oracle), strict=True))


def test_the_oracle_itself_is_as_solved(reports):
    found = reports["oracle"]
    assert found.expected_score == pytest.approx(248.44, abs=0.005)
    assert found.boards.mean == pytest.approx(248.44, abs=4 * found.boards.plain.se)
    assert found.boards.fair.mean == pytest.approx(248.44, abs=0.005)
    assert found.boards.fair.se < 1e-9
    assert 0.86 < found.boards.bonus_rate < 0.92
    assert found.choices["all"].match_rate == 1.0
    assert found.choices["all"].mean_regret == 0.0


def test_the_oracle_against_itself_wins_half(reports):
    wins = reports["oracle"].against_oracle
    assert wins.rate == wins.paired.mean == wins.fair.mean == 0.5
    assert wins.wins == wins.losses
    assert wins.points.mean == wins.fair_points.mean == 0.0


def test_a_random_bot_is_far_below(reports):
    found = reports["random"]
    assert found.boards.max < 150
    assert found.boards.fair.high < 60
    assert found.boards.bonus_rate == 0.0
    assert found.against_oracle.rate < 0.01
    assert found.choices["all"].match_rate < 0.2
    assert found.choices["all"].mean_regret > 3


def test_the_distribution_of_regret_is_that_of_all_decisions_by_kind(reports):
    for found in reports.values():
        for choices in found.choices.values():
            assert sum(choices.histogram) == choices.count
            assert choices.histogram[0] == pytest.approx(choices.no_regret_rate * choices.count)
            assert list(choices.quantiles.values()) == sorted(choices.quantiles.values())
        kinds = [choices.histogram for kind, choices in found.choices.items() if kind != "all"]
        assert tuple(map(sum, zip(*kinds, strict=True))) == found.choices["all"].histogram
    best, random = (reports[name].choices["all"] for name in ("oracle", "random"))
    assert best.quantiles["1"] < 1e-9
    assert best.histogram[1:] == (0,) * 6
    assert random.quantiles["0.5"] > 1.0
    assert random.quantiles["0.5"] < random.mean_regret < random.quantiles["1"]


def test_a_good_bot_is_measured_to_a_tenth_of_a_point(reports):
    found = reports["soft"]
    assert 237 < found.boards.fair.low < found.boards.fair.high < 240
    assert found.boards.fair.se < 0.15 < found.boards.plain.se
    assert found.against_oracle.fair.se < found.against_oracle.paired.se / 1.7
    assert found.against_oracle.fair_points.mean == pytest.approx(found.boards.fair.mean - found.expected_score)
    assert 0.38 < found.against_oracle.fair.mean < 0.47


def test_a_report_is_plain_json_and_does_not_depend_on_threads(oracle):
    makers = [lambda _s: SoftOracle(oracle, 1.0)]
    texts = [json.dumps(oracle_suite(makers, 200, 3, w, oracle)[0].fields(), allow_nan=False) for w in (1, 2)]
    assert texts[0] == texts[1]


def test_progress_goes_through_all_bots(oracle):
    heard = []
    oracle_suite([lambda _s: RandomBot(YATZY)] * 2, 8, oracle=oracle, progress=heard.append)
    counts = [standing.done for standing in heard]
    assert counts[-1] == 16
    assert counts == sorted(counts)


@pytest.mark.parametrize("games", [0, 2, 7])
def test_games_come_in_pairs(oracle, games):
    with pytest.raises(UsageError, match="even number of at least 4"):
        oracle_suite([lambda _s: RandomBot(YATZY)], games, oracle=oracle)
