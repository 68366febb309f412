"""The checker on proofs of random positions: it takes each, and none with a line or a move altered, left out or reordered."""

import hashlib
import json

import numpy as np
import pytest

from playmill.puzzles.solver.checker import BadProof, check_proof
from playmill.puzzles.solver.proof_file import proof_text
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from playmill.puzzles.solver.workspace import Workspace
from puzzles.solver.test_kernels import random_problem
from puzzles.solver.test_whole_board import EYED, random_position

pytestmark = pytest.mark.jit
SETTINGS = SolverSettings(ko_threats=1, table_mib=1, max_nodes=20_000, wall_liberties=0)
ALTERED = 12  # places of each proof that are tried, at most, for each way to spoil it
MOST_LINES = 400


def sealed(lines):
    """The lines with an end that fits them, so that not the checksum alone gives a change away."""
    body = "".join(json.dumps(line) + "\n" for line in lines)
    states = sum(isinstance(line, list) for line in lines)
    return body + json.dumps({"states": states, "sha256": hashlib.sha256(body.encode()).hexdigest()}) + "\n"


def proofs(seeds):
    """(seed, lines) of those positions that have a proof of some length."""
    workspace = Workspace(1)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        found = random_position(rng, 5, EYED) if seed % 2 else None
        problem = found[0] if found else random_problem(seed, seed // 2 % 2 + 1)
        if problem is None:
            continue
        solution = solve(problem, SETTINGS, with_proof=True, workspace=workspace)
        text = proof_text(problem, solution, SETTINGS) if solution.proved else ""
        lines = [json.loads(line) for line in text.splitlines()[:-1]]
        if 3 < len(lines) <= MOST_LINES:
            checked = check_proof(text)
            assert (checked.status, checked.moves) == (solution.status, solution.moves)
            yield seed, lines


def left_out(rng, lines):
    for at in some(rng, range(len(lines))):
        yield lines[:at] + lines[at + 1 :]


def reordered(rng, lines):
    """Two neighbours exchanged; of two states at least one has several answers, since single moves may do in either."""
    pairs = [
        at for at in range(len(lines) - 1)
        if lines[at] != lines[at + 1] and not all(isinstance(line, list) and len(line) < 2 for line in lines[at : at + 2])
    ]  # fmt: skip
    for at in some(rng, pairs):
        yield [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def redirected(rng, lines):
    """A move that leads to another state or end."""
    for at, edge in some(rng, edges(lines)):
        move, to = lines[at][edge]
        other = (
            {"captured": "alive", "alive": "captured"}.get(to, "alive")
            if rng.random() < 0.5
            else (to + 1 if to in range(99) else 0)
        )
        yield [*lines[:at], [*lines[at][:edge], [move, other], *lines[at][edge + 1 :]], *lines[at + 1 :]]


def without_a_move(rng, lines):
    for at, edge in some(rng, edges(lines)):
        yield [*lines[:at], lines[at][:edge] + lines[at][edge + 1 :], *lines[at + 1 :]]


def edges(lines):
    return [(at, edge) for at, line in enumerate(lines) if isinstance(line, list) for edge in range(len(line))]


def some(rng, places):
    places = list(places)
    return [places[at] for at in sorted(rng.permutation(len(places))[:ALTERED])]


@pytest.mark.parametrize("spoil", [left_out, reordered, redirected, without_a_move], ids=lambda way: way.__name__)
def test_no_spoiled_proof_is_taken(spoil, many):
    for seed, lines in many:
        for changed in spoil(np.random.default_rng(seed), lines):
            with pytest.raises(BadProof):
                check_proof(sealed(changed))


@pytest.fixture(scope="module")
def many():
    found = list(proofs(range(120)))
    assert len(found) >= 40
    assert {lines[0]["status"] for _, lines in found} == {"alive", "dead", "ko"}
    return found


@pytest.mark.slow
def test_no_spoiled_proof_of_a_thousand_is_taken():
    count = 0
    for seed, lines in proofs(range(1000, 4000)):
        rng = np.random.default_rng(seed)
        for spoil in (left_out, reordered, redirected, without_a_move):
            for changed in spoil(rng, lines):
                with pytest.raises(BadProof):
                    check_proof(sealed(changed))
        count += 1
    assert count >= 1000
