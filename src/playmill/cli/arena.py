"""`playmill gate`, `seed-set`: whether a candidate is better, and the seeds that are played for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.configured import GameOrConfig, is_config, refuse_given, refuse_other_size, refuse_overrides
from playmill.cli.executor import ExecutorName, RayAddress, executing
from playmill.cli.infer import Infer, InferKey, infer_opener
from playmill.cli.options import AsJson, Force, Overrides, Seed, Workers
from playmill.cli.output import print_json
from playmill.core.errors import UsageError, require_seed
from playmill.core.executor import count_workers

if TYPE_CHECKING:
    from playmill.arena.gate_report import GateReport
    from playmill.arena.gate_settings import GateSettings
    from playmill.games.game import Game
    from playmill.packs.pack import Pack
    from playmill.pipeline.settings import RunSettings
    from playmill.search.settings import SearchSettings
    from playmill.serve.opening import RemoteOpener

MAX_SIMULATIONS = 10**6  # as `search.puct.budget` has it

Search = Annotated[
    str, typer.Option(help="What models think with: auto, puct, gumbel, one_ply, exact_turn, policy, or a run's config file.")
]
OwnSearch = Annotated[str | None, typer.Option(help="What this one thinks with, named likewise. [default: --search]")]
Simulations = Annotated[int, typer.Option(help="puct: simulations a decision.", min=1, max=MAX_SIMULATIONS)]
Device = Annotated[str, typer.Option(help="Where networks run: cpu or cuda.")]


def register(app: typer.Typer) -> None:
    app.command()(gate)
    app.command("seed-set")(seed_set)


# ------------------------------------------------------------------ the gate

# What a file of settings says in place of an option.
GATE_KEYS = {
    **{name: f"gate.{name}" for name in ("games", "threshold", "sequential", "luck_reduced", "guardrail_points", "seed_set")},
    "opening_plies": "gate.opening_plies",
    "temperature": "gate.temperature",
    "unpaired": "gate.paired",
    "search": "search.kind",
    "simulations": "search.puct.budget",
    "device": "device",
}


def gate(
    context: typer.Context,
    game: GameOrConfig,
    best: Annotated[str, typer.Option(help="The bot to beat: a checkpoint, random, or oracle (yatzy).")],
    candidate: Annotated[str, typer.Option(help="The bot that wants its place; named likewise.")],
    best_backend: Annotated[str, typer.Option(help="What runs the best's network: auto, ort_int8, ort, torch, ...")] = "auto",
    candidate_backend: Annotated[str, typer.Option(help="What runs the candidate's; the two may be one checkpoint.")] = "auto",
    best_search: OwnSearch = None,
    candidate_search: OwnSearch = None,
    games: Annotated[int, typer.Option(help="Games, half of them in each seat.")] = 400,
    seed: Seed = 0,
    workers: Workers = None,
    threshold: Annotated[float, typer.Option(help="The win rate, draws half, that promotes.")] = 0.55,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="A seed for each game, not for two with seats exchanged.")
    ] = False,
    sequential: Annotated[bool, typer.Option("--sequential", help="Stop as soon as a sequential test knows.")] = False,
    luck_reduced: Annotated[bool, typer.Option("--luck-reduced", help="Yatzy: judge by the win rate without luck.")] = False,
    guardrail_points: Annotated[
        float | None, typer.Option(help="Yatzy: the most that the candidate's boards may be worse by.")
    ] = None,
    seed_set: Annotated[Path | None, typer.Option(help="Play on the seeds in this file (`playmill seed-set`).")] = None,
    opening_plies: Annotated[
        int | None, typer.Option(help="Random first moves. [default: 2 to 4 in games without chance]")
    ] = None,
    temperature: Annotated[float, typer.Option(help="How freely moves are drawn; 0 plays the best one.", min=0)] = 0.0,
    search: Search = "auto",
    simulations: Simulations = 48,
    device: Device = "cpu",
    executor: ExecutorName = None,
    ray_address: RayAddress = None,
    infer: Infer = None,
    infer_key: InferKey = None,
    out: Annotated[Path | None, typer.Option(help="Write the report to this file, too.")] = None,
    overrides: Overrides = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Play a candidate against the best, and say whether it is promoted."""
    from playmill.arena.gate_report import write_report
    from playmill.cli.arena_text import show_gate
    from playmill.core.files import claim_output

    if is_config(game):
        from playmill.pipeline.checks import check_run  # needs torch, which a gate of other bots does not

        refuse_given(context, GATE_KEYS)
        run, _, rules = check_run(Path(game), overrides or [])
        _refuse_other_sizes({"--candidate": candidate, "--best": best}, rules, run)
        name, settings, device, workers = run.game, run.gate, run.device, workers or run.workers
        best_backend, candidate_backend = _backend(best, best_backend, run), _backend(candidate, candidate_backend, run)
    else:
        refuse_overrides(overrides)
        name = game
        settings = _gate_settings(
            games=games, paired=not unpaired, threshold=threshold, sequential=sequential, luck_reduced=luck_reduced,
            guardrail_points=guardrail_points, seed_set=None if seed_set is None else str(seed_set),
            opening_plies=opening_plies, temperature=temperature,
        )  # fmt: skip
    if out is not None:
        claim_output(out, force, _files(candidate, best, settings.seed_set))
    thinking, opener = run.search if is_config(game) else search, infer_opener(infer, infer_key)
    entrants = (candidate, candidate_backend, candidate_search or thinking), (best, best_backend, best_search or thinking)
    if is_config(game):
        executor, ray_address = executor or run.executor, ray_address or run.ray_address
    with executing(executor, ray_address, workers):
        report = _play_gate(name, entrants, simulations, device, settings, seed, count_workers(workers), opener)
    typer.echo(report.json(), nl=False) if as_json else show_gate(report)
    if out is not None:  # after it was shown: a full disk must not take a long match along
        write_report(out, report)


def _refuse_other_sizes(bots: Mapping[str, str], rules: Game, run: RunSettings) -> None:
    """Refuse networks that the run's settings do not describe, by the options that name them."""
    from playmill.arena.entrants import read_checkpoint
    from playmill.nets.pretrained import is_checkpoint

    for option, bot in bots.items():
        if is_checkpoint(bot):
            refuse_other_size(option, read_checkpoint(Path(bot), rules), run)


def _backend(bot: str, own: str, run: RunSettings) -> str:
    """What runs a bot's network: as asked for, else as the run's settings say; only a checkpoint has one."""
    from playmill.nets.pretrained import is_checkpoint

    return run.backend if own == "auto" and is_checkpoint(bot) else own


def _files(*names: str | Path | None) -> list[Path]:
    from playmill.nets.pretrained import model_path

    return [model_path(name) for name in names if name is not None]


def _gate_settings(**fields: Any) -> GateSettings:
    from playmill.arena.gate_settings import GateSettings
    from playmill.core.documents import fit

    return fit(GateSettings, "gate", fields)


def _play_gate(
    game: str,
    entrants: Sequence[tuple[str, str, str | SearchSettings]],
    simulations: int,
    device: str,
    settings: GateSettings,
    seed: int,
    threads: int,
    opener: RemoteOpener | None = None,
) -> GateReport:
    """The gate between the candidate and the best, each with its backend and its search."""
    from playmill.arena.entrants import check_bot, find_bot
    from playmill.arena.gate import gate_seeds, run_gate
    from playmill.arena.standing import count_games
    from playmill.cli.progress import progress_bar
    from playmill.packs.registry import find_game, find_pack

    rules, seeds = find_game(game), gate_seeds(settings, require_seed(seed))
    searches = [read_search(search, rules) for _, _, search in entrants]
    pack = find_pack(rules.name)
    for name, *_ in entrants:
        check_bot(name, rules, pack.bots)
    prepare(pack, threads)
    candidate, best = (
        find_bot(name, rules, search, simulations, pack.bots, backend, device, threads, settings.temperature, opener)
        for (name, backend, _), search in zip(entrants, searches, strict=True)
    )
    with progress_bar(f"{rules.name} games", settings.games) as progress:
        appraiser = pack.appraiser(threads) if pack.appraiser else None
        return run_gate(rules, candidate, best, settings, seeds, threads, appraiser, count_games(progress))


def read_search(text: str | SearchSettings, rules: Game) -> str | SearchSettings:
    """The search of a run's configuration where `text` is such a file, which must be of the same game; else its name."""
    if not isinstance(text, str) or not is_config(text):
        return text
    from playmill.pipeline.settings import load_settings

    settings = load_settings(Path(text))[0]
    if settings.game != rules.name:
        raise UsageError(f"--search: expected a run's file for {rules.name}, got {text}, which is for {settings.game}")
    return settings.search


def prepare(pack: Pack, threads: int) -> None:
    """Do what the pack's bots and measures need done once."""
    from playmill.cli.progress import progress_bar

    if (work := pack.preparation) is not None:
        with progress_bar(work.words, work.total) as progress:
            work.run(threads, progress)


# ------------------------------------------------------------------ seeds


def seed_set(
    out: Annotated[Path, typer.Argument(help="The file to write.", metavar="FILE")],
    count: Annotated[int, typer.Option(help="How many seeds; a gate needs one for two games.")] = 500,
    seed: Annotated[int, typer.Option(help="Same seed, same set.")] = 0,
    name: Annotated[str | None, typer.Option(help="What reports call it. [default: the file's name]")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a set of seeds, so that gates can be played on the same episodes."""
    from playmill.arena.seeds import derive_seeds, save_seeds
    from playmill.core.files import claim_output

    claim_output(out, force)
    made = derive_seeds(count, seed, name or out.stem)
    save_seeds(out, made)
    if as_json:
        print_json({"path": out, "name": made.name, "seeds": len(made.seeds), "seeds_hash": made.seeds_hash})
    else:
        typer.echo(f"{len(made.seeds)} seeds '{made.name}' ({made.seeds_hash[:16]}) in {out}")
