"""The terminal histogram, looked at column by column."""

from __future__ import annotations

import pytest

from playmill.cli.histogram import draw_histogram

STEPS = {3: 1, 4: 2, 5: 4, 6: 8}


def bars_of(text, height):
    """The rows of bars without the frame on their left."""
    return [line[line.index("┤" if "┤" in line else "│") + 1 :] for line in text.plain.splitlines()[:height]]


def column_of(text, label):
    """The column of the axis tick above a number."""
    axis, numbers = text.plain.splitlines()[-2:]
    middle = numbers.index(label) + (len(label) - 1) // 2
    assert axis[middle] == "┬"
    return middle


def test_it_looks_like_this():
    assert draw_histogram(STEPS, width=12, height=4, title="steps").plain.splitlines() == [
        "steps",
        "53.3% ┤         ██",
        "      │         ██",
        "26.7% ┤      ██ ██",
        "      │▄▄ ██ ██ ██",
        "      └─┬──┬──┬──┬─",
        "        3  4  5  6",
    ]


def test_a_list_counts_from_zero():
    assert draw_histogram([0, 0, 0, 1, 2, 4, 8]).plain == draw_histogram(STEPS).plain


@pytest.mark.parametrize("count", [1, 5, 71, 72, 73, 400, 12_345])
@pytest.mark.parametrize("width", [10, 72])
def test_bars_never_leave_their_width(count, width):
    rows = bars_of(draw_histogram(dict.fromkeys(range(count), 1), width=width, height=3), 3)
    assert max(map(len, rows)) <= width


def test_every_number_has_its_own_bar_while_there_is_room():
    row = bars_of(draw_histogram(dict.fromkeys(range(0, 72, 2), 1), width=72, height=1), 1)[0]
    assert row == ("█ " * 36).rstrip()


def test_neighbours_share_a_bar_where_there_is_no_room():
    row = bars_of(draw_histogram({0: 1, 1: 1, 2: 1, 3: 1, 4: 2, 6: 1, 7: 1}, width=4, height=1), 1)[0]
    assert row == "████"


def test_the_highest_bar_fills_the_height_and_a_rare_number_is_still_seen():
    top, *_, bottom = bars_of(draw_histogram({0: 1_000_000, 1: 1}, width=2, height=5), 5)
    assert (top, bottom) == ("█", "█▁")


def test_a_gap_between_numbers_stays_empty():
    assert bars_of(draw_histogram({0: 1, 4: 1}, width=5, height=1), 1)[0] == "█   █"


def test_the_left_labels_say_what_share_a_bar_of_that_height_has():
    lines = draw_histogram({0: 3, 1: 1}, height=10).plain.splitlines()
    assert lines[0].startswith("75.0% ┤")
    assert lines[5].startswith("37.5% ┤")


def test_axis_labels_stand_under_their_bars():
    text = draw_histogram({100: 1, 150: 5, 200: 1}, width=101, height=1)
    offset = text.plain.splitlines()[1].index("└") + 1
    assert bars_of(text, 1)[0][column_of(text, "150") - offset] == "█"


@pytest.mark.parametrize("counts", [{-3: 1, 4: 1}, {7: 1}, {999_999: 1, 1_000_003: 2}, dict.fromkeys(range(0, 10**6, 999), 1)])
def test_axis_labels_are_whole_numbers_that_never_touch(counts):
    numbers = draw_histogram(counts).plain.splitlines()[-1].split()
    values = [int(number.replace(",", "")) for number in numbers]
    assert values == sorted(set(values))
    assert min(counts) <= values[0]


def test_markers_point_at_their_bars_and_make_way_for_each_other():
    text = draw_histogram(dict.fromkeys(range(72), 1), height=2, markers={"mean": 35.5, "P50": 36, "P5": 3})
    offset = text.plain.splitlines()[2].index("└") + 1
    first, second = text.plain.splitlines()[-2:]
    assert first.index("▲ P5 3.0") == offset + 3
    assert first.index("▲ mean 35.5") == offset + 35
    assert second.index("▲ P50 36.0") == offset + 36


@pytest.mark.parametrize("counts", [[], {}, [0, 0], {5: 0}])
def test_nothing_counted_is_said_in_words(counts):
    assert draw_histogram(counts, title="lengths").plain == "lengths\n(nothing counted)"


@pytest.mark.parametrize("columns", [30, 40, 79])
def test_nothing_reaches_beyond_the_terminal(columns):
    markers = {"P5": 20, "mean": 252.0, "P95": 371}
    text = draw_histogram(dict.fromkeys(range(374), 3), title="scores", markers=markers, columns=columns)
    assert max(map(len, text.plain.splitlines())) <= columns
    assert all(f"{name} {place:,.1f}" in text.plain for name, place in markers.items())
