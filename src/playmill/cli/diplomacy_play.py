"""`playmill diplomacy engine`, `ladder`, `search`: orders for programs, strength as a table, and a look into one search."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.infer import Infer, InferKey, infer_opener
from playmill.cli.options import AsJson, Workers
from playmill.cli.output import print_json, print_table, table_console
from playmill.core.errors import UsageError, require_seed
from playmill.core.executor import count_threads

if TYPE_CHECKING:
    from playmill.games.diplomacy.board import Board
    from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator
    from playmill.packs.diplomacy.players.ladder import Rung
    from playmill.packs.diplomacy.players.player import Decision
    from playmill.packs.diplomacy.search.budgets import Budget

SHOWN = 5  # candidates of a power
SHOWN_WEIGHT = 0.005

Strength = Annotated[int, typer.Option(help="0 to 100; scales what searches look at.", min=0, max=100)]
Seed = Annotated[int, typer.Option(help="Same seed, same orders.")]
Iterations = Annotated[int | None, typer.Option(help="Stop a search after so many iterations.", min=1)]
Nodes = Annotated[int | None, typer.Option(help="Stop it after so many profiles.", min=1)]
Movetime = Annotated[int | None, typer.Option(help="Stop it after so many ms; then results don't repeat.", min=1)]
Model = Annotated[Path | None, typer.Option(help="The network of the kind `neural`.", exists=True, dir_okay=False)]


def engine() -> None:
    """Give orders to a program: the line protocol on stdin and stdout (see docs/games/diplomacy_search.md)."""
    from playmill.packs.diplomacy.players.engine import Engine

    def write(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is an unknown command, not the end
    # Line by line as they come: iterating over stdin would read ahead.
    Engine(write).serve(iter(sys.stdin.readline, ""))


def _budget(iterations: int | None, nodes: int | None, movetime: int | None) -> Budget:
    from playmill.packs.diplomacy.search.budgets import Budget

    return Budget(iterations, nodes, movetime)


def _network(model: Path | None, infer: str | None, key: Path | None) -> Path | DiplomacyEvaluator | None:
    """The network of the kind `neural`: the file itself, or the servers that have it."""
    opener = infer_opener(infer, key)
    if opener is None:
        return model
    if model is None:
        raise UsageError("--infer: name the network, --model FILE.pt; servers are asked for its weights")
    from playmill.packs.diplomacy.neural.evaluator import open_evaluator

    return open_evaluator(model, opener=opener)


# ------------------------------------------------------------------ the ladder


def ladder(
    rung: Annotated[
        list[str] | None,
        typer.Option(
            help="CHALLENGER:OPPONENTS, kinds random, heuristic, cartesian, rm_plus, neural. [default: all but the last]"
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each rung: rotations of 7, one from each seat.")] = 70,
    max_year: Annotated[int, typer.Option(help="The last year of a game without a solo.")] = 1912,
    opening_phases: Annotated[
        int, typer.Option(help="Movement phases of random legal orders first, the same in all seats of a rotation.")
    ] = 1,
    strength: Strength = 100,
    polish_nodes: Annotated[
        int, typer.Option(help="What RM+ may polish a power's set with; 0: sets are played as drawn.", min=0)
    ] = 4000,
    model: Model = None,
    infer: Infer = None,
    infer_key: InferKey = None,
    iterations: Iterations = None,
    nodes: Nodes = None,
    movetime: Movetime = None,
    workers: Workers = None,
    seed: Annotated[int, typer.Option(help="Same seed, same table.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Measure strength: one searcher against six of a weaker kind, every seat equally often."""
    from playmill.cli.progress import progress_bar
    from playmill.packs.diplomacy.players.ladder import RUNGS, LadderSettings, read_rung, run_ladder
    from playmill.packs.diplomacy.search.settings import OrderSearchSettings

    rungs = [read_rung(text) for text in rung] if rung else list(RUNGS)
    threads = count_threads(workers)
    budget = _budget(iterations, nodes, movetime)
    settings = LadderSettings(games, max_year, strength, require_seed(seed), threads, budget, opening_phases)
    network = _network(model, infer, infer_key)
    began = time.perf_counter()
    with progress_bar("diplomacy games", games * len(rungs)) as progress:
        search = OrderSearchSettings().with_polish(polish_nodes)
        found = run_ladder(rungs, settings, search, network, progress)
    seconds = time.perf_counter() - began
    if as_json:
        facts = {"games": games, "max_year": max_year, "opening_phases": opening_phases, "strength": strength, "seed": seed}
        how = {"polish_nodes": polish_nodes, "workers": threads, "budget": budget.kind, "seconds": seconds}
        print_json({**facts, **how, "rungs": [row.fields() for row in found]})
    else:
        _show_ladder(found, settings.max_year, seconds)


def _show_ladder(rows: list[Rung], max_year: int, seconds: float) -> None:
    from rich.table import Table

    from playmill.packs.diplomacy.players.ladder import show_share

    columns = (
        "one",
        "against six",
        "share, 95 %",
        "rotations",
        "games",
        "solos",
        "topped",
        "survived",
        "centres",
        "nodes a game",
    )
    table = Table(*columns, box=None)
    for row in rows:
        mark = "[green]above 1/7[/]" if row.is_above_even else "[yellow]not clear[/]"
        games = f"{row.games}, {row.distinct_games} distinct"
        counts = (f"{row.solos}", f"{row.topped}", f"{row.survived} of {row.counted_games}")
        means = (f"{row.centres:.1f}", f"{row.nodes_per_game:,.0f}")
        table.add_row(
            row.challenger, row.opponents, f"{show_share(row.share)} {mark}", f"{row.share.trials}", games, *counts, *means
        )
    console = table_console()
    print_table(table, console)
    console.print(
        f"\nA solo scores 1; without one through {max_year}, shares go by squares of centres. The interval is over rotations: "
        f"seven games from one opening, one from each seat; a rotation that repeats another counts once. {seconds:.0f} s."
    )


# ------------------------------------------------------------------ one search


def search(
    dfen: Annotated[str, typer.Argument(help="A position, or `start`.")],
    kind: Annotated[str, typer.Option(help="random, heuristic, cartesian, rm_plus, neural or auto (by strength).")] = "auto",
    power: Annotated[str | None, typer.Option(help="Show one power alone.")] = None,
    strength: Strength = 100,
    model: Model = None,
    infer: Infer = None,
    infer_key: InferKey = None,
    candidates: Annotated[int, typer.Option(help="RM+: sets of a power.", min=2, max=64)] = 16,
    seasons: Annotated[int, typer.Option(help="Movement phases to look ahead.", min=1, max=4)] = 1,
    iterations: Iterations = None,
    nodes: Nodes = None,
    movetime: Movetime = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Search a position and show candidates, how often to play each, and what all powers can expect."""
    from playmill.games.diplomacy.board import Board
    from playmill.games.diplomacy.places import read_power
    from playmill.packs.diplomacy.players.player import ALL_POWERS, make_player
    from playmill.packs.diplomacy.search.settings import OrderSearchSettings

    board = Board.from_dfen(dfen)
    powers = list(ALL_POWERS) if power is None else [read_power(power)]
    network = _network(model, infer, infer_key)
    player = make_player(kind, strength, OrderSearchSettings(candidates=candidates, seasons=seasons), network=network)
    decision = player.decide(board.state, powers, require_seed(seed), _budget(iterations, nodes, movetime))
    facts = _search_facts(board, powers, player.kind, decision)
    print_json(facts) if as_json else _show_search(facts)


def _search_facts(board: Board, powers: list[int], kind: str, decision: Decision) -> dict[str, Any]:
    """Everything that `--json` prints."""
    from playmill.games.diplomacy.dson import write_orders
    from playmill.games.diplomacy.state import power_name

    rows = []
    for power in powers:
        row: dict[str, Any] = {"power": power_name(power), "value": float(decision.values[power])}
        row["orders"] = write_orders(decision.orders[power].tolist(), board.plain)
        if decision.strategies is not None:
            pairs = zip(decision.strategies.sets[power], decision.strategies.weights[power], strict=True)
            texts = [(float(weight), write_orders(orders.tolist(), board.plain)) for orders, weight in pairs]
            row["candidates"] = [{"weight": weight, "orders": text} for weight, text in sorted(texts, reverse=True)]
        rows.append(row)
    done = {"nodes": decision.nodes, "iterations": decision.iterations, "ended": decision.used}
    return {"dfen": board.dfen, "search": kind, **done, "powers": rows}


def _show_search(facts: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table("power", "value", "weight", "orders", box=None, padding=(0, 2, 0, 0))
    for row in facts["powers"]:
        shown = [one for one in row.get("candidates", []) if one["weight"] >= SHOWN_WEIGHT][:SHOWN]
        lines = [(f"{one['weight']:.3f}", one["orders"]) for one in shown] or [("", row["orders"] or "-")]
        for number, (weight, orders) in enumerate(lines):
            names = (row["power"], f"{row['value']:.3f}") if number == 0 else ("", "")
            table.add_row(*names, weight, orders)
    console = table_console()
    print_table(table, console)
    console.print(
        f"\n{facts['search']}: {facts['nodes']:,} nodes, {facts['iterations']:,} iterations, ended by {facts['ended']}"
    )
