"""The reward terms of EXCHANGE: what they are worth, their settings, and what they do to the targets of self-play."""

from types import SimpleNamespace

import numpy as np
import pytest

from commands import runner
from naive.exchange_tally import tally_plainly
from packs.exchange.games_at_hand import GAME, play_games, targets_of
from playmill.cli import config, selfplay
from playmill.core.documents import fit
from playmill.core.errors import UsageError
from playmill.games.exchange.counters import COUNTERS
from playmill.games.trackers import TRACKERS, shaping_parts, term_values
from playmill.packs.exchange.rewards import TERMS, TRACKER, WEIGHTS
from playmill.packs.registry import find_game
from playmill.pipeline.checks import check_run
from playmill.selfplay.rewards import RewardSettings, check_rewards
from playmill.selfplay.settings import SelfPlaySettings

pytestmark = pytest.mark.jit

# The value of each term for a side with these counts, all others zero, by the table of the training's description.
BY_HAND = [
    ("early_win", {"early_win": 0.5}, 0.25),
    ("damage_dealt", {"damage_weighted": 30}, 0.30),
    ("attack_action", {"attacks": 3}, 0.06),
    ("rd_activation", {"rd_activations": 3}, 0.0),
    ("rd_combo", {"rd_combo_attacks": 3}, 0.45),
    ("rd_combo", {"rd_combo_attacks": 5}, 0.60),
    ("rd_waste", {"rd_wasted": 2}, -0.20),
    ("interpose", {"interpose_damage_blocked": 4}, 0.08),
    ("consecration", {"consecration_efficiency": 1.5}, 0.15),
    ("skirmish", {"skirmish_uses": 2}, 0.06),
    ("overextend", {"overextend_net_damage": 3}, 0.15),
    ("pawn_advance", {"pawn_advances": 4}, 0.08),
    ("pawn_promotion", {"pawn_promotions": 1}, 0.20),
    ("king_proximity", {"king_proximity_delta": -2}, -0.04),
    ("king_attack_opportunity", {"king_attack_opportunities": 2}, 0.10),
    ("shuffle", {"shuffling": 0.3}, -0.30),
]


def counts_of(*sides):
    counts = np.zeros((1, 2), np.dtype((np.record, COUNTERS)))
    for side, own in enumerate(sides):
        for name, value in own.items():
            counts[name][0, side] = value
    return counts


@pytest.mark.parametrize(("term", "counts", "value"), BY_HAND)
def test_a_term_is_worth_what_the_table_says_and_touches_no_other(term, counts, value):
    found = term_values(TRACKER, counts_of({}, counts), TRACKER.defaults())[0]
    assert dict(zip((one.name for one in TERMS), found[1], strict=True)) == {
        one.name: pytest.approx(value if one.name == term else 0) for one in TERMS
    }
    assert not found[0].any()


def test_every_term_is_checked_by_hand():
    assert {name for name, _, _ in BY_HAND} == {term.name for term in TERMS}


def test_four_combos_against_one_are_worth_0_45():
    """The example of the training's description."""
    parts = shaping_parts(TRACKER, counts_of({"rd_combo_attacks": 4}, {"rd_combo_attacks": 1}), TRACKER.defaults()).sum(axis=-1)
    assert parts[0] == pytest.approx([0.45, -0.45])


def test_an_early_win_is_the_winners_and_takes_nothing_off_the_loser():
    parts = shaping_parts(TRACKER, counts_of({"early_win": 0.4}), TRACKER.defaults()).sum(axis=-1)
    assert parts[0] == pytest.approx([0.2, 0])


@pytest.mark.parametrize("weight", WEIGHTS, ids=lambda weight: weight.name)
def test_every_weight_changes_some_term(weight):
    counts = np.ones((1, 2), np.dtype((np.record, COUNTERS)))
    counts["rd_combo_attacks"] = 4
    usual = TRACKER.defaults()
    one, other = (term_values(TRACKER, counts, {**usual, weight.name: value}) for value in (weight.low, weight.high))
    assert (one != other).any()
    assert weight.low <= weight.default <= weight.high


# ------------------------------------------------------------------ targets


@pytest.fixture(scope="module")
def shard():
    return play_games(6)


def test_targets_are_the_outcome_with_both_sides_terms(shard):
    """Once more from the sentences alone: counts by the plain twin, terms and squash written out here."""
    games, samples, found = shard.games, shard.samples, targets_of(shard)
    assert {tuple(returns) for returns in games.game_returns.tolist()} >= {(-0.5, -0.5)}
    assert games.game_returns.max() == 1
    for row in range(len(games.game_seed)):
        actions = games.actions[games.action_offset[row] : games.action_offset[row + 1]].tolist()
        own = [plain_reward(counts) for counts in tally_plainly(int(games.game_seed[row]), actions)]
        rows = samples.game == games.game_number[row]
        mover = samples.ply[rows] % 2
        for side in range(2):
            early, terms = own[side]
            added = np.clip(early + terms - own[1 - side][1], -0.5, 0.5)
            target = np.clip(games.game_returns[row, side] + added, -1, 1)
            seen = np.where(mover == side, found["shaped"][rows], found["shaped_1"][rows])
            assert seen == pytest.approx(np.full(len(seen), target), abs=1e-6)


def test_with_the_widest_limit_the_target_is_the_plain_sum_clipped():
    """The formula of the training's description, in which nothing bounds the terms but the ends of the scale."""
    shard = play_games(6, rewards={"limit": 2})
    games, samples, found = shard.games, shard.samples, targets_of(shard)
    for row in range(len(games.game_seed)):
        actions = games.actions[games.action_offset[row] : games.action_offset[row + 1]].tolist()
        own = [plain_reward(counts) for counts in tally_plainly(int(games.game_seed[row]), actions)]
        rows = samples.game == games.game_number[row]
        for side in range(2):
            early, terms = own[side]
            target = np.clip(games.game_returns[row, side] + early + terms - own[1 - side][1], -1, 1)
            seen = np.where(samples.ply[rows] % 2 == side, found["shaped"][rows], found["shaped_1"][rows])
            assert seen == pytest.approx(np.full(len(seen), target), abs=1e-6)


def plain_reward(counts):
    c = SimpleNamespace(**{name: counts[name] for name in COUNTERS.names})
    terms = 0.01 * c.damage_weighted + 0.02 * c.attacks + min(0.15 * c.rd_combo_attacks, 0.6) - 0.1 * c.rd_wasted
    terms += 0.02 * c.interpose_damage_blocked + 0.1 * c.consecration_efficiency + 0.03 * c.skirmish_uses
    terms += 0.05 * c.overextend_net_damage + 0.02 * c.pawn_advances + 0.2 * c.pawn_promotions
    terms += 0.02 * c.king_proximity_delta + 0.05 * c.king_attack_opportunities - c.shuffling
    return 0.5 * c.early_win, terms


def test_targets_do_not_depend_on_lanes(shard):
    other = play_games(6, lanes=1)
    assert shard.samples.targets.tobytes() == other.samples.targets.tobytes()


def test_without_shaping_the_targets_are_the_outcome():
    found = targets_of(play_games(2, rewards={"scale": 0}))
    assert found["shaped"].tobytes() == found["z"].tobytes()
    assert found["shaped_1"].tobytes() == found["z_1"].tobytes()


def test_a_weight_reaches_the_targets_and_nothing_else(shard):
    other = play_games(6, rewards={"overextend_net_damage": 0, "rd_combo_per_attack": 0})
    assert targets_of(shard)["shaped"].tobytes() != targets_of(other)["shaped"].tobytes()
    for name, column in shard.columns().items():
        if name != "targets":
            assert column.tobytes() == other.columns()[name].tobytes()
    assert targets_of(shard)["q"].tobytes() == targets_of(other)["q"].tobytes()


def test_a_game_without_a_tracker_has_no_column_for_it():
    assert "yatzy" not in TRACKERS
    assert "selfplay:" in runner(config)("tictactoe")
    assert "rewards" not in runner(config)("tictactoe")


# ------------------------------------------------------------------ settings


def test_each_weight_is_a_setting_with_its_default():
    text = runner(config)("exchange")
    for weight in WEIGHTS:
        assert f"\n    {weight.name}: {weight.default}\n" in text
    assert "\n  value: shaped\n" in text


@pytest.mark.parametrize(
    ("rewards", "line"),
    [
        ({"rd_combo_per_atack": 0.1}, r"x.yaml: rewards.rd_combo_per_atack: unknown key; did you mean 'rd_combo_per_attack'\?"),
        ({"rd_combo_max": 1.5}, r"x.yaml: rewards.rd_combo_max: expected at most 1, got 1.5"),
        ({"skirmish": -0.1}, r"x.yaml: rewards.skirmish: expected at least 0, got -0.1"),
        ({"skirmish": "much"}, r"x.yaml: rewards.skirmish: expected a number, got 'much'"),
        ({"scale": -1}, r"x.yaml: rewards.scale: expected at least 0, got -1"),
        ({"limit": 9}, r"x.yaml: rewards.limit: expected at most 2, got 9"),
    ],
)
def test_a_bad_weight_is_one_line(rewards, line):
    with pytest.raises(UsageError, match=line):
        fit(SelfPlaySettings, "x.yaml", {"rewards": rewards})


def test_weights_of_another_game_are_refused():
    settings = RewardSettings.model_validate({"skirmish": 0.5})
    with pytest.raises(UsageError, match=r"^selfplay\.rewards\.skirmish: tictactoe has no such reward \(known: none\)$"):
        check_rewards(find_game("tictactoe"), settings)
    check_rewards(GAME, settings)


def test_weights_can_be_set_on_the_command_line(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("game: exchange\nnet: {kind: conv, value: shaped}\n")
    changes = ["selfplay.rewards.rd_combo_per_attack=0.1", "selfplay.rewards.rd_combo_max=0.5"]
    settings, text, _ = check_run(file, changes)
    weights = settings.selfplay.rewards.weights_for(GAME)
    assert (weights["rd_combo_per_attack"], weights["rd_combo_max"], weights["skirmish"]) == (0.1, 0.5, 0.03)
    file.write_text(text)
    assert check_run(file)[0].digest() == settings.digest()
    with pytest.raises(UsageError, match=r"unknown setting 'selfplay\.rewards\.rd_combo'; did you mean"):
        runner(selfplay)(file, "--out", tmp_path / "run", "--set", "selfplay.rewards.rd_combo=1")
