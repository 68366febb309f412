"""Yatzy as a picture: the dice, and the score sheet with what the dice are worth now."""

from __future__ import annotations

from typing import Any

from playmill.games.svg import FAINT, FIRST, HIGHLIGHT, INK, LINE, PAPER, SECOND, caption, sheet, tag, text
from playmill.games.yatzy.card import is_open, standing
from playmill.games.yatzy.hands import CATEGORIES, UPPER_COUNT, UPPER_GOAL, score

WIDTH, MARGIN, ROW = 330.0, 18.0, 20.0
DIE, DIE_STEP, DICE_TOP = 44.0, 54.0, 18.0
SHEET_TOP = 92.0
NO_DICE = 66.0  # what a sheet without dice is shorter
COLUMNS = (192.0, 262.0)  # the middles of the two players' columns
COLUMN = 62.0
COLOURS = (FIRST, SECOND)
TAKEN = "#b9c2ca"
NOW = "#fdf3d0"
# Where a face has its pips, in quarters of the die from its middle.
PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)


def draw_sheet(state: Any) -> str:
    """The sheet of a record. A state doesn't keep what each mark scored, so a category is open or done."""
    is_over, mover, words = not any(state.avail), int(state.mover), standing(state)
    rows = [_category(state, category, _line(category)) for category in range(len(CATEGORIES))]
    end, up = SHEET_TOP + ROW * (len(CATEGORIES) + 3), NO_DICE if is_over else 0.0
    parts = (
        "" if is_over else "".join(_die(i, int(die)) for i, die in enumerate(state.dice)),
        _heads(None if is_over else mover),
        *rows,
        _upper(state),
        _totals(state, end),
        caption(WIDTH / 2, end + 30, words, None if is_over else COLOURS[mover]),
    )
    return sheet(WIDTH, end + 46 - up, f"Yatzy, {words}", tag("g", *parts, transform=f"translate(0,{-up:g})"))


def _line(category: int) -> float:
    """Where a category's row begins; the upper sum stands between the parts."""
    return SHEET_TOP + ROW * (category + 1 + (category >= UPPER_COUNT))


def _die(place: int, face: int) -> str:
    left = (WIDTH - 4 * DIE_STEP - DIE) / 2 + place * DIE_STEP
    x, y = left + DIE / 2, DICE_TOP + DIE / 2
    box = tag("rect", x=left, y=DICE_TOP, width=DIE, height=DIE, rx=9, fill=PAPER, stroke=INK, stroke_width=1.8)
    dots = (tag("circle", cx=x + 11.5 * across, cy=y + 11.5 * down, r=4.3, fill=INK) for across, down in PIPS[face])
    return box + "".join(dots)


def _heads(mover: int | None) -> str:
    """The players' names, the mover's in bold."""
    words = []
    for player, middle in enumerate(COLUMNS):
        weight = "bold" if player == mover else "normal"
        words.append(
            text(middle, SHEET_TOP + 6, f"player {player}", 13, COLOURS[player], text_anchor="middle", font_weight=weight)
        )
    return "".join(words)


def _category(state: Any, category: int, y: float) -> str:
    """A row: the name, then for each player what it may score now, an empty box, or a tick."""
    rule = tag("path", d=f"M{MARGIN:g},{y + ROW - 6:g}H{WIDTH - MARGIN:g}", stroke=LINE)
    name = text(MARGIN, y + 9, CATEGORIES[category].replace("_", " "), 13)
    return rule + name + "".join(_box(state, category, player, y) for player in range(2))


def _box(state: Any, category: int, player: int, y: float) -> str:
    x = COLUMNS[player]
    if not is_open(state, player, category):
        return tag("path", d=f"M{x - 6:g},{y + 4:g}l4,4l8,-9", fill="none", stroke=TAKEN, stroke_width=2.4)
    if player != int(state.mover):
        return ""
    worth = score(tuple(int(die) for die in state.dice), category)
    box = tag("rect", x=x - COLUMN / 2, y=y - 5, width=COLUMN, height=ROW - 2, rx=4, fill=NOW if worth else "none")
    return box + text(x, y + 9, str(worth), 13, INK if worth else FAINT, text_anchor="middle")


def _upper(state: Any) -> str:
    """How far each player is to the bonus, as numbers on bars."""
    y = SHEET_TOP + ROW * (UPPER_COUNT + 1)
    parts = [text(MARGIN, y + 9, "upper part, bonus at 63", 11, FAINT)]
    for player, middle in enumerate(COLUMNS):
        left, points = middle - COLUMN / 2, int(state.upper[player])
        parts.append(tag("rect", x=left, y=y - 3, width=COLUMN, height=14, rx=4, fill=LINE))
        if points:
            reached = COLUMN * min(points, UPPER_GOAL) / UPPER_GOAL
            colour = HIGHLIGHT if points >= UPPER_GOAL else COLOURS[player]
            parts.append(tag("rect", x=left, y=y - 3, width=round(reached, 1), height=14, rx=4, fill=colour, fill_opacity=0.55))
        parts.append(text(middle, y + 8, str(points), 11, text_anchor="middle"))
    return "".join(parts)


def _totals(state: Any, y: float) -> str:
    words = [text(MARGIN, y - 2, "total", 15, font_weight="bold")]
    words += [
        text(middle, y - 2, str(int(total)), 15, COLOURS[player], text_anchor="middle", font_weight="bold")
        for player, (middle, total) in enumerate(zip(COLUMNS, state.total, strict=True))
    ]
    return "".join(words)
