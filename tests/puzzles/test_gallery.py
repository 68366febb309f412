"""Puzzles as pictures."""

import re
import xml.etree.ElementTree as ET

import pytest

from cli.invoking import invoke
from playmill.puzzles.gallery import WIDTH, draw_gallery, draw_puzzle, spread_over
from puzzles.test_puzzle_files import some_puzzle

POSITION = "(;GM[1]FF[4]SZ[19]AB[aq][bq][cr]AW[ap][bp][cp][dq]MA[aq]PL[W])"
FACTS = some_puzzle().metadata.model_copy(update={"side": "white"})
PUZZLE = some_puzzle(initial_state_sgf=POSITION, metadata=FACTS.model_dump())


def test_a_picture_shows_the_stones_the_mark_and_the_task():
    drawn = draw_puzzle(PUZZLE, 7)
    assert "7. White to kill (5k)" in drawn
    assert len(re.findall(r'fill="url\(#black\)"', drawn)) == 3
    assert len(re.findall(r'fill="url\(#white\)"', drawn)) == 4
    assert drawn.count('d="M0,-8.2') == 1  # the triangle
    assert ">19<" not in drawn  # the other end of the board is not shown
    ET.fromstring(drawn)


def test_a_sheet_has_them_side_by_side_without_overlapping():
    sheet = ET.fromstring(draw_gallery([PUZZLE] * 9))
    cards = [one for one in sheet if one.tag.endswith("svg")]
    boxes = [tuple(float(card.get(name)) for name in ("x", "y", "width", "height")) for card in cards]
    assert len(boxes) == 9
    assert all(x + width <= WIDTH and y + height <= float(sheet.get("height")) for x, y, width, height in boxes)
    for i, (x, y, width, height) in enumerate(boxes):
        assert all(x + width <= other[0] or other[1] >= y + height for other in boxes[i + 1 :])


@pytest.mark.parametrize(("count", "numbers"), [(1, [0]), (2, [0, 3]), (3, [0, 2, 4]), (9, [0, 1, 2, 3, 4, 5, 6])])
def test_a_few_are_spread_over_all(count, numbers):
    assert spread_over(list(range(7)), count) == numbers


def test_the_command_draws_and_replaces_nothing_unasked(tmp_path):
    (tmp_path / "puzzles.jsonl").write_text(PUZZLE.line() + "\nbroken\n")
    words = ["puzzles", "draw", "puzzles.jsonl", "--out", "sheet.svg"]
    ended = invoke(words, tmp_path)
    assert (ended.code, ended.out) == (0, "sheet.svg: 1 of 1 puzzles\n")
    assert "line 2" in ended.err
    assert invoke(words, tmp_path).code == 2
    assert invoke([*words, "--force"], tmp_path).code == 0
