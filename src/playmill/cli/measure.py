"""`playmill measure`, `oracle-eval`: how good bots are, by the measures that their game's pack brings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from playmill.cli.arena import Device, Search, Simulations, prepare, read_search
from playmill.cli.executor import ExecutorName, RayAddress, executing
from playmill.cli.infer import Infer, InferKey, infer_opener
from playmill.cli.options import AsJson, GameName, Seed, Workers
from playmill.cli.output import print_json
from playmill.core.errors import UsageError, require_positive, require_seed
from playmill.core.executor import count_threads, count_workers

if TYPE_CHECKING:
    from playmill.arena.measure import Measure
    from playmill.arena.standing import Progress
    from playmill.games.game import Game
    from playmill.packs.pack import Pack
    from playmill.play.player import MakePlayer
    from playmill.serve.opening import RemoteOpener

Found = TypeVar("Found")
Models = Annotated[
    list[str] | None, typer.Option(help="A checkpoint, random or a bot of the game's; may be given more than once.")
]
Backend = Annotated[str, typer.Option(help="What runs the networks: auto, ort_int8, ort, torch, torch_bf16.")]


def register(app: typer.Typer) -> None:
    app.command()(measure)
    app.command("oracle-eval")(oracle_eval)


def measure(
    game: GameName,
    model: Models = None,
    name: Annotated[str | None, typer.Option("--measure", help="Which of the game's measures. [default: all]")] = None,
    games: Annotated[int, typer.Option(help="Games of each bot, for each measure.")] = 200,
    seed: Seed = 0,
    workers: Workers = None,
    search: Search = "auto",
    simulations: Simulations = 48,
    backend: Backend = "auto",
    device: Device = "cpu",
    executor: ExecutorName = None,
    ray_address: RayAddress = None,
    infer: Infer = None,
    infer_key: InferKey = None,
    as_json: AsJson = False,
) -> None:
    """Measure bots in the ways that the game brings; without a model, a random bot and those it compares with."""
    from playmill.cli.measure_text import show_measure
    from playmill.packs.registry import find_game, find_pack

    rules = find_game(game)
    require_positive("games", games), require_seed(seed)
    pack = find_pack(rules.name)
    chosen = _measures(rules, pack, name, games)
    names = list(dict.fromkeys(model or [*(row.baseline for row in chosen if row.baseline), "random"]))
    found = {}
    with executing(executor, ray_address, workers):
        threads = count_workers(workers)
        bots = _open_bots(rules, pack, names, search, simulations, backend, device, threads, infer_opener(infer, infer_key))
        for row in chosen:
            fields = _heard(rules, games * len(bots), functools.partial(row.run, rules, bots, games, seed, threads))
            found[row.name] = dict(zip(names, fields, strict=True))
    if as_json:
        print_json({"game": rules.name, "games": games, "seed": seed, "results": found})
    else:
        for row in chosen:
            show_measure(row, games, found[row.name])


def _measures(game: Game, pack: Pack, name: str | None, games: int) -> Sequence[Measure]:
    """The measures that are asked for, of which there must be one."""
    from playmill.pipeline.measures import chosen_measures
    from playmill.pipeline.settings import MeasureSettings

    if not pack.measures:
        raise UsageError(f"{game.name}: its pack brings no measure; docs/howto/add_a_game.md shows how one is added")
    return chosen_measures(pack, MeasureSettings(name=name, games=games))


def _open_bots(
    game: Game,
    pack: Pack,
    names: Sequence[str],
    search: str,
    simulations: int,
    backend: str,
    device: str,
    threads: int,
    opener: RemoteOpener | None,
) -> list[MakePlayer]:
    """The bots of these names, once all are known and what the pack needs done is done."""
    from playmill.arena.entrants import check_bot, find_bot

    thinking = read_search(search, game)
    for name in names:
        check_bot(name, game, pack.bots)
    prepare(pack, threads)
    return [find_bot(name, game, thinking, simulations, pack.bots, backend, device, threads, opener=opener) for name in names]


def _heard(game: Game, games: int, play: Callable[[Progress | None], Found]) -> Found:
    """What `play` finds, with a bar of its games."""
    from playmill.arena.standing import count_games
    from playmill.cli.progress import progress_bar

    with progress_bar(f"{game.name} games", games) as progress:
        return play(count_games(progress))


# ------------------------------------------------------------------ Yatzy's own, in full


def oracle_eval(
    model: Models = None,
    games: Annotated[int, typer.Option(help="Games of each bot against the oracle, two for each seed.")] = 1000,
    seed: Seed = 0,
    workers: Workers = None,
    search: Search = "auto",
    simulations: Simulations = 48,
    backend: Backend = "auto",
    device: Device = "cpu",
    executor: ExecutorName = None,
    ray_address: RayAddress = None,
    infer: Infer = None,
    infer_key: InferKey = None,
    as_json: AsJson = False,
) -> None:
    """Measure Yatzy bots against the solved game, with luck removed; without a model, the oracle and a random bot."""
    from playmill.cli.arena_text import show_suite
    from playmill.games.yatzy.rules import YATZY
    from playmill.packs.registry import find_pack
    from playmill.packs.yatzy.oracle_suite import oracle_suite
    from playmill.packs.yatzy.solved import load_oracle

    pack, names = find_pack(YATZY.name), model or ["oracle", "random"]
    require_positive("games", games), require_seed(seed)
    with executing(executor, ray_address, workers):
        threads = count_workers(workers)
        bots = _open_bots(YATZY, pack, names, search, simulations, backend, device, threads, infer_opener(infer, infer_key))
        play = functools.partial(oracle_suite, bots, games, seed, threads, load_oracle(count_threads(None)))
        reports = _heard(YATZY, games * len(bots), play)
    if as_json:
        print_json({"games": games, "bots": [report.fields() for report in reports]})
    else:
        show_suite(reports)
