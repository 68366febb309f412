"""The map: numbers that everybody knows, borders that are the same from both sides."""

import numpy as np
import pytest

from playmill.core.errors import UsageError
from playmill.games.diplomacy import geography as g
from playmill.games.diplomacy.places import place_text, read_place


def test_the_numbers_are_those_of_the_standard_map():
    assert (g.PROVINCE_COUNT, g.LOCATION_COUNT, g.CENTRE_COUNT) == (75, 81, 34)
    assert [(kind == g.KIND).sum() for kind in (g.INLAND, g.COASTAL, g.SEA)] == [14, 42, 19]
    assert g.COASTS == ("bul/ec", "bul/sc", "spa/nc", "spa/sc", "stp/nc", "stp/sc")
    assert g.LETTERS == "AEFGIRT"
    assert [int((power == g.HOME).sum()) for power in range(7)] == [3, 3, 3, 3, 3, 4, 3]


def test_provinces_are_in_the_order_of_their_letters():
    assert list(g.PROVINCES) == sorted(g.PROVINCES)
    assert all(len(name) == 3 for name in g.PROVINCES)


@pytest.mark.parametrize("kind", [g.ARMY, g.FLEET])
def test_borders_are_the_same_from_both_sides(kind):
    assert (g.CAN_GO[kind] == g.CAN_GO[kind].T).all()


def test_everything_can_be_reached():
    """By any unit, every land province from Paris and every sea from the North Sea."""
    for kind, start, places in ((g.ARMY, "par", g.KIND != g.SEA), (g.FLEET, "nth", g.KIND == g.SEA)):
        seen, fresh = set(), [g.INDEX[start]]
        while fresh:
            place = fresh.pop()
            seen.add(place)
            fresh += [other for other in np.flatnonzero(g.CAN_GO[kind, place]) if other not in seen]
        islands = {"cly", "edi", "lon", "lvp", "wal", "yor", "naf", "tun"} if kind == g.ARMY else set()
        assert {g.PROVINCES[p] for p in np.flatnonzero(places)} - {g.LOCATIONS[p] for p in seen} == islands


def test_units_keep_to_their_element():
    assert g.CAN_GO[g.ARMY].any(axis=1).sum() == 56  # 75 provinces, 19 of them seas
    assert g.CAN_GO[g.FLEET].any(axis=1).sum() == 64  # 19 seas, 42 provinces by the sea, three of them with two coasts
    for place in range(g.LOCATION_COUNT):
        if g.CAN_GO[g.ARMY, place].any():
            assert place < g.PROVINCE_COUNT
            assert g.KIND[place] != g.SEA
        if g.CAN_GO[g.FLEET, place].any():
            assert g.KIND[g.PROVINCE_OF[place]] != g.INLAND
            assert place >= g.PROVINCE_COUNT or not g.HAS_COASTS[place]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("nwg", "nrg"), ("gob", "bot"), ("lyo", "gol"), ("tyn", "tys"),
        ("ech", "eng"), ("mid", "mao"), ("nat", "nao"), ("STP/SC", "stp/sc"),
    ],
)  # fmt: skip
def test_common_names_are_understood(alias, name):
    assert place_text(read_place(alias)) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pariss", "expected a province, got 'pariss'; did you mean 'par'"),
        ("stp/ec", "expected stp/nc or stp/sc, got 'stp/ec'"),
        ("par/nc", "Paris has no named coasts, got 'par/nc'"),
        ("", "expected a province, got ''"),
    ],
)
def test_a_name_that_is_none_is_explained(text, message):
    with pytest.raises(UsageError, match=message):
        read_place(text)


def test_a_border_known_on_one_side_alone_is_refused(monkeypatch):
    broken = g.CAN_GO.copy()
    broken[g.ARMY, g.INDEX["par"], g.INDEX["mun"]] = True
    monkeypatch.setattr(g, "CAN_GO", broken)
    with pytest.raises(UsageError, match=r"provinces\.par\.armies: 'mun' is listed here, but 'par' is not listed under 'mun'"):
        g.check_map()
