"""`playmill explore`: one position through the eyes of a search, beside the solved game where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.arena import MAX_SIMULATIONS
from playmill.cli.options import AsJson, GameName
from playmill.cli.output import print_json, print_table, table_console
from playmill.core.errors import UsageError, require_seed

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.games.state import State
    from playmill.nets.net_evaluator import NetEvaluator
    from playmill.search.decisions import Decisions
    from playmill.search.settings import SearchSettings

NO_MODEL = "the search knows the rules alone; every action is as likely and every position even (--model FILE)"
NO_REGRET_POINTS = 1e-9  # sums in another order differ in the last digits


def register(app: typer.Typer) -> None:
    app.command()(explore)


def explore(
    game: GameName,
    model: Annotated[Path | None, typer.Option(help="A checkpoint. [default: every action alike, every position even]")] = None,
    seed: Annotated[int, typer.Option(help="Which episode; also what the search imagines.", min=0)] = 0,
    actions: Annotated[str, typer.Option(help="Actions that lead to the position, such as 3,2,34.")] = "",
    simulations: Annotated[int, typer.Option(help="puct: simulations.", min=1, max=MAX_SIMULATIONS)] = 400,
    search: Annotated[
        str, typer.Option(help="puct, exact_turn, or a run's config file. [default: exact_turn where network and game allow]")
    ] = "auto",
    as_json: AsJson = False,
) -> None:
    """Show what a search thinks of each action of a position, best first."""
    from playmill.cli.arena import read_search
    from playmill.games.registry import get_game

    rules = get_game(game)
    evaluator, settings = _thinker(rules, model, read_search(search, rules), simulations)
    state = _position(rules, require_seed(seed), actions)
    seen = _look(state, evaluator, settings)
    rows = _rows(state, seen)
    if as_json:
        view = {"game": rules.name, "model": model, "position": state.line, "ply": state.ply, "to_move": state.to_move}
        print_json({**view, "search": settings.kind, "value": float(seen.own_value[0]), "actions": [vars(r) for r in rows]})
    else:
        _show(state, model, settings, float(seen.own_value[0]), rows)


@dataclass(frozen=True)
class Row:
    """One action; None where nothing is known."""

    action: int
    text: str
    prior: float | None
    visits: int | None
    value: float | None
    policy: float
    oracle: float | None
    regret: float | None


def _position(game: Game, seed: int, actions: str) -> State:
    """The state after the actions; refused if nobody can move there."""
    state = game.new(seed)
    for action in _parse_actions(actions):
        state = state.apply(action)
    if state.is_over:
        raise UsageError(f"{game.name}: there is nothing to explore, the game is over in '{state.line}'")
    return state


def _parse_actions(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")] if text.strip() else []
    except ValueError:
        raise UsageError(f"--actions: expected numbers such as 3,2,34, got '{text}'") from None


def _thinker(
    game: Game, model: Path | None, kind: str | SearchSettings, simulations: int
) -> tuple[NetEvaluator, SearchSettings]:
    """The evaluator and the search; without a model nothing but the rules is known."""
    from playmill.arena.entrants import choose_search, read_checkpoint

    evaluator: NetEvaluator
    if model is None:
        from playmill.nets.net_evaluator import NetShape
        from playmill.nets.tables import UniformEvaluator

        evaluator = UniformEvaluator(NetShape.of_game(game, ("win", "togo_own", "togo_opp")))
        kind = "puct" if kind == "auto" else kind
    else:
        checkpoint = read_checkpoint(model, game)
        from playmill.nets.evaluators import open_evaluator

        evaluator = open_evaluator(checkpoint, game=game)
    settings = choose_search(kind, simulations, game, evaluator.heads)
    if settings is None:
        raise UsageError("--search: expected puct or exact_turn, got 'policy'; the priors of puct are the bare policy")
    return evaluator, settings


def _look(state: State, evaluator: NetEvaluator, settings: SearchSettings) -> Decisions:
    """One search of the position, with chance of the search's own."""
    import numpy as np

    from playmill.core.seeds import SEARCH, mix
    from playmill.search.decisions import finish
    from playmill.search.make import make_searcher

    searcher = make_searcher(state.game, settings, evaluator, 1)
    records = state.game.records(1)
    records[0] = state.record
    stream = np.array([mix(mix(state.seed, SEARCH), state.ply)], np.uint64)
    return finish(searcher.search(np.zeros(1, np.int64), records, stream, False))


def _rows(state: State, seen: Decisions) -> list[Row]:
    """The actions, best first: by policy, then by value."""
    import numpy as np

    oracle = _oracle_values(state)
    is_puct = bool(seen.visits[0].any())
    rows = []
    for j in range(int(seen.count[0])):
        action, value = int(seen.actions[0, j]), float(seen.values[0, j])
        truth = None if oracle is None else float(oracle[action])
        rows.append(
            Row(
                action=action,
                text=state.action_text(action),
                prior=float(seen.priors[0, j]) if is_puct else None,
                visits=int(seen.visits[0, j]) if is_puct else None,
                value=None if np.isnan(value) else value,
                policy=float(seen.policy[0, j]),
                oracle=truth,
                regret=None if truth is None or oracle is None else float(np.nanmax(oracle)) - truth,
            )
        )
    return sorted(rows, key=lambda row: (-row.policy, -(row.value if row.value is not None else -np.inf), row.action))


def _oracle_values(state: State) -> Any:
    """Points to come by action on the mover's own board, or None where nobody has solved the game."""
    if state.game.name != "yatzy":
        return None
    from playmill.games.yatzy.oracle import Oracle

    record, mover = state.record, state.to_move
    dice = [int(die) for die in record.dice]
    return Oracle.load().action_values(int(record.avail[mover]), int(record.upper[mover]), dice, int(record.rerolls))


def _show(state: State, model: Path | None, settings: SearchSettings, value: float, rows: list[Row]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("action", justify="right", style="dim")
    table.add_column("what")
    columns = _columns(rows)
    for name in columns:
        table.add_column(name, justify="right")
    for row in rows:
        # Green is the truth where it is known, and the search's own choice where it is not.
        is_best = row.regret <= NO_REGRET_POINTS if row.regret is not None else row is rows[0]
        cells = [_cell(getattr(row, name), form) for name, form in columns.items()]
        table.add_row(str(row.action), row.text, *cells, style="bold green" if is_best else "")
    console = table_console()
    console.print(f"[bold]{state.game.name}[/bold] ply {state.ply}, player {state.to_move} to move", end="\n\n")
    console.print(str(state), markup=False, soft_wrap=True)
    if model is None:
        console.print(f"\n[yellow]no model: {NO_MODEL}[/yellow]", soft_wrap=True)
    console.print(f"\n[dim]{settings.kind}: the position is worth {value:.4f} to the mover[/dim]\n")
    print_table(table, console)


def _columns(rows: list[Row]) -> dict[str, str]:
    """Those that have anything to say, with the form of their numbers."""
    forms = {"prior": ".1%", "visits": "d", "value": ".4f", "policy": ".1%", "oracle": ".4f", "regret": ".4f"}
    return {name: form for name, form in forms.items() if any(getattr(row, name) is not None for row in rows)}


def _cell(value: float | None, form: str) -> str:
    return "" if value is None else f"{value:{form}}"
