"""Positions with a status that books tell, both sides first: solved, and their proofs checked by other code."""

import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.puzzles.solver.checker import check_proof
from playmill.puzzles.solver.classics import CLASSICS
from playmill.puzzles.solver.proof_file import write_proof
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve

pytestmark = pytest.mark.jit
SIDES = [(classic, side) for classic in CLASSICS for side in (BLACK, WHITE)]
SETTINGS = SolverSettings(table_mib=8)


def name(value):
    return value.name if hasattr(value, "name") else {BLACK: "black first", WHITE: "white first"}.get(value)


@pytest.mark.parametrize(("classic", "side"), SIDES, ids=name)
def test_a_classic_position_has_its_status_and_a_proof(classic, side, tmp_path):
    problem = classic.problem(side)
    solution = solve(problem, SETTINGS, with_proof=True)
    assert solution.status == (classic.black_first if side == BLACK else classic.white_first)
    assert solution.proved
    if classic.vital and side == WHITE:
        assert solution.moves == (classic.vital,)
    states = write_proof(tmp_path / "proof", problem, solution, SETTINGS)
    checked = check_proof((tmp_path / "proof").read_text())
    assert (checked.status, checked.moves, checked.states) == (solution.status, solution.moves, states)


@pytest.mark.parametrize("classic", CLASSICS[:13], ids=name)
@pytest.mark.parametrize("table_entries", [4, 64])
def test_a_table_that_holds_next_to_nothing_changes_no_answer(classic, table_entries):
    from playmill.puzzles.solver.fight import entry_type
    from playmill.puzzles.solver.workspace import Workspace

    workspace = Workspace(1)
    workspace.table = workspace.table[:table_entries].copy()
    assert workspace.table.nbytes == table_entries * entry_type().itemsize
    found = solve(classic.problem(WHITE), SETTINGS, workspace=workspace).status
    assert found in (classic.white_first, "unknown")
    if table_entries == 64:
        assert found == classic.white_first


def test_who_wins_the_ko_can_be_said():
    ko = next(classic for classic in CLASSICS if classic.white_first == "ko")
    found = {winner: solve(ko.problem(WHITE), SolverSettings(ko=winner, table_mib=8)) for winner in ("attacker", "defender")}
    assert {winner: solution.status for winner, solution in found.items()} == {"attacker": "dead", "defender": "alive"}
    assert found["attacker"].moves == solve(ko.problem(WHITE), SETTINGS).moves
    assert found["defender"].moves == ()


def test_few_nodes_give_an_honest_unknown():
    solution = solve(CLASSICS[-3].problem(WHITE), SolverSettings(max_nodes=20, table_mib=1))
    assert (solution.status, solution.proved, solution.moves) == ("unknown", False, ())
    assert "20 nodes" in solution.reason
