"""What recheck sees besides the right move: wrong ids, lines that can't be played, wrong moves that nothing refutes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from playmill.puzzles.mining.judge_solver import judge
from playmill.puzzles.mining.promises import broken_promise
from playmill.puzzles.mining.publish import make_puzzle
from playmill.puzzles.mining.rechecking import OVERTURNED, recheck
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.solution_tree import Branch, write_solution
from playmill.puzzles.solver.solving import solve
from puzzles.mining.test_reasons import FIVE, candidate

pytestmark = pytest.mark.jit
SETTINGS = MiningSettings()


@pytest.fixture(scope="module")
def found():
    """A puzzle, its problem, its tree and its ground."""
    judged = judge(candidate(FIVE, 2), SETTINGS)
    puzzle = make_puzzle(judged, candidate(FIVE, 2), SETTINGS.grading)
    return puzzle, judged.problem, judged.tree, solve(judged.problem, SETTINGS.solver()).ground


def test_a_puzzle_keeps_its_promises(found):
    assert broken_promise(*found) is None


def test_an_id_of_another_position_is_seen(found):
    puzzle, *rest = found
    other = puzzle.model_copy(update={"metadata": puzzle.metadata.model_copy(update={"puzzle_id": "0" * 16})})
    assert broken_promise(other, *rest).startswith("its id: expected ")


def test_too_few_refutations_are_seen(found):
    puzzle, problem, tree, ground = found
    few = replace(tree, wrong=tree.wrong[:2])
    broken = broken_promise(puzzle, problem, few, ground)
    assert broken == "refutations: expected those of 3 wrong moves at least, got 2"


def test_a_wrong_move_that_nothing_refutes_is_seen(found):
    puzzle, problem, tree, ground = found
    bare = replace(tree, wrong=(*tree.wrong[:-1], Branch(tree.wrong[-1].move)))
    assert broken_promise(puzzle, problem, bare, ground).startswith("nothing refutes ")


def test_a_line_that_can_not_be_played_is_seen_by_the_command_as_well(found, tmp_path):
    puzzle, problem, tree, ground = found
    twice = replace(tree, right=Branch(tree.right.move, (Branch(tree.right.move),)))
    assert broken_promise(puzzle, problem, twice, ground).endswith(" can't be played")
    facts = puzzle.metadata.model_copy(update={"proof": None})
    solution = write_solution(twice, problem.size)
    (tmp_path / "p.jsonl").write_text(puzzle.model_copy(update={"solution_sgf": solution, "metadata": facts}).line() + "\n")
    [one] = recheck(tmp_path / "p.jsonl", 1).found
    assert one.verdict == OVERTURNED
    assert one.detail.endswith(" can't be played")
