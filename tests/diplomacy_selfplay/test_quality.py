"""The filter's verdict on sequences of owners, against a plain twin that looks at the whole sequence at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill.packs.diplomacy.selfplay.quality import STILL_YEARS, Watch
from playmill.packs.diplomacy.selfplay.settings import make_settings

CENTRES = 6


def watch(years, **values):
    """The verdict on a game whose centres were owned like this at its start and after each year."""
    found = Watch(make_settings(**values), years[0])
    for year, owners in enumerate(years[1:], 1901):
        found.end_year(year, owners)
    return found.quality()


def plain_stalemate_year(years):
    """The first year that ends STILL_YEARS years without a change, or None."""
    for end in range(STILL_YEARS, len(years)):
        if all(years[end - back] == years[end] for back in range(1, STILL_YEARS + 1)):
            return 1900 + end
    return None


owners = st.lists(st.integers(-1, 1), min_size=CENTRES, max_size=CENTRES)
still_or_not = st.lists(st.tuples(owners, st.integers(1, 5)), min_size=1, max_size=6).map(
    lambda runs: [row for row, times in runs for _ in range(times)]
)


@given(still_or_not, st.integers(1901, 1910))
def test_stalemates_agree_with_the_plain_twin(years, limit):
    year = plain_stalemate_year(years)
    quality = watch(years, min_stalemate_year=limit)
    assert quality.stalemate == (year is not None)
    assert quality.early_stalemate == (year is not None and year < limit)


@given(still_or_not, st.integers(1, CENTRES), st.integers(1901, 1910))
def test_domination_agrees_with_the_plain_twin(years, centres, limit):
    quality = watch(years, domination_centres=centres, domination_year=limit)
    early = [rows for year, rows in enumerate(years[1:], 1901) if year < limit]
    assert quality.early_domination == any(rows.count(power) >= centres for rows in early for power in (0, 1))


@pytest.mark.parametrize(
    ("limit", "reasons"),
    [(1903, []), (1904, ["early_stalemate"])],
)
def test_only_a_stalemate_before_the_year_is_a_reason(limit, reasons):
    years = [[0, 1]] * 4  # nothing changes in 1901, 1902 and 1903
    assert watch(years, min_stalemate_year=limit).reasons == reasons


def test_a_centre_that_comes_back_breaks_the_silence():
    assert not watch([[0], [1], [0], [1], [0]]).stalemate
