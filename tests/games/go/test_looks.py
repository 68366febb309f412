"""What people see of Go: boards as text that can be read back, and diagrams as in a book."""

from xml.etree import ElementTree

import pytest

from go_positions import boards_of, played, random_states
from playmill.core.errors import UsageError
from playmill.games.go.board_text import draw_board, read_board, read_point, star_places
from playmill.games.go.diagram import Diagram, draw_diagram
from playmill.games.go.rules import GO9, GO19
from playmill.games.go.setup import from_drawing

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg, name):
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{name}"))


def words(svg):
    return ["".join(text.itertext()) for text in parts(svg, "text")]


@pytest.mark.parametrize("game", ["go9", "go13", "go19"])
def test_a_board_that_is_drawn_can_be_read(game):
    for state in random_states(game, 4, every=40):
        ours = boards_of(state)
        ours["ko"] = 0
        text = draw_board(ours[0], int(state.record.last))
        assert ("(" in text) == bool(state.record.last)
        assert read_board(text)[0].tobytes() == ours.tobytes()


def test_a_drawing_has_coordinates_the_last_move_and_how_it_stands():
    lines = str(played(GO9.new(), "C3", "G7")).splitlines()
    assert lines[0] == "   A B C D E F G H J"
    assert lines[3] == " 7 . . + . . .(O). . 7"
    assert lines[7] == " 3 . . X . . . + . . 3"
    assert lines[-1] == "move 3, Black to move"
    assert str(played(GO9.new(), "pass")).endswith("move 2, White to move, the other side passed")
    assert str(played(GO9.new(), "pass", "pass")).endswith("over: White has won by 7.5")
    assert str(played(GO19.new(), "pass", "pass")).endswith("over: White has won by 7.5")


@pytest.mark.parametrize(
    ("stone", "returns", "words"), [("O", (-1.0, 1.0), "White has won by 0.5"), ("X", (1.0, -1.0), "Black has won by 1.5")]
)
def test_half_a_point_of_komi_leaves_no_draw(stone, returns, words):
    """Black's 44 points are 7 more than White's 37; with one of White's stones instead they are 9 more."""
    rows = (
        ["X X X X X X X X ."]
        + ["X X X X X X X X X"] * 3
        + [f"X X X X X X X X {stone}"]
        + ["O O O O O O O O O"] * 3
        + [". O O O O O O O ."]
    )
    ended = played(from_drawing(GO9, "\n".join(rows)), "pass", "pass")
    assert ended.is_over
    assert ended.returns == returns
    assert ended.line.endswith(f"over: {words}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (". .\n. . .", "row 1: expected 2 points, as many as there are rows, got 3"),
        (".", "expected a board of 2 to 19 rows, got 1"),
        (". ?\n. .", r"expected a row of X, O, ., \+ and small letters, got '. \?'"),
        ("X O\nO .", "the chain on A2 has no liberty"),
    ],
)
def test_a_drawing_that_is_no_board_is_refused_with_the_reason(text, problem):
    with pytest.raises(UsageError, match=problem):
        read_board(text)


@pytest.mark.parametrize("name", ["I5", "K1", "A0", "A10", "", "A", "5", "A-1", "Ä1"])
def test_a_point_that_is_none_is_refused(name):
    with pytest.raises(UsageError, match="expected a point from A1 to J9"):
        read_point(9, name)


def test_a_drawing_of_another_size_or_side_is_refused():
    with pytest.raises(UsageError, match="go9: the drawing has 2 rows"):
        from_drawing(GO9, ". .\n. .")
    with pytest.raises(UsageError, match="go9: to_move: expected Black or White, got 'red'"):
        from_drawing(GO9, "\n".join([". . . . . . . . ."] * 9), "red")


def test_star_points_are_where_books_have_them():
    assert [len(star_places(size)) for size in (4, 5, 9, 13, 19)] == [0, 1, 5, 5, 9]
    assert (3, 3) in star_places(19)
    assert (2, 2) in star_places(9)


def test_a_diagram_has_stones_numbers_marks_and_coordinates():
    boards, _ = read_board(". X O\n. . .\n. O .")
    svg = draw_diagram(boards[0], Diagram(numbers={(0, 1): 12}, marks={(0, 2): "triangle", (2, 0): "a"}, last=(2, 1)))
    stones = [circle.get("fill") for circle in parts(svg, "circle") if circle.get("r") == "14.2"]
    assert stones.count("url(#black)") == 1
    assert stones.count("url(#white)") == 2
    assert {"12", "a", "A", "C", "1", "3"} <= set(words(svg))
    assert "I" not in words(draw_diagram(GO9.new().record.board))
    assert sum(circle.get("r") == "6.2" for circle in parts(svg, "circle")) == 1


def test_a_part_of_a_board_runs_on_over_the_edges_that_are_cut():
    board = GO19.new().record.board
    whole, part = draw_diagram(board), draw_diagram(board, Diagram(view=((0, 12), (5, 18))))
    assert "A" in words(whole)
    assert "A" not in words(part)
    assert {"N", "T", "19", "14"} <= set(words(part))
    lines = [path.get("d") for path in parts(part, "path")]
    assert len(lines) == 6 + 7
    assert all(line.startswith("M36,") for line in lines[:6])


@pytest.mark.parametrize(
    ("diagram", "problem"),
    [
        (Diagram(view=((0, 0), (9, 3))), "view: expected two places on a board of 9x9"),
        (Diagram(marks={(0, 0): "star"}), "marks: expected triangle, square, circle, cross or a letter, got 'star'"),
    ],
)
def test_a_diagram_that_can_not_be_drawn_is_refused(diagram, problem):
    with pytest.raises(UsageError, match=problem):
        draw_diagram(GO9.new().record.board, diagram)


def test_planes_show_the_board_to_the_side_to_move():
    text = """
    . X O . . . . . .
    X . X O . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . O . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    taken = played(from_drawing(GO9, text, "White"), "B8")
    planes = taken.features()
    assert planes[0].sum() == 3
    assert planes[1].sum() == 4
    assert planes[2, 0, 1] == 1  # B9 has the liberty A9 alone
    assert planes[3].sum() == planes[3, 1, 0] == 1  # A8 has two
    assert planes[5].sum() == planes[5, 1, 1] + planes[5, 0, 2] == 2  # B8 and C9 have one
    assert planes[7].sum() == planes[7, 1, 3] == 1  # D8 has three, E5 four
    assert (planes[9] == 1).nonzero()[0].tolist() == [1]
    assert planes[9, 1, 1] == 1
    assert not planes[10].any()
    assert not planes[11].any()
    assert planes[12].all()
    passed = played(taken, "pass").features()
    assert passed[10].all()
    assert passed[11].all()
    assert not passed[9].any()
    assert passed[1, 1, 0] == planes[0, 1, 0] == 1


def test_the_ko_plane_is_the_point_that_may_not_be_taken_back():
    text = "\n".join(["X O . O . . . . .", ". X O . . . . . .", *[". . . . . . . . ."] * 7])
    planes = played(from_drawing(GO9, text), "C9").features()
    assert (planes[8] == 1).sum() == 1
    assert planes[8, 0, 1] == 1
