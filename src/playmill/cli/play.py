"""`playmill play`: a game at the terminal, a person against a bot."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.arena import MAX_SIMULATIONS, Search
from playmill.cli.options import GameName
from playmill.core.errors import UsageError, require_seed

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.play.player import MakePlayer

PERSON, BOT = 0, 1


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    game: GameName,
    against: Annotated[
        str, typer.Option(help="The bot in the other seats: random, oracle (yatzy), or a checkpoint.")
    ] = "random",
    seat: Annotated[int, typer.Option(help="Where you sit, from 0.", min=0)] = 0,
    seed: Annotated[int | None, typer.Option(help="Same seed, same dice. [default: another game each time]", min=0)] = None,
    search: Search = "auto",
    simulations: Annotated[int, typer.Option(help="puct: the bot's simulations.", min=1, max=MAX_SIMULATIONS)] = 400,
) -> None:
    """Play a game against a bot; `q` or the end of input leaves it."""
    import numpy as np

    from playmill.cli.table_talk import Left, Narrator, Person
    from playmill.packs.registry import find_game
    from playmill.play.cohort import Cohort, run_in_turn
    from playmill.play.recorder import Games

    rules = find_game(game)
    if seat >= rules.players:
        raise UsageError(f"--seat: {rules.name} has seats 0 to {rules.players - 1}, got {seat}")
    episode = secrets.randbits(63) if seed is None else require_seed(seed)
    players = [Person(rules, typer.echo, sys.stdin.readline), _bot(rules, against, search, simulations)(1)]
    seats = np.full((1, rules.players), BOT, np.int8)
    seats[0, seat] = PERSON
    games = Games(np.zeros(1, np.int64), np.array([episode], np.uint64), seats)
    narrator = Narrator(rules, players, seat, typer.echo)
    try:
        for _ in run_in_turn([Cohort(rules, players, iter([games]), 1, narrator)]):
            pass
    except Left:
        typer.echo(f"left after {narrator.plies} moves; --seed {episode} gives the same game")


def _bot(rules: Game, name: str, search: str, simulations: int) -> MakePlayer:
    """The bot, and whatever it needs, named as `gate` does."""
    from playmill.arena.entrants import check_bot, find_bot
    from playmill.cli.arena import prepare, read_search
    from playmill.core.executor import count_threads
    from playmill.packs.registry import find_pack

    thinking: Any = read_search(search, rules)
    bots, threads = find_pack(rules.name).bots, count_threads(None)
    check_bot(name, rules, bots)
    if name in bots:
        prepare(find_pack(rules.name), threads)
    return find_bot(name, rules, thinking, simulations, bots, workers=threads)
