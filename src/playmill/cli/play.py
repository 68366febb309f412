"""`playmill play`: a game at the terminal, a person against a bot."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.arena import MAX_SIMULATIONS, Search
from playmill.cli.options import Force, GameName
from playmill.cli.prompt import read_line
from playmill.core.errors import UsageError, require_seed

if TYPE_CHECKING:
    from playmill.arena.table import PlayTable
    from playmill.cli.table_talk import Person
    from playmill.games.game import Game
    from playmill.play.player import MakePlayer
    from playmill.replay.saved_game import Opponent, SavedGame

OF_FILE = ("seed", "seat")  # what a saved game says itself


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    context: typer.Context,
    game: GameName,
    against: Annotated[
        str,
        typer.Option(
            help="The bot in the other seats: random, greedy (exchange), oracle (yatzy), a checkpoint or a pretrained player."
        ),
    ] = "random",
    seat: Annotated[int, typer.Option(help="Where you sit, from 0.", min=0)] = 0,
    seed: Annotated[int | None, typer.Option(help="Same seed, same dice. [default: another game each time]", min=0)] = None,
    search: Search = "auto",
    simulations: Annotated[int, typer.Option(help="puct: the bot's simulations.", min=1, max=MAX_SIMULATIONS)] = 400,
    model: Annotated[
        Path | None, typer.Option(help="The checkpoint whose opinion you get. [default: the bot's, else a pretrained player]")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the game in this file. [default: a new one in ./games]")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a kept game, in its file.")] = None,
    force: Force = False,
) -> None:
    """Play a game against a bot, with hints, undo and the engine's opinion; `help` says how, `q` leaves.

    The game is kept after every move.
    """
    from playmill.arena.entrants import read_checkpoint
    from playmill.arena.table import PlayTable
    from playmill.cli.table_commands import Adviser
    from playmill.cli.table_talk import Person
    from playmill.core.files import claim_output
    from playmill.packs.registry import find_game
    from playmill.replay.kept_game import KeptGame
    from playmill.replay.saved_game import Opponent

    rules = find_game(game)
    opponent, script = Opponent(bot=against, search=search, simulations=simulations), list[int]()
    if resume is not None:
        saved = _read(context, resume, rules)
        seed, seat, script = saved.seed, saved.person, list(saved.actions)
        opponent = _changed(context, saved.against, opponent)
    if seat >= rules.players:
        raise UsageError(f"--seat: {rules.name} has seats 0 to {rules.players - 1}, got {seat}")
    episode = secrets.randbits(63) if seed is None else require_seed(seed)
    file = resume if save is None else claim_output(save, force, [path for path in (resume, model) if path is not None])
    make_bot = _bot(rules, opponent)
    if model is not None:
        read_checkpoint(model, rules)  # its opinion may be asked for only after an hour
    bot = make_bot(1).name
    names = tuple("you" if place == seat else bot for place in range(rules.players))
    table = PlayTable(rules, episode, seat, names, opponent, KeptGame(file, rules.name))
    adviser = Adviser(_model(opponent, model, rules), _kind(opponent, rules), opponent.simulations)
    _play(table, Person(table, read_line, adviser), make_bot, script)


def _play(table: PlayTable, person: Person, make_bot: MakePlayer, script: list[int]) -> None:
    """The game to its end, or until the person leaves it. Going back starts it anew, up to where it is decided again."""
    from playmill.arena.table import Left, Rewind, run_table
    from playmill.cli.table import opening_line, say_wrapped
    from playmill.cli.table_talk import Narrator

    going_on = f"; going on after move {len(script)}" if script else ""
    say_wrapped(opening_line(table) + going_on)
    try:
        while True:
            try:
                run_table(table, person, make_bot(1), script, Narrator(table))
                return person.talk_after_the_end()
            except Rewind as wish:
                script = table.take_back(wish.ply)
                say_wrapped(f"taken back: move {wish.ply + 1} is yours again")
    except Left:
        again = f"--resume {table.kept.path} goes on" if table.actions else f"--seed {table.seed} gives the same game"
        say_wrapped(f"left after {len(table.actions)} moves; {table.kept.place}; {again}")
    except KeyboardInterrupt:
        typer.echo(f"\n{table.kept.place}")
        raise
    else:
        typer.echo(table.kept.place)


# ------------------------------------------------------------------ who plays


def _read(context: typer.Context, path: Path, rules: Game) -> SavedGame:
    """The kept game, played again to see that it is one."""
    from playmill.replay.saved_game import read_saved

    for name in OF_FILE:
        if _is_given(context, name):
            raise UsageError(f"--{name}: a kept game has its own; leave it out beside --resume")
    saved = read_saved(path)
    record = saved.record(path, rules)
    if saved.person >= rules.players:
        raise UsageError(f"{path}: person: expected a seat from 0 to {rules.players - 1}, got {saved.person}")
    if record.final.is_over:
        raise UsageError(f"{path}: the game is over, {record.result_text()}; `playmill replay show` shows it")
    return saved


def _changed(context: typer.Context, kept: Opponent, given: Opponent) -> Opponent:
    """The kept game's opponent, but for what the command line says of it."""
    names = {"bot": "against", "search": "search", "simulations": "simulations"}
    changes = {field: getattr(given, field) for field, name in names.items() if _is_given(context, name)}
    return kept.model_copy(update=changes)


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _model(opponent: Opponent, model: Path | None, rules: Game) -> Path | None:
    """Whose opinion it is: the network that was asked for, else the bot's if it has one, else a pretrained player's."""
    from playmill.core.extras import is_installed
    from playmill.nets.pretrained import is_checkpoint, names_for

    if model is not None or is_checkpoint(opponent.bot):
        return model or Path(opponent.bot)
    known = names_for(rules.name) if is_installed("torch") else []
    return Path(known[0]) if known else None


def _kind(opponent: Opponent, rules: Game) -> Any:
    """The search that is asked for its opinion; where the bot has none, the usual one."""
    from playmill.arena.entrants import AUTO, POLICY
    from playmill.cli.arena import read_search

    return AUTO if opponent.search == POLICY else read_search(opponent.search, rules)


def _bot(rules: Game, opponent: Opponent) -> MakePlayer:
    """The bot, and whatever it needs, named as `gate` does."""
    from playmill.arena.entrants import check_bot, find_bot
    from playmill.cli.arena import prepare, read_search
    from playmill.core.executor import count_threads
    from playmill.packs.registry import find_pack

    name, thinking = opponent.bot, read_search(opponent.search, rules)
    bots, threads = find_pack(rules.name).bots, count_threads(None)
    check_bot(name, rules, bots)
    if name in bots:
        prepare(find_pack(rules.name), threads)
    return find_bot(name, rules, thinking, opponent.simulations, bots, workers=threads)
