"""The eight orientations of a puzzle: position, marks, solution and proof turned along, under one id and one source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from playmill.core.errors import UsageError, one_line
from playmill.games.go.board_text import name_cell, read_point
from playmill.games.go.geometry import SYMMETRIES, cell_of, inverse_of, place_of, turned_place
from playmill.games.go.sgf.points import read_cell, spread, write_point
from playmill.games.go.sgf.properties import LABELS, MARKS, MOVES, STONES
from playmill.games.go.sgf.tree import SgfNode, parse_sgf
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.solver.numbering import order_states
from playmill.puzzles.solver.proof_file import problem_fields
from playmill.puzzles.solver.sgf_problem import parse_problem

POINT_LISTS = ("marked", "added")  # facts of a puzzle that are points


def orientations(puzzle: Puzzle) -> Iterator[Puzzle]:
    """The puzzle in each orientation whose position is unlike the earlier ones: eight, or fewer of a symmetric position.

    Whichever orientation comes in, the same ones come out, number 0 first.
    """
    first = turn_puzzle(puzzle, inverse_of(puzzle.metadata.orientation), 0)
    seen = []
    for number in range(SYMMETRIES):
        turned = turn_puzzle(first, number, number)
        problem = problem_fields(parse_problem(turned.initial_state_sgf.encode(), f"puzzle {puzzle.name}"))
        if problem not in seen:  # which stone of a chain is marked makes no difference
            seen.append(problem)
            yield turned


def turn_puzzle(puzzle: Puzzle, symmetry: int, orientation: int) -> Puzzle:
    """The puzzle turned by a symmetry and called by this orientation; its proof is the file of its own name."""
    where = f"puzzle {puzzle.name}"
    size, position = turn_sgf(puzzle.initial_state_sgf, symmetry, where)
    solution = turn_sgf(puzzle.solution_sgf, symmetry, where)[1]
    facts = puzzle.metadata
    lists = {name: sorted(_turned_point(point, size, symmetry) for point in getattr(facts, name)) for name in POINT_LISTS}
    left_out = None if facts.left_out is None else _turned_point(facts.left_out, size, symmetry)
    facts = facts.model_copy(update={"orientation": orientation, "left_out": left_out, **lists})
    turned = puzzle.model_copy(update={"initial_state_sgf": position, "solution_sgf": solution, "metadata": facts})
    if facts.proof is None:
        return turned
    return turned.model_copy(update={"metadata": facts.model_copy(update={"proof": f"{turned.name}.proof"})})


# ------------------------------------------------------------------ SGF


def turn_sgf(text: str, symmetry: int, where: str) -> tuple[int, str]:
    """The size of a game's board, and the game with all its points turned; lists of points are sorted."""
    try:
        root = parse_sgf(text)
        size = int(root.text("SZ") or "")
    except ValueError as error:
        raise UsageError(f"{where}: expected SGF with a board's size, but {one_line(error)}") from None
    for node in root.every_node():
        for name, values in node.properties.items():
            node.properties[name] = _turned_values(name, values, size, symmetry)
    return size, _written(root)


def _turned_values(name: str, values: list[str], size: int, symmetry: int) -> list[str]:
    if name in MOVES:
        return [_turned_point(value, size, symmetry) for value in values]
    if name in STONES | MARKS:
        return sorted(_turned_point(point, size, symmetry) for value in values for point in spread(value))
    if name in LABELS:
        return sorted(_turned_label(name, value, size, symmetry) for value in values)
    return values


def _turned_label(name: str, value: str, size: int, symmetry: int) -> str:
    """A label's point is turned, not its text; of a line both ends are."""
    point, colon, rest = value.partition(":")
    rest = rest if name == "LB" else _turned_point(rest, size, symmetry)
    return _turned_point(point, size, symmetry) + colon + rest


def _turned_point(point: str, size: int, symmetry: int) -> str:
    """What is no point of the board, such as a pass, stays."""
    cell = read_cell(point, size)
    return point if cell is None else write_point(size, _turned_cell(cell, size, symmetry))


def _turned_cell(cell: int, size: int, symmetry: int) -> int:
    return cell_of(size, *turned_place(size, *place_of(size, cell), symmetry))


def _written(root: SgfNode) -> str:
    """The tree as SGF, properties in their order, without a line break."""
    parts: list[str] = []
    waiting: list[SgfNode | str] = [")", root, "("]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        parts.append(";" + "".join(name + "".join(f"[{value}]" for value in node.properties[name]) for name in node.properties))
        has_one = len(node.children) == 1
        for child in reversed(node.children):
            waiting += [child] if has_one else [")", child, "("]
    return "".join(parts)


# ------------------------------------------------------------------ proofs


def turn_proof(text: str, symmetry: int) -> str:
    """A proof file turned by a symmetry: what `solver/checker.py` accepts of the one it accepts of the other."""
    lines = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    size = lines[0]["size"]
    first, *others = [_turned_line(line, size, symmetry) for line in lines[:-1]]
    turned = [first, *_claims_in_order(others, size)]
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in turned)
    end = {**lines[-1], "sha256": hashlib.sha256(body.encode()).hexdigest()}
    return body + json.dumps(end, separators=(",", ":")) + "\n"


def _claims_in_order(lines: list[Any], size: int) -> list[Any]:
    """Claims by their first moves, those of one prover after the other's, and their states numbered as they come up."""
    begins = [at for at, line in enumerate(lines) if isinstance(line, dict)]
    claims = [lines[begin:end] for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True)]
    provers = list(dict.fromkeys(claim[0]["prover"] for claim in claims))
    claims.sort(key=lambda claim: (provers.index(claim[0]["prover"]), _order(claim[0]["after"] or "pass", size)))
    return [line for head, *states in claims for line in (head, *_numbered(states, head["forced"]))]


def _numbered(states: list[Any], is_forced: bool) -> list[Any]:
    order = order_states([[to for _, to in edges if isinstance(to, int)] for edges in states], is_forced) if states else []
    number = {at: new for new, at in enumerate(order)}
    return [[[move, number[to] if isinstance(to, int) else to] for move, to in states[at]] for at in order]


def _turned_line(line: Any, size: int, symmetry: int) -> Any:
    """A line of states has its moves in the board's order; so have the lists of points in the first line."""
    if isinstance(line, list):
        edges = [[_turned_name(move, size, symmetry), end] for move, end in line]
        return sorted(edges, key=lambda edge: _order(edge[0], size))
    named = {key: _turned_name(line[key], size, symmetry) for key in ("after", "banned") if line.get(key)}
    listed = {
        key: sorted((_turned_name(name, size, symmetry) for name in line[key]), key=lambda name: _order(name, size))
        for key in ("black", "white", "marked", "joined", "moves", "undecided")
        if key in line
    }
    return {**line, **named, **listed}


def _turned_name(name: str, size: int, symmetry: int) -> str:
    return name if name == "pass" else name_cell(size, _turned_cell(read_point(size, name), size, symmetry)).lower()


def _order(name: str, size: int) -> int:
    """Points by row from the top, a pass last."""
    return size**3 if name == "pass" else read_point(size, name)
