"""Yatzy's schema 2: what it adds, by hand; and that nothing made with the one schema is taken for the other's."""

from __future__ import annotations

import numpy as np
import pytest

from playmill.core.errors import PlaymillError
from playmill.games.many import encode_all
from playmill.games.registry import get_game
from playmill.games.yatzy.oracle import Oracle
from playmill.games.yatzy.rich import YATZY_RICH
from playmill.games.yatzy.rules import ALL_OPEN, YATZY
from playmill.games.yatzy.solved_factors import reachable
from playmill.games.yatzy.solved_points import points_to_come
from playmill.nets.checkpoint import load_checkpoint, make_checkpoint, save_checkpoint
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec

ONES, FOURS, FIVES, SIXES = (1 << 14 - face for face in (0, 3, 4, 5))
UPPER = 0x7E00


@pytest.fixture(scope="module")
def table():
    return Oracle.load().table


def state(avail, upper, total, mover=0):
    records = YATZY.records(1)
    records["avail"], records["upper"], records["total"] = avail, upper, total
    records["dice"], records["rerolls"], records["mover"] = [1, 2, 2, 5, 6], 2, mover
    return records


def seen(records, game=YATZY_RICH):
    features = np.full((len(records), game.feature_count), np.nan, np.float32)
    encode_all(game, records, features)
    return features[0]


def test_it_is_yatzy_under_its_own_name_and_schema():
    assert get_game("yatzy_rich") is YATZY_RICH
    assert (YATZY_RICH.ruleset, YATZY_RICH.action_space) == (YATZY.ruleset, YATZY.action_space)
    assert (YATZY.feature_schema, YATZY_RICH.feature_schema) == (1, 2)
    assert {key for key in YATZY.kernels if YATZY_RICH.kernels[key] is not YATZY.kernels[key]} == {"encode"}


def test_the_first_features_are_those_of_schema_1():
    records = state((ALL_OPEN ^ SIXES, ALL_OPEN ^ ONES), (18, 3), (18, 3), mover=1)
    assert seen(records)[:45].tolist() == seen(records, YATZY).tolist()


def test_the_lead_is_the_movers_in_hundreds():
    boards = (ALL_OPEN ^ SIXES, ALL_OPEN ^ ONES), (18, 3), (18, 3)
    assert seen(state(*boards, mover=0))[45] == pytest.approx(0.15)
    assert seen(state(*boards, mover=1))[45] == pytest.approx(-0.15)


def test_the_expected_lead_counts_what_both_have_still_to_come(table):
    avail, upper, total = (FIVES | SIXES | 1, FOURS | 7), (40, 51), (150, 190)
    to_come = [table[a, u] for a, u in zip(avail, upper, strict=True)]
    expected = (150 + to_come[0]) - (190 + to_come[1])
    assert seen(state(avail, upper, total))[46] == pytest.approx(expected / 100, abs=0.01)
    assert seen(state(avail, upper, total, mover=1))[46] == pytest.approx(-expected / 100, abs=0.01)


@pytest.mark.parametrize(
    ("avail", "upper", "way"),
    [
        (ALL_OPEN, 0, 63 / 105),  # of 5 * (1 + 2 + 3 + 4 + 5 + 6)
        (FOURS | SIXES, 43, 20 / 50),
        (FOURS | SIXES, 13, 50 / 50),  # five of either
        (FOURS | SIXES, 12, 1.25),
        (ALL_OPEN ^ UPPER, 62, 1.25),
        (ALL_OPEN ^ UPPER, 63, 0),
        (ONES, 63, 0),
    ],
)
def test_the_way_to_the_bonus_is_a_share_of_what_can_still_be_rolled(avail, upper, way):
    records = state((avail, ALL_OPEN), (upper, 0), (upper, 0))
    assert seen(records)[47:].tolist() == pytest.approx([way, 63 / 105])


def test_the_small_factors_tell_the_solved_game_to_a_twentieth_of_a_point(table):
    boards = np.flatnonzero(reachable())
    lowers = np.arange(512)
    told = np.array([[points_to_come(board // 64 << 9 | low, board % 64) for low in lowers] for board in boards])
    off = told - table[(boards[:, None] // 64 << 9) | lowers, boards[:, None] % 64]
    assert np.sqrt((off**2).mean()) < 0.05
    assert np.abs(off).max() < 0.8


def test_a_network_of_the_one_schema_is_refused_by_the_other(tmp_path):
    spec = NetSpec(hidden=16, blocks=0)
    save_checkpoint(tmp_path / "best.pt", make_checkpoint(YATZY_RICH, spec, build_net(YATZY_RICH, spec)))
    with pytest.raises(PlaymillError, match="yatzy_rich"):
        load_checkpoint(tmp_path / "best.pt", YATZY)
