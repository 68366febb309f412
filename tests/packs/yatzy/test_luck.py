"""Luck removed: the identity, its mean of zero, and what it saves."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from arena.players import NoisyOracle, SoftOracle
from playmill.arena.match import play_match
from playmill.arena.seeds import derive_seeds
from playmill.arena.statistics import estimate, pair_means
from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.games.yatzy.hands import HANDS
from playmill.games.yatzy.rules import FIRST_MARK, YATZY
from playmill.games.yatzy.turn import CANONICAL, KEEPS
from playmill.packs.yatzy.luck import Ledger, keep_ledger, without_luck
from playmill.packs.yatzy.luck_kernels import CHANCES, KINDS
from playmill.packs.yatzy.oracle_bot import OracleBot, hands_of
from playmill.packs.yatzy.oracle_view import see_boards, see_choices, see_wins
from playmill.play.bots import RandomBot

Z = 3.5  # standard errors: a fair test fails once in two thousand


def ledger_of(oracle, first, second, pairs, seed=0, workers=2):
    makers = [lambda _s: first, lambda _s: second]
    match = play_match(YATZY, makers, derive_seeds(pairs, seed).array(), workers)
    return keep_ledger(oracle, match, workers)


@pytest.fixture(scope="module")
def noisy(oracle):
    """A bot that errs in five decisions of a hundred, against the oracle."""
    return ledger_of(oracle, NoisyOracle(oracle, 0.05), OracleBot(oracle), 2000)


@pytest.fixture(scope="module")
def soft(oracle):
    """A bot as a trained network is, ten points below best play, against the oracle."""
    return ledger_of(oracle, SoftOracle(oracle, 0.5), OracleBot(oracle), 4000)


@pytest.fixture(scope="module")
def weak(oracle):
    return ledger_of(oracle, RandomBot(YATZY), NoisyOracle(oracle, 0.9), 300)


# ------------------------------------------------------------------ points


def test_score_is_start_plus_luck_less_regret_on_every_board(noisy, soft, weak):
    for ledger in (noisy, soft, weak):
        totals = ledger.match.finals["total"]
        assert np.abs(totals - (ledger.start + ledger.luck - ledger.regret)).max() < 1e-9
        assert ledger.regret.min() > -1e-9


def test_best_play_has_no_regret(noisy):
    assert np.abs(noisy.of(1, noisy.regret)).max() < 1e-9
    assert noisy.fair_scores(1) == pytest.approx(noisy.start)


@pytest.mark.parametrize("name", ["noisy", "soft", "weak"])
def test_luck_is_zero_on_average_for_every_roll_of_either_seat(name, request):
    ledger = request.getfixturevalue(name)
    rows, rerolls = ledger.decisions, ledger.match.states()["rerolls"]
    for column, expected in (("best", "expected"), ("win", "win_expected")):
        luck = rows[column] - rows[expected]
        for player, left in product((0, 1), (2, 1, 0)):
            some = luck[(rows["player"] == player) & (rerolls == left)]
            assert abs(some.mean()) < Z * some.std() / np.sqrt(some.size)


def test_few_games_without_luck_agree_with_many_plain_ones(oracle, noisy):
    """Means over other games: if taking luck off changed the mean, they would differ."""
    plain = estimate(pair_means(noisy.scores(0)))
    few = ledger_of(oracle, NoisyOracle(oracle, 0.05), OracleBot(oracle), 300, seed=9)
    fair = estimate(pair_means(few.fair_scores(0)))
    assert abs(plain.mean - fair.mean) < Z * np.hypot(plain.se, fair.se)
    assert 220 < fair.mean < 235  # twenty points below best play: the interval means something


def test_a_good_player_needs_far_fewer_games(noisy, soft):
    assert see_boards(soft, 0).variance_ratio > 60
    assert see_boards(noisy, 0).variance_ratio > 3
    assert see_boards(soft, 1).variance_ratio is None  # no regret, no variance


def coverage(trials, truth, size=25):
    """How often intervals over `size` trials hold the truth."""
    parts = [estimate(part) for part in trials.reshape(-1, size)]
    return np.mean([part.low <= truth <= part.high for part in parts])


def test_the_luck_removed_interval_covers_as_often_as_it_says(soft):
    fair = pair_means(soft.fair_scores(0))
    assert coverage(fair, fair.mean()) == pytest.approx(0.95, abs=0.05)


# ------------------------------------------------------------------ wins


@pytest.mark.parametrize("name", ["noisy", "soft"])
def test_wins_without_luck_have_the_same_mean_and_less_variance(name, request):
    ledger = request.getfixturevalue(name)
    plain, fair = pair_means(ledger.match.scores(0)), ledger.fair_wins(0)
    gap = estimate(plain - fair)
    assert abs(gap.mean) < Z * gap.se
    assert see_wins(ledger, 0).variance_ratio > 2.5


def test_what_one_bot_wins_the_other_loses(soft):
    assert soft.fair_wins(0) + soft.fair_wins(1) == pytest.approx(1)


def test_the_luck_reduced_interval_of_a_short_match_covers_as_often_as_it_says(soft):
    """Matches of 25 pairs, each of which fits its own share of luck."""
    trials = pair_means(soft.match.scores(0)).reshape(-1, 25)
    luck = pair_means(soft.of(0, soft.win_luck)).reshape(-1, 25)
    fair = np.concatenate([without_luck(t, x) for t, x in zip(trials, luck, strict=True)])
    assert coverage(fair, soft.fair_wins(0).mean()) == pytest.approx(0.95, abs=0.05)


def test_the_share_of_luck_is_fitted_on_other_trials():
    """Fitted on the same few trials the mean is off; fitted on the other half it is not."""
    rng = np.random.default_rng(0)
    luck = rng.normal(size=(20_000, 16))
    trials = 0.5 + luck + (luck**2 - 1)  # skewed on purpose: the mean of luck ** 3 is what makes a fit biased
    found = np.array([without_luck(t, x).mean() for t, x in zip(trials, luck, strict=True)])
    same = trials.mean(axis=1) - luck.mean(axis=1) * ((trials - trials.mean(axis=1)[:, None]) * luck).sum(axis=1) / (
        luck**2
    ).sum(axis=1)
    assert abs(found.mean() - 0.5) < Z * found.std() / np.sqrt(found.size)
    assert abs(same.mean() - 0.5) > Z * same.std() / np.sqrt(same.size)


def test_few_trials_lose_all_their_luck():
    assert without_luck(np.array([1.0, 0.0]), np.array([0.25, -0.25])).tolist() == [0.75, 0.25]


# ------------------------------------------------------------------ decisions


class HighestMask(OracleBot):
    """The oracle's choice under another name: of the masks that mean the same, the highest."""

    def pick(self, ask):
        best = super().pick(ask)
        for i, hand in enumerate(hands_of(ask.records)):
            if best[i] < FIRST_MARK:
                best[i] = np.flatnonzero(CANONICAL[hand] == best[i]).max()
        return best


def test_masks_that_mean_the_same_count_as_the_same(oracle):
    ledger = ledger_of(oracle, HighestMask(oracle), OracleBot(oracle), 20)
    choices = see_choices(ledger, 0)["all"]
    assert (choices.match_rate, choices.no_regret_rate, choices.mean_regret) == (1.0, 1.0, 0.0)
    assert (ledger.match.actions < FIRST_MARK).any()


def test_choices_are_counted_by_kind(noisy):
    choices = see_choices(noisy, 0)
    assert choices["mark"].count + choices["early_mark"].count == 15 * noisy.match.seeds.size
    assert sum(choices[kind].count for kind in KINDS) == choices["all"].count
    # 5 % errors, of which one in a few is the best action by chance
    assert 0.945 < choices["all"].match_rate <= choices["all"].no_regret_rate < 0.965
    assert choices["early_mark"].mean_regret > choices["keep_2"].mean_regret > 0


def test_regret_by_decision_is_the_regret_of_the_boards(soft):
    choices = see_choices(soft, 0)["all"]
    assert choices.count * choices.mean_regret == pytest.approx(soft.of(0, soft.regret).sum())


# ------------------------------------------------------------------ the rest


def test_chances_are_those_of_dice():
    assert CHANCES.sum(axis=1) == pytest.approx(1)
    for keep in ((), (3,), (2, 2, 6), (1, 2, 3, 4)):
        rolls = Counter(tuple(sorted(keep + roll)) for roll in product(range(1, 7), repeat=5 - len(keep)))
        expected = [rolls[hand] / 6 ** (5 - len(keep)) for hand in HANDS]
        assert CHANCES[KEEPS.index(keep)] == pytest.approx(expected)


def test_a_ledger_is_the_same_for_any_number_of_threads_and_pieces(oracle):
    makers = [lambda _s: NoisyOracle(oracle, 0.2), lambda _s: RandomBot(YATZY)]
    seeds = derive_seeds(300).array()
    one, two = (keep_ledger(oracle, play_match(YATZY, makers, seeds, w), w) for w in (1, 2))
    parts = [keep_ledger(oracle, play_match(YATZY, makers, part)) for part in (seeds[:100], seeds[100:])]
    for other in (two, Ledger.join(parts)):
        for column in ("luck", "regret", "win_luck", "decisions"):
            assert getattr(one, column).tobytes() == getattr(other, column).tobytes()


def test_only_a_solved_game_has_luck(oracle):
    game = get_game("tictactoe")
    match = play_match(game, [lambda _s: RandomBot(game)] * 2, derive_seeds(2).array())
    with pytest.raises(UsageError, match="tictactoe: luck is known only for yatzy"):
        keep_ledger(oracle, match)
