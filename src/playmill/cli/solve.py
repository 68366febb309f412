"""`playmill solve`: whether marked chains live or die, with a proof that `--check` verifies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, Force, Workers
from playmill.cli.output import print_json
from playmill.core.errors import PlaymillError, UsageError, unknown_name

if TYPE_CHECKING:
    from playmill.puzzles.solver.problem import Tsumego
    from playmill.puzzles.solver.solving import Solution

KO = ("loss", "attacker", "defender")
Nodes = Annotated[int, typer.Option(help="Positions to look at for a problem before the answer is 'unknown'.", min=1)]


def register(app: typer.Typer) -> None:
    app.command()(solve)


def solve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Problems: SGF files, chains marked by MA or TR, side to play by PL.", metavar="FILE..."),
    ] = None,
    proof: Annotated[Path | None, typer.Option(help="Write the proof of one problem to this file.")] = None,
    check: Annotated[Path | None, typer.Option(help="Check a proof instead; with FILE, that it is about that problem.")] = None,
    ko: Annotated[str, typer.Option(help="Who wins a ko: nobody who needs one (loss), the attacker, the defender.")] = "loss",
    ko_threats: Annotated[
        int, typer.Option(help="How often a ko is taken back at once against a side that must do without ko.", min=0, max=15)
    ] = 3,
    wall_liberties: Annotated[
        int,
        typer.Option(help="Liberties outside from which enclosing chains are taken for safe; 0 trusts all.", min=0, max=400),
    ] = 4,
    nodes: Nodes = 5_000_000,
    max_empty: Annotated[
        int, typer.Option(help="Empty points within reach of the marked chains, at most.", min=1, max=64)
    ] = 24,
    table: Annotated[int, typer.Option(help="MiB of memory for what was seen, for each thread.", min=1, max=65_536)] = 64,
    workers: Workers = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Prove whether marked chains live or die, and which first moves do it; 'unknown' is an honest answer."""
    if check is not None:
        _check(check, files or [], as_json)
        return
    if not files:
        raise UsageError("solve: expected an SGF file, or --check with a proof, got neither")
    if ko not in KO:
        raise unknown_name("ko policy", ko, KO)
    if proof is not None and len(files) > 1:
        raise UsageError(f"solve: --proof: expected one problem, got {len(files)}")
    from playmill.core.executor import count_threads
    from playmill.core.files import claim_output
    from playmill.puzzles.solver.settings import SolverSettings
    from playmill.puzzles.solver.sgf_problem import read_problem

    threads = count_threads(workers)
    if proof is not None:
        claim_output(proof, force, files)
    limits = {"max_nodes": nodes, "max_empty": max_empty, "table_mib": table}
    rules = {"ko": ko, "ko_threats": ko_threats, "wall_liberties": wall_liberties}
    settings = SolverSettings.model_validate({**rules, **limits})
    problems = [read_problem(path) for path in files]
    for path, problem, solution in _solutions(files, problems, settings, threads, proof):
        if as_json:
            print_json({"file": path, **solution.fields()})
        else:
            typer.echo(f"{path}: {sentence(problem, solution)}")


def _solutions(files: list[Path], problems: list[Tsumego], settings: Any, threads: int, proof: Path | None) -> Any:
    from playmill.puzzles.solver.many import solve_many
    from playmill.puzzles.solver.proof_file import write_proof
    from playmill.puzzles.solver.solving import solve as solve_one

    if proof is not None:
        solution = solve_one(problems[0], settings, with_proof=True)
        if solution.proved:
            write_proof(proof, problems[0], solution, settings)
        yield files[0], problems[0], solution
        return
    for number, solution in solve_many(problems, settings, threads):
        yield files[number], problems[number], solution


def sentence(problem: Tsumego, solution: Solution) -> str:
    """The solution as people say it."""
    cost = f"{solution.nodes:,} nodes, {solution.seconds:.2f} s"
    if not solution.proved:
        return f"{problem.side} to play: unknown, {solution.reason} ({cost})"
    moves = f"right moves: {', '.join(solution.moves)}" if solution.moves else "no move changes that"
    undecided = f"; undecided: {', '.join(solution.undecided)}" if solution.undecided else ""
    return f"{problem.side} to play and {solution.goal}: {solution.status}, proved; {moves}{undecided} ({cost})"


def _check(proof: Path, files: list[Path], as_json: bool) -> None:
    from playmill.core.documents import read_text
    from playmill.puzzles.solver.checker import BadProof, check_proof

    if len(files) > 1:
        raise UsageError(f"solve: --check: expected at most one problem, got {len(files)}")
    try:
        checked = check_proof(read_text(proof))
    except BadProof as error:
        raise PlaymillError(f"{proof}: no proof: {error}") from None
    for path in files:
        _require_problem(proof, path, checked.problem)
    facts = {"valid": True, "status": checked.status, "moves": checked.moves, "undecided": checked.undecided}
    if as_json:
        print_json({"proof": proof, **facts, "states": checked.states})
    else:
        moves = f"right moves: {', '.join(checked.moves)}" if checked.moves else "no move changes that"
        typer.echo(f"{proof}: {checked.status}, proved; {moves} ({checked.states:,} states checked)")


def _require_problem(proof: Path, path: Path, proved: dict[str, Any]) -> None:
    from playmill.puzzles.solver.proof_file import problem_fields
    from playmill.puzzles.solver.sgf_problem import read_problem

    if problem_fields(read_problem(path)) != proved:
        raise PlaymillError(f"{proof}: it is a proof, but of another problem than {path}")
