"""`playmill simulate`: play games out and describe them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, GameName, Seed, Workers
from playmill.cli.output import print_json
from playmill.core.errors import UsageError, require_positive, require_seed
from playmill.core.executor import count_threads

if TYPE_CHECKING:
    from playmill.cli.progress import TellsProgress
    from playmill.games.game import Game
    from playmill.sim import Lengths, PlayoutBatch, Simulator, TranspositionSet

DEFAULT_PLAYOUTS = 10_000
PERCENTILES = (5, 25, 50, 75, 95)
INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    app.command()(simulate)


def simulate(
    game: GameName,
    playouts: Annotated[int | None, typer.Option(help="How many, at most. [default: 10000; 1 with --trace]")] = None,
    policy: Annotated[
        str, typer.Option(help="uniform_random, first_legal, all_legal, or your own as module:function.")
    ] = "uniform_random",
    workers: Workers = None,
    seed: Seed = 0,
    max_events: Annotated[int | None, typer.Option(help="Cut a playout after so many actions.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Cut a playout after so many seconds.")] = None,
    until_sd: Annotated[float | None, typer.Option(help="Stop when the lengths' standard deviation is at most X.")] = None,
    until_variance: Annotated[float | None, typer.Option(help="Stop when the lengths' variance is at most X.")] = None,
    until_percentiles: Annotated[
        str | None, typer.Option(help="HIGH,LOW,GAP: stop when the two percentiles are at most GAP apart.", metavar="H,L,GAP")
    ] = None,
    wave: Annotated[int, typer.Option(help="With --until-...: look after every so many playouts.")] = 256,
    transpositions: Annotated[bool, typer.Option("--transpositions", help="Count how often states are met again.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every state of every playout.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play games out under a policy and describe them: lengths, results, speed."""
    from playmill.games.registry import get_game
    from playmill.sim import PlayoutOptions, Simulator, TranspositionSet, get_policy

    job = PlayoutJob(
        Simulator(get_policy(policy), PlayoutOptions(max_events, time_limit, capture_trace=trace)),
        get_game(game),
        require_positive("count", playouts if playouts is not None else 1 if trace else DEFAULT_PLAYOUTS),
        count_threads(workers),
        require_seed(seed),
        _stop_rule(until_sd, until_variance, until_percentiles),
        require_positive("wave", wave),
        TranspositionSet() if transpositions else None,
    )
    batch, seconds = job.run()
    facts = describe(batch, job.rules, policy, seed, job.threads, seconds)
    if trace:
        facts["traces"] = [_trace(result) for result in batch]
    print_json(facts) if as_json else _show_text(facts)
    if batch.partial:
        raise typer.Exit(INTERRUPTED)


@dataclass(frozen=True)
class PlayoutJob:
    """Playouts that somebody asked for."""

    simulator: Simulator
    rules: Game
    count: int  # at most
    threads: int
    seed: int
    stop: Callable[[Lengths], bool] | None
    wave: int  # playouts between two looks at `stop`
    seen: TranspositionSet | None

    def run(self) -> tuple[PlayoutBatch, float]:
        """The playouts, and the seconds that they took."""
        from playmill.cli.progress import progress_bar

        self._compile()
        began = time.perf_counter()
        with progress_bar(f"{self.rules.name} playouts", self.count) as progress:
            batch = self._play(progress)
        return batch, time.perf_counter() - began

    def _compile(self) -> None:
        """Load or compile the kernels before the clock starts; the playout itself leaves no trace."""
        from playmill.sim.batch import Rows

        Rows(self.rules, self.count)  # so many that they don't fit are refused at once
        if self.simulator.runs_compiled and self.simulator.playout_many(self.rules, 1).partial:
            raise KeyboardInterrupt

    def _play(self, progress: TellsProgress | None) -> PlayoutBatch:
        rules, count, threads, seed = self.rules, self.count, self.threads, self.seed
        if self.stop is None:
            return self.simulator.playout_many(rules, count, threads, seed, progress=progress, seen=self.seen)
        return self.simulator.playout_many_until(
            rules, count, self.stop, threads, self.wave, seed, progress=progress, seen=self.seen
        )


def _stop_rule(
    until_sd: float | None, until_variance: float | None, until_percentiles: str | None
) -> Callable[[Lengths], bool] | None:
    """The condition under which to stop early: all that were given must hold."""
    rules: list[Callable[[Lengths], bool]] = []
    if until_sd is not None:
        sd = _limit("--until-sd", until_sd)
        rules.append(lambda lengths: lengths.standard_deviation <= sd)
    if until_variance is not None:
        variance = _limit("--until-variance", until_variance)
        rules.append(lambda lengths: lengths.variance <= variance)
    if until_percentiles is not None:
        high, low, gap = _percentile_rule(until_percentiles)
        rules.append(lambda lengths: lengths.percentile(high) - lengths.percentile(low) <= gap)
    return (lambda lengths: all(rule(lengths) for rule in rules)) if rules else None


def _limit(option: str, value: float) -> float:
    if not value >= 0:
        raise UsageError(f"{option}: expected a number of at least 0, got {value}")
    return value


def _percentile_rule(text: str) -> tuple[float, float, float]:
    try:
        high, low, gap = (float(part) for part in text.split(","))
    except ValueError:
        high, low, gap = 0.0, 1.0, -1.0
    if not (100 >= high >= low >= 0 and gap >= 0):
        raise UsageError(f"--until-percentiles: expected HIGH,LOW,GAP such as 95,50,2, got '{text}'")
    return high, low, gap


def describe(batch: PlayoutBatch, rules: Game, policy: str, seed: int, workers: int, seconds: float) -> dict[str, Any]:
    """Everything that `--json` prints, field by field in `docs/formats.md`."""
    import numpy as np

    finished = batch.returns[~np.isnan(batch.returns).any(axis=1)]
    facts: dict[str, Any] = {
        "game": rules.name,
        "policy": policy,
        "seed": seed,
        "workers": workers,
        "count": batch.count,
        "partial": batch.partial,
        "progressed": batch.progressed,
        "total_applied": batch.total_applied,
        "min_applied": batch.min_applied,
        "max_applied": batch.max_applied,
        "mean_applied": batch.mean_applied if batch.count else None,
        "variance": batch.variance if batch.count else None,
        "standard_deviation": batch.standard_deviation if batch.count else None,
        "percentiles": {str(p): batch.percentile(p) for p in PERCENTILES} if batch.count else {},
        "histogram": batch.histogram.tolist(),
        "rejected": int(batch.rejected.sum()),
        "reasons": {reason.name: count for reason, count in batch.reasons.items()},
        "finished": len(finished),
        "mean_returns": finished.mean(axis=0).tolist() if len(finished) else None,
        "wins": _wins(finished),
        "digest": batch.digest(),
        "seconds": seconds,
        "playouts_per_s": batch.count / seconds,
    }
    if batch.transposition_hit_rate is not None:
        facts["transposition_hit_rate"] = batch.transposition_hit_rate
    return facts


def _wins(returns: Any) -> dict[str, int]:
    """How many finished games each player won alone, and how many had no single winner."""
    best = returns == returns.max(axis=1, keepdims=True) if len(returns) else returns.astype(bool)
    alone = best.sum(axis=1) == 1
    wins = {str(player): int((best[:, player] & alone).sum()) for player in range(returns.shape[1])}
    return {**wins, "shared": int((~alone).sum())}


def _trace(result: Any) -> list[dict[str, Any]]:
    """The states of one playout, each with the action that left it."""
    actions = [*result.actions, None]
    return [
        {"ply": s.ply, "state": s.line, "board": str(s), "action": a, "text": None if a is None else s.action_text(a)}
        for s, a in zip(result.trace, actions, strict=True)
    ]


def _show_text(facts: dict[str, Any]) -> None:
    from playmill.cli.simulate_text import show

    show(facts)
