"""A position's features say what stands where, and nothing else."""

import numpy as np
import pytest

from diplomacy_neural.playing import positions
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.geography import (
    INDEX,
    IS_CENTRE,
    LETTERS,
    LOCATION_COUNT,
    POWER_COUNT,
    PROVINCE_COUNT,
    PROVINCE_OF,
)
from playmill.packs.diplomacy.neural.features import (
    BUILDS_AT,
    CENTRES_AT,
    CONTESTED_AT,
    KIND_AT,
    MAP_PART,
    NEUTRAL_AT,
    OUT_KIND_AT,
    OUT_POWER_AT,
    OWNER_AT,
    PLANES,
    POWER_AT,
    UNITS_AT,
    WIDTH,
    YEAR_AT,
    encode,
)

RETREATS = (
    "1902fr/Aatri,Iaven,Rfstp.nc/Abud,Atri,Avie,Eedi,Elon,Elvp,Fbre,Fmar,Fpar,Gber,Gkie,Gmun,Inap,Irom,Iven,Rmos,Rsev,Rstp,Rwar,"
    "Tank,Tcon,Tsmy,Nbel,Nbul,Nden,Ngre,Nhol,Nnwy,Npor,Nrum,Nser,Nspa,Nswe,Ntun/Gatri<ven/boh"
)


def planes_of(board):
    features = encode(board._states)[0]
    return features[:MAP_PART].reshape(LOCATION_COUNT, PLANES), features[MAP_PART:]


def test_a_fleet_on_a_coast_shows_in_its_province_and_on_that_coast_alone():
    planes, _ = planes_of(Board.start())
    russia = POWER_AT + LETTERS.index("R")
    assert planes[INDEX["stp"], [KIND_AT + 1, russia]].tolist() == [1, 1]
    assert planes[INDEX["stp/sc"], [KIND_AT + 1, russia]].tolist() == [1, 1]
    assert planes[INDEX["stp/nc"], KIND_AT:OUT_KIND_AT].sum() == 0
    assert planes[INDEX["stp/nc"], OWNER_AT + LETTERS.index("R")] == 1  # the centre is the whole province's


def test_dislodged_units_and_stand_offs_show():
    planes, numbers = planes_of(Board.from_dfen(RETREATS))
    assert planes[INDEX["tri"], OUT_POWER_AT + LETTERS.index("G")] == 1
    assert planes[INDEX["tri"], POWER_AT + LETTERS.index("A")] == 1
    assert planes[INDEX["boh"], CONTESTED_AT] == 1
    assert planes[:, CONTESTED_AT].sum() == 1
    assert numbers[3] == 1  # fall retreats
    assert numbers[:5].sum() == 1
    assert numbers[YEAR_AT] == pytest.approx(1 / 20)


def test_the_start_counts():
    planes, numbers = planes_of(Board.start())
    assert planes[:PROVINCE_COUNT, KIND_AT : KIND_AT + 2].sum() == 22
    assert planes[:PROVINCE_COUNT, OWNER_AT : NEUTRAL_AT + 1].sum() == IS_CENTRE.sum()
    assert (numbers[CENTRES_AT:UNITS_AT] * 18).round().tolist() == [3, 3, 3, 3, 3, 4, 3]
    assert (numbers[UNITS_AT:BUILDS_AT] * 18).round().tolist() == [3, 3, 3, 3, 3, 4, 3]
    assert numbers[BUILDS_AT:].tolist() == [0] * POWER_COUNT


def swapped(states, a, b):
    """The same positions with two powers' names exchanged."""
    names = np.arange(-1, POWER_COUNT)
    names[[a + 1, b + 1]] = names[[b + 1, a + 1]]
    out = states.copy()
    for field in ("power", "owner", "out_power"):
        out[field] = names[states[field] + 1]
    return out


@pytest.mark.parametrize(("a", "b"), [(0, 1), (2, 6), (3, 5)])
def test_exchanging_two_powers_exchanges_their_planes(a, b):
    """What a power has is told in its own columns, and in no other way; builds hang on homes and are left out."""
    states = positions()
    before, after = encode(states), encode(swapped(states, a, b))
    order = np.arange(WIDTH)
    planes = order[:MAP_PART].reshape(LOCATION_COUNT, PLANES)
    for at in (POWER_AT, OUT_POWER_AT, OWNER_AT):
        planes[:, [at + a, at + b]] = planes[:, [at + b, at + a]]
    for at in (MAP_PART + CENTRES_AT, MAP_PART + UNITS_AT):
        order[[at + a, at + b]] = order[[at + b, at + a]]
    rest = np.arange(WIDTH) < MAP_PART + BUILDS_AT
    assert np.array_equal(after[:, rest], before[:, order][:, rest])


def test_every_position_gets_the_same_row_alone_and_in_a_crowd():
    states = positions()
    whole = encode(states)
    for row in range(0, len(states), 7):
        assert np.array_equal(encode(states[row : row + 1])[0], whole[row])


def test_features_tell_positions_apart():
    states = positions()
    rows = {encode(states[i : i + 1]).tobytes() for i in range(len(states))}
    there = np.unique(states).size
    # Who dislodged a unit from where is not told; nothing else may be lost.
    assert there - 5 <= len(rows) <= there


def test_coasts_belong_to_their_provinces():
    assert [PROVINCE_OF[place] for place in range(PROVINCE_COUNT, LOCATION_COUNT)] == [
        INDEX[name] for name in ("bul", "bul", "spa", "spa", "stp", "stp")
    ]
