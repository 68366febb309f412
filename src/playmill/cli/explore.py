"""`playmill explore`: one position through the eyes of a search, beside the solved game where there is one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.arena import MAX_SIMULATIONS
from playmill.cli.infer import Infer, InferKey, infer_settings
from playmill.cli.options import AsJson, GameName
from playmill.cli.output import print_json, print_table, table_console
from playmill.core.errors import UsageError, require_seed

if TYPE_CHECKING:
    from rich.table import Table

    from playmill.core.evaluation import Evaluator
    from playmill.games.game import Game
    from playmill.games.state import State
    from playmill.packs.judged import JudgedAction
    from playmill.search.position import SearchResult

NO_MODEL = "the search knows the rules alone; every action is as likely and every position even (--model FILE)"


def register(app: typer.Typer) -> None:
    app.command()(explore)


def explore(
    game: GameName,
    model: Annotated[
        Path | None,
        typer.Option(help="A checkpoint; with --infer also a name there. [default: every action alike, every position even]"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which episode; also what the search imagines.", min=0)] = 0,
    position: Annotated[
        str | None, typer.Option(help="The position as text, where the game reads it. [default: the episode's first]")
    ] = None,
    actions: Annotated[str, typer.Option(help="Actions that lead on from it, such as 3,2,34 or e2e4,e7e5.")] = "",
    simulations: Annotated[int, typer.Option(help="puct: simulations.", min=1, max=MAX_SIMULATIONS)] = 400,
    search: Annotated[
        str,
        typer.Option(
            help="puct, gumbel, one_ply, exact_turn, or a run's config file. [default: exact_turn where game and network allow]"
        ),
    ] = "auto",
    infer: Infer = None,
    infer_key: InferKey = None,
    as_json: AsJson = False,
) -> None:
    """Show what a search thinks of each action of a position, best first."""
    from playmill import api
    from playmill.cli.arena import read_search
    from playmill.packs.judged import judge_actions
    from playmill.packs.registry import find_game

    rules = find_game(game)
    state = _position(rules, require_seed(seed), position, actions)
    found = api.search(state, _network(rules, model, infer, infer_key), simulations, kind=read_search(search, rules))
    rows = judge_actions(found)
    if as_json:
        view = {"game": rules.name, "model": model, "position": state.line, "ply": state.ply, "to_move": state.to_move}
        print_json({**view, "search": found.kind, "value": found.value, "actions": [vars(r) for r in rows]})
    else:
        _show(found, model, rows)


def _network(game: Game, model: Path | None, infer: str | None, key: Path | None) -> Path | Evaluator | None:
    """What answers for the position: the file itself, or the servers that have its network, or one of its name."""
    settings = infer_settings(infer, key)
    if settings is None:
        return model
    if model is None:
        raise UsageError("--infer: name the network, --model FILE.pt or as the server calls it")
    from playmill import api
    from playmill.arena.entrants import read_checkpoint
    from playmill.nets.pretrained import is_checkpoint
    from playmill.serve.endpoint import Wanted
    from playmill.serve.opening import RemoteOpener
    from playmill.serve.remote import open_remote

    if is_checkpoint(model):
        return RemoteOpener(settings)(read_checkpoint(model, game), "auto", "cpu", game=game, rows=1)
    return open_remote(settings, Wanted(name=str(model), game=game.name), api.uniform_evaluator(game).shape)


def _position(game: Game, seed: int, text: str | None, actions: str) -> State:
    """The state that the text means, by default the first one, after the actions; refused if nobody can move there."""
    state = game.new(seed) if text is None else game.state_meant(text, seed)
    for word in actions.split(",") if actions.strip() else []:
        state = state.apply(_read_action(state, word.strip()))
    if state.is_over:
        raise UsageError(f"{game.name}: there is nothing to explore, the game is over in '{state.line}'")
    return state


def _read_action(state: State, word: str) -> int:
    """The action that a word is the number of, or else the name."""
    is_number = word.isascii() and word.isdecimal()
    return int(word) if is_number else state.read_action(word)


def search_table(rows: list[JudgedAction], is_short: bool = False) -> Table:
    """The actions with all that is known of them; a short one leaves out their numbers and priors."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    if not is_short:
        table.add_column("action", justify="right", style="dim")
    table.add_column("what")
    columns = {name: form for name, form in _columns(rows).items() if not is_short or name != "prior"}
    for name in columns:
        table.add_column(name, justify="right")
    for row in rows:
        # Green is the truth where it is known, and the search's own choice where it is not.
        is_best = row.is_best if row.is_best is not None else row is rows[0]
        cells = [_cell(getattr(row, name), form) for name, form in columns.items()]
        table.add_row(*([] if is_short else [str(row.action)]), row.text, *cells, style="bold green" if is_best else "")
    return table


def _show(found: SearchResult, model: Path | None, rows: list[JudgedAction]) -> None:
    state, console = found.state, table_console()
    console.print(f"[bold]{state.game.name}[/bold] ply {state.ply}, player {state.to_move} to move", end="\n\n")
    console.print(str(state), markup=False, soft_wrap=True)
    if model is None:
        console.print(f"\n[yellow]no model: {NO_MODEL}[/yellow]", soft_wrap=True)
    console.print(f"\n[dim]{found.kind}: the position is worth {found.value:.4f} to the mover[/dim]\n")
    print_table(search_table(rows), console)


def _columns(rows: list[JudgedAction]) -> dict[str, str]:
    """Those that have anything to say, with the form of their numbers."""
    forms = {"prior": ".1%", "visits": "d", "value": ".4f", "policy": ".1%", "oracle": ".4f", "regret": ".4f"}
    return {name: form for name, form in forms.items() if any(getattr(row, name) is not None for row in rows)}


def _cell(value: float | None, form: str) -> str:
    return "" if value is None else f"{value:{form}}"
