"""Orientations: whole puzzles turned, none twice, each as right as the first."""

from __future__ import annotations

import pytest

from playmill.core.errors import UsageError
from playmill.games.go.geometry import inverse_of, turned_place
from playmill.puzzles.duplicates import canonical_id, orientations
from playmill.puzzles.orientations import turn_proof, turn_sgf
from playmill.puzzles.puzzle import Puzzle, parse_puzzle
from playmill.puzzles.solution_tree import read_solution
from playmill.puzzles.solver.checker import check_proof
from playmill.puzzles.solver.proof_file import problem_fields
from playmill.puzzles.solver.sgf_problem import parse_problem
from playmill.puzzles.tags import tags_of
from solved_puzzles import solved_classics

pytestmark = pytest.mark.jit


def problem_of(puzzle):
    return parse_problem(puzzle.initial_state_sgf.encode(), puzzle.name)


@pytest.fixture(scope="module")
def solved():
    return solved_classics()


def test_there_are_eight_or_four_with_one_id_and_one_source(solved):
    for one in solved:
        turned = list(orientations(one.puzzle))
        assert turned[0] == one.puzzle
        count = 4 if one.name.startswith("bent three in the corner") else 8  # it lies on the board's diagonal
        assert [puzzle.metadata.orientation for puzzle in turned] == list(range(count))
        assert len({puzzle.initial_state_sgf for puzzle in turned}) == count
        assert {canonical_id(problem_of(puzzle)) for puzzle in turned} == {one.puzzle.metadata.puzzle_id}
        assert {puzzle.metadata.source_sgf_hash for puzzle in turned} == {one.puzzle.metadata.source_sgf_hash}
        assert len({puzzle.name for puzzle in turned}) == count


def test_tags_and_solution_turn_along(solved):
    for one in solved:
        for puzzle in orientations(one.puzzle):
            tree, size = read_solution(puzzle.solution_sgf, puzzle.name)
            assert size == problem_of(puzzle).size
            assert tags_of(problem_of(puzzle), tree) == one.puzzle.tags


def test_proofs_turn_along(solved):
    for one in solved:
        for puzzle in orientations(one.puzzle):
            checked = check_proof(turn_proof(one.proof, puzzle.metadata.orientation))
            assert checked.problem == problem_fields(problem_of(puzzle))
            assert len(checked.moves) == 1
            assert puzzle.metadata.proof == f"{puzzle.name}.proof"


def test_an_untouched_proof_keeps_its_bytes(solved):
    assert all(turn_proof(one.proof, 0) == one.proof for one in solved)


def test_any_orientation_gives_the_same_ones(solved):
    eight = list(orientations(solved[0].puzzle))
    for puzzle in eight:
        assert list(orientations(puzzle)) == eight
        assert parse_puzzle(puzzle.line().encode(), "here") == puzzle


SYMMETRIC_SGF = "(;GM[1]FF[4]SZ[9]AB[bi][bh][ch][dh][eh][fh][fi][hh]AW[ai][gi]MA[bh]PL[W])"
ON_THE_AXIS = "(;GM[1]FF[4]SZ[9]AB[ch][ci][dh][eh][fh][gh][gi]AW[bi][hi]MA[ch]PL[W])"
IN_THE_MIDDLE = "(;GM[1]FF[4]SZ[9]AW[ee]MA[ee]PL[B])"
ON_THE_DIAGONAL = "(;GM[1]FF[4]SZ[9]AW[aa][bb]MA[aa]PL[B])"


@pytest.mark.parametrize(
    ("position", "count"), [(SYMMETRIC_SGF, 8), (ON_THE_AXIS, 4), (ON_THE_DIAGONAL, 4), (IN_THE_MIDDLE, 1)]
)
def test_a_symmetric_position_comes_once(solved, position, count):
    puzzle = Puzzle.model_validate({**solved[0].puzzle.model_dump(), "initial_state_sgf": position})
    found = [turned.initial_state_sgf for turned in orientations(puzzle)]
    assert len(found) == len(set(found)) == count


def test_every_symmetry_is_taken_back_by_its_inverse():
    for number in range(8):
        assert turned_place(9, *turned_place(9, 1, 3, number), inverse_of(number)) == (1, 3)


def test_labels_lists_and_passes_turn_along():
    text = "(;SZ[9]AB[aa:ba]LB[aa:aa]AR[aa:ia]C[aa];B[];W[tt](;B[ia])(;B[ai]TE[1]))"
    assert turn_sgf(text, 1, "here") == (9, "(;SZ[9]AB[ha][ia]LB[ia:aa]AR[ia:aa]C[aa];B[];W[tt](;B[aa])(;B[ii]TE[1]))")


@pytest.mark.parametrize("text", ["", "(;)", "(;SZ[x])", "nothing"])
def test_what_is_no_position_is_refused_by_name(text):
    with pytest.raises(UsageError, match=r"^here: expected SGF with a board's size, but"):
        turn_sgf(text, 1, "here")
