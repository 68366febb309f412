"""`playmill diplomacy`: adjudicate, list orders, explain and draw a phase, run the DATC."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from playmill.cli import diplomacy_import, diplomacy_play, diplomacy_selfplay, diplomacy_train
from playmill.cli.groups import App
from playmill.cli.options import AsJson, Force
from playmill.cli.output import print_json
from playmill.core.errors import PlaymillError, UsageError

app = App(help="Diplomacy: adjudicate, list orders, explain and draw phases, search, play against itself, run the DATC.")

app.command()(diplomacy_play.engine)
app.command()(diplomacy_play.ladder)
app.command()(diplomacy_play.search)
app.command()(diplomacy_selfplay.selfplay)
app.command()(diplomacy_selfplay.check)
app.command()(diplomacy_selfplay.export)
app.command("import")(diplomacy_import.import_games)
app.command()(diplomacy_train.train)

Rules = Annotated[str, typer.Option(help="Version of the DATC's rules where they differ: 2.x or 3.x.")]
Answer = Callable[[dict[str, Any]], dict[str, Any]]


@app.command()
def adjudicate(rules: Rules = "3.x") -> None:
    """Read positions with orders, one JSON object a line, and write what follows.

    In: {"dfen": ..., "orders": {power: dson}}; `start` is a position, too. Out: {"dfen": next, "results": {order: [verdicts]}}.
    A line that can't be read is answered by {"error": ..., "line": n}, the others go on; the exit code is then 1. An order that
    can't be read is illegal, and the other orders are carried out.
    """
    from playmill.games.diplomacy.board import Board

    _require_rules(rules)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        outcome = Board.from_dfen(_text(request, "dfen"), rules).orders(_orders(request)).adjudicate()
        return {"dfen": outcome.next.dfen, "results": outcome.results()}

    _answer_lines(answer)


@app.command()
def orders(rules: Rules = "3.x") -> None:
    """Read positions, one JSON object a line, and write all legal orders.

    In: {"dfen": ...}, with "power" for one power's alone. Out: {"dfen": ..., "orders": {unit: [orders]}}. Errors as in
    `adjudicate`.
    """
    from playmill.games.diplomacy.board import Board

    _require_rules(rules)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        board = Board.from_dfen(_text(request, "dfen"), rules)
        power = _text(request, "power") if "power" in request else None
        return {"dfen": board.dfen, "orders": board.legal_orders(power)}

    _answer_lines(answer)


@app.command()
def explain(
    dfen: Annotated[str, typer.Argument(help="The position, or `start`.")],
    orders: Annotated[str, typer.Argument(help="Orders such as 'A par - bur ; A mar S A par - bur'.")] = "",
    rules: Rules = "3.x",
    as_json: AsJson = False,
) -> None:
    """Tell what becomes of each order, and why."""
    from playmill.games.diplomacy.board import Board

    outcome = Board.from_dfen(dfen, rules).orders(orders).adjudicate()
    if as_json:
        print_json({"dfen": outcome.next.dfen, "results": outcome.results()})
    else:
        typer.echo(outcome.explain())


@app.command()
def draw(
    dfen: Annotated[str, typer.Argument(help="The position, or `start`.")],
    orders: Annotated[str, typer.Argument(help="Orders to draw, with what becomes of them.")] = "",
    out: Annotated[Path | None, typer.Option(help="The SVG file to write. [default: standard output]")] = None,
    width: Annotated[int, typer.Option(min=200, max=20_000, help="Pixels.")] = 800,
    title: Annotated[str, typer.Option(help="What stands above the map.")] = "Diplomacy",
    force: Force = False,
    rules: Rules = "3.x",
) -> None:
    """Draw a position, or a phase with its orders, as an SVG map."""
    from playmill.core.files import atomic_write, claim_output
    from playmill.games.diplomacy.board import Board
    from playmill.games.diplomacy.draw_board import draw_board

    if out is not None:
        claim_output(out, force)
    svg = draw_board(Board.from_dfen(dfen, rules).orders(orders), width, title)
    if out is None:
        typer.echo(svg, nl=False)
    else:
        atomic_write(out, svg)
        typer.echo(f"{out}: {len(svg):,} bytes")


@app.command()
def datc(
    rules: Annotated[str | None, typer.Option(help="Only 2.x or only 3.x. [default: both]")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the DATC's cases 6.A to 6.J and print the table; exit 1 if any fails."""
    from playmill.games.diplomacy.board import RULES
    from playmill.games.diplomacy.datc import load_cases

    versions = list(RULES) if rules is None else [_require_rules(rules)]
    rows = [(case, version, case.check(version)) for case in load_cases() for version in case.rules if version in versions]
    failed = sum(bool(problems) for _, _, problems in rows)
    if as_json:
        cases = [{"id": case.id, "title": case.title, "rules": v, "problems": problems} for case, v, problems in rows]
        print_json({"checks": len(rows), "failed": failed, "cases": cases})
    else:
        _print_datc(rows, versions)
    if failed:
        raise typer.Exit(1)


def _print_datc(rows: list[Any], versions: list[str]) -> None:
    """A line a case, then the count; a case that differs between versions has a line for each."""
    seen: dict[tuple[str, str], list[Any]] = {}
    for row in rows:
        seen.setdefault((row[0].id, row[0].title + "".join(row[0].rules)), []).append(row)
    for checks in seen.values():
        case, problems = checks[0][0], [problem for check in checks for problem in check[2]]
        held = " ".join(check[1] for check in checks)
        typer.echo(f"{case.id:<7} {'FAILS' if problems else 'ok':<5} {held:<8} {case.title}")
        for problem in problems:
            typer.echo(f"        {problem}")
    for version in versions:
        ids = {case.id for case, v, _ in rows if v == version}
        broken = {case.id for case, v, problems in rows if v == version and problems}
        typer.echo(f"{version}: {len(ids) - len(broken)} of {len(ids)} cases pass")


def _require_rules(rules: str) -> str:
    from playmill.games.diplomacy.board import RULES

    if rules not in RULES:
        raise UsageError(f"--rules: expected one of {', '.join(RULES)}, got '{rules}'")
    return rules


# ------------------------------------------------------------------ JSON lines


def _answer_lines(answer: Answer, lines: Iterable[str] | None = None) -> None:
    """Answer every line of stdin that isn't empty; a bad one gets an error with its number, and the rest go on."""
    failed = False
    for number, line in enumerate(sys.stdin if lines is None else lines, 1):
        if not line.strip():
            continue
        try:
            found = answer(_request(line))
        except PlaymillError as error:
            found, failed = {"error": str(error), "line": number}, True
        sys.stdout.write(json.dumps(found) + "\n")
    if failed:
        raise typer.Exit(1)


def _request(line: str) -> dict[str, Any]:
    from playmill.core.documents import parse_object, shorten

    return parse_object(line, shorten(line.strip()))


def _text(request: dict[str, Any], name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str):
        raise UsageError(f"{name}: expected a text, got {json.dumps(value)}")
    return value


def _orders(request: dict[str, Any]) -> dict[str, str] | str:
    """Orders by power, or one text for all; none if there are none."""
    value = request.get("orders", {})
    if isinstance(value, str):
        return value
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise UsageError(f"orders: expected a text for each power, got {json.dumps(value)[:60]}")
    return value
