"""Puzzles, solution trees and decisions as files: what is written is read again, what is broken is named by line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill.core.errors import PlaymillError, UsageError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.puzzles.puzzle import Puzzle, parse_puzzle, rank_of
from playmill.puzzles.puzzle_file import read_puzzles
from playmill.puzzles.review import Review, read_review, review_path
from playmill.puzzles.solution_tree import PASS, Branch, SolutionTree, read_solution, write_solution

SIZE = 9


def some_puzzle(number=0, **changes):
    facts = {
        "puzzle_id": f"{number:016x}", "side": "black", "goal": "kill", "marked": ["aa"], "verification": "proved",
        "proof": None, "engine": "solver", "budget": 1000, "generator": "0.1.0", "source": "a/b.sgf",
        "source_sgf_hash": "0" * 64, "original_move_number": 145, "difficulty_score": 42.0, "difficulty_parts": {"depth": 0.5},
    }  # fmt: skip
    row = {
        "difficulty": "5k",
        "initial_state_sgf": "(;SZ[9]AB[ab]AW[aa]MA[aa]PL[B])",
        "solution_sgf": "(;GM[1]FF[4]SZ[9];B[ba]TE[1])",
        "tags": ["corner"],
        "metadata": facts,
    }
    row.update(changes)
    return Puzzle.model_validate(row)


cells = st.builds(lambda row, column: cell_of(SIZE, row, column), st.integers(0, 8), st.integers(0, 8)) | st.just(PASS)
branches = st.recursive(
    st.builds(Branch, cells), lambda inner: st.builds(Branch, cells, st.lists(inner, max_size=3).map(tuple)), max_leaves=12
)


@given(st.builds(SolutionTree, st.sampled_from([BLACK, WHITE]), branches, st.lists(branches, max_size=3).map(tuple)))
def test_a_solution_is_read_as_it_was_written(tree):
    assert read_solution(write_solution(tree, SIZE), "here") == (tree, SIZE)


@pytest.mark.parametrize("text", ["", "(;)", "(;SZ[9])", "(;SZ[9];B[zz])", "(;SZ[x];B[aa])", "(;SZ[9];B[aa];B[bb])"])
def test_what_is_no_solution_is_refused_by_name(text):
    with pytest.raises(UsageError, match=r"^here: expected"):
        read_solution(text, "here")


def test_a_puzzle_is_read_as_it_was_written():
    puzzle = some_puzzle()
    assert parse_puzzle(puzzle.line().encode(), "here") == puzzle


@pytest.mark.parametrize(("score", "rank"), [(0, "25k"), (9.99, "25k"), (10, "20k"), (55, "1k"), (60, "1d"), (100, "9d")])
def test_difficulty_is_a_rank_in_bands_of_ten(score, rank):
    assert rank_of(score) == rank


def test_a_broken_line_is_named_and_the_rest_kept(tmp_path):
    path = tmp_path / "puzzles.jsonl"
    good = [some_puzzle(number).line() for number in range(3)]
    path.write_text(
        "\n".join([good[0], '{"difficulty": "5k"', good[1], good[0], json.dumps({"difficulty": "6k"}), good[2]]) + "\n"
    )
    found = read_puzzles(path)
    assert [puzzle.name for puzzle in found.puzzles] == [f"{number:016x}" for number in range(3)]
    assert [problem.split(": ")[1] for problem in found.problems] == ["line 2", "line 4", "line 5"]


def test_decisions_are_kept_the_last_one_counts_and_a_torn_line_is_dropped(tmp_path):
    puzzles = tmp_path / "puzzles.jsonl"
    review = Review(puzzles)
    for decision in ("approved", "deleted", "open", "approved"):
        review.decide("a", decision)
    review.decide("b", "deleted")
    review.decide("c", "deleted")
    review.decide("c", "open")
    with pytest.raises(PlaymillError, match="another process"):
        Review(puzzles)
    review.close()
    with review_path(puzzles).open("ab") as file:
        file.write(b'{"puzzle": "a", "deci')
    assert read_review(puzzles) == {"a": "approved", "b": "deleted"}
    again = Review(puzzles)
    assert again.decided == {"a": "approved", "b": "deleted"}
    again.decide("a", "deleted")
    again.close()
    assert read_review(puzzles) == {"a": "deleted", "b": "deleted"}


def test_an_unknown_decision_is_refused(tmp_path):
    review = Review(tmp_path / "puzzles.jsonl")
    with pytest.raises(UsageError, match="'approved', 'deleted' or 'open'"):
        review.decide("a", "perhaps")
    review.close()
