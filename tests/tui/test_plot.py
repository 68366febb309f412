"""Plots of Braille dots."""

from playmill.arena.measure import Interval
from playmill.packs.plot_lines import PlotLine
from playmill.tui.plot import BAND, LINE, Canvas, draw_plot, in_a_grid

POINTS = tuple((n, Interval(10.0 * n, 10.0 * n - 4, 10.0 * n + 4)) for n in range(1, 9))
RISING = PlotLine("Strength", POINTS, "{:.0f}", "points")


def test_a_rising_line_rises():
    rows = draw_plot(RISING, 40, 12).plain.split("\n")[1:-1]
    ends = [next(number for number, row in enumerate(rows) if row[column] != " ") for column in (6, 38)]
    assert ends[0] > ends[1]
    assert len({len(row) for row in rows}) == 1


def test_the_title_has_the_last_value_and_the_axes_their_ends():
    rows = draw_plot(RISING, 40, 12).plain.split("\n")
    assert rows[0] == "Strength  80 points"
    assert rows[-1].split() == ["1", "8"]
    assert len(rows) == 12


def test_a_flat_line_and_a_single_column_can_be_drawn():
    flat = PlotLine("Loss", ((1, Interval(0.0)), (2, Interval(0.0))))
    assert "Loss" in draw_plot(flat, 30, 6).plain
    assert draw_plot(flat, 3, 3).plain


def test_the_line_stands_over_its_band():
    canvas = Canvas(4, 2)
    canvas.line(BAND, (0, 0), (0, 7))
    canvas.line(LINE, (0, 3), (7, 3))
    top, bottom = canvas.rows((LINE, BAND))
    assert top.spans[0].style == LINE
    assert bottom.spans[0].style == BAND
    assert top.plain == "⡇⣀⣀⣀".replace("⡇", chr(0x2800 | 0x01 | 0x02 | 0x04 | 0x40 | 0x80))


def test_as_many_plots_stand_side_by_side_as_there_is_room_for_and_the_others_below():
    for width, height, across, lines in ((100, 8, 4, 8), (60, 20, 2, 20), (60, 8, 2, 16), (60, 12, 2, 18)):
        rows = in_a_grid([RISING] * 4, width, height).plain.split("\n")
        titles = [row.count("Strength") for row in rows if "Strength" in row]
        assert titles == [across] * (4 // across)
        assert len(rows) == lines
    assert "second iteration" in in_a_grid([], 60, 8).plain
