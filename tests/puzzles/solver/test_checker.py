"""The checker takes no proof that was touched: every line altered, left out or exchanged, with a checksum made to fit."""

import ast
import hashlib
import json
from pathlib import Path

import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.puzzles.solver import checker
from playmill.puzzles.solver.checker import BadProof, check_proof
from playmill.puzzles.solver.classics import CLASSICS
from playmill.puzzles.solver.proof_file import write_proof
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve

pytestmark = pytest.mark.jit
BY_NAME = {classic.name: classic for classic in CLASSICS}
SETTINGS = SolverSettings(table_mib=4)
PROOFS = [
    ("straight three", BLACK),
    ("straight three", WHITE),
    ("square four", BLACK),
    ("pyramid four", WHITE),
    ("seki around three stones", WHITE),
]


@pytest.fixture(
    scope="module", params=PROOFS, ids=lambda param: f"{param[0]}, {'black' if param[1] == BLACK else 'white'} first"
)
def lines(request, tmp_path_factory):
    name, side = request.param
    problem = BY_NAME[name].problem(side)
    path = tmp_path_factory.mktemp("proofs") / "proof"
    write_proof(path, problem, solve(problem, SETTINGS, with_proof=True), SETTINGS)
    found = path.read_text().splitlines()
    check_proof("\n".join(found) + "\n")
    return found


def sealed(lines):
    """The lines with an end that fits them."""
    body = "".join(line + "\n" for line in lines)
    states = sum(line.startswith("[") for line in lines)
    return body + json.dumps({"states": states, "sha256": hashlib.sha256(body.encode()).hexdigest()}) + "\n"


def assert_no_proof(lines):
    with pytest.raises(BadProof) as refused:
        check_proof(sealed(lines))
    assert "\n" not in str(refused.value)


def test_it_shares_no_code_with_anybody():
    tree = ast.parse(Path(checker.__file__).read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"__future__", "dataclasses", "hashlib", "json", "typing"}


def test_a_changed_byte_is_noticed(lines):
    text = sealed(lines[:-1])
    check_proof(text)
    with pytest.raises(BadProof, match="checksum"):
        check_proof(text.replace("playmill", "playmill ", 1))


def test_a_line_left_out(lines):
    for at in range(len(lines) - 1):
        assert_no_proof(lines[:at] + lines[at + 1 : -1])


def test_two_lines_exchanged(lines):
    body = lines[:-1]
    for at in range(len(body) - 1):
        if body[at] != body[at + 1]:
            assert_no_proof([*body[:at], body[at + 1], body[at], *body[at + 2 :]])


def test_a_move_left_out_of_a_state(lines):
    for at, line in enumerate(lines[:-1]):
        if line.startswith("[["):
            edges = json.loads(line)
            for edge in range(len(edges)):
                assert_no_proof([*lines[:at], json.dumps(edges[:edge] + edges[edge + 1 :]), *lines[at + 1 : -1]])


def test_a_move_that_leads_elsewhere(lines):
    for at, line in enumerate(lines[:-1]):
        if not line.startswith("[["):
            continue
        edges = json.loads(line)
        for edge, (move, to) in enumerate(edges):
            for other in ({"captured": "alive", "alive": "captured"}.get(to, "alive"), to + 1 if isinstance(to, int) else 0):
                changed = [*edges[:edge], [move, other], *edges[edge + 1 :]]
                assert_no_proof([*lines[:at], json.dumps(changed), *lines[at + 1 : -1]])


def test_another_move_in_its_place(lines):
    for at, line in enumerate(lines[:-1]):
        if line.startswith("[["):
            edges = json.loads(line)
            changed = [["a9" if move != "a9" else "b9", to] for move, to in edges]
            assert_no_proof([*lines[:at], json.dumps(changed), *lines[at + 1 : -1]])


@pytest.mark.parametrize(
    ("key", "value"),
    [("status", "ko"), ("status", "unknown"), ("moves", ["a9"]), ("to_play", "nobody"), ("marked", []), ("marked", ["a9"]),
     ("size", 3), ("version", 2), ("walls", "thin"), ("ko", "luck"), ("ko_threats", -1), ("undecided", ["pass"]), ("black", []),
     ("format", "sgf")],
)  # fmt: skip
def test_another_first_line(lines, key, value):
    header = json.loads(lines[0])
    assert header[key] != value
    assert_no_proof([json.dumps({**header, key: value}), *lines[1:-1]])


def test_a_claim_turned_round(lines):
    for at, line in enumerate(lines[1:-1], start=1):
        if line.startswith("{"):
            claim = json.loads(line)
            assert_no_proof([*lines[:at], json.dumps({**claim, "forced": not claim["forced"]}), *lines[at + 1 : -1]])


@pytest.mark.parametrize("text", ["", "\n", "{}", "[]\n[]", "null\nnull\n", '{"states": 0, "sha256": ""}', "\x00\x01"])
def test_what_is_no_proof_at_all(text):
    with pytest.raises(BadProof):
        check_proof(text)
