"""What keeping the part of a tree that a game went into is worth in self-play."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.bench.nets import YATZY, evaluators_of
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.evaluation import POLICY, EvalBuffer, LocalEvaluator, Shaped
from playmill.games.game import Game
from playmill.games.registry import get_game

if TYPE_CHECKING:
    from playmill.nets.net_evaluator import NetEvaluator

LANES, GAMES = 64, 64
SIMULATIONS = 48
QUANTILES = (0.1, 0.5, 0.9)


class Counting(LocalEvaluator):
    """Another evaluator, whose batches it counts."""

    def __init__(self, evaluator: NetEvaluator) -> None:
        self._evaluator, self.heads, self.batches = evaluator, evaluator.heads, [0]

    def open_buffer(self, shape: Shaped, rows: int) -> EvalBuffer:
        return self._evaluator.open_buffer(shape, rows)

    def submit(self, buffer: EvalBuffer, rows: int, what: str = POLICY) -> bool:
        self.batches.append(rows)
        return self._evaluator.submit(buffer, rows, what)


@benchmark("selfplay.reuse", "x")
def reuse(setup: Setup) -> Measured:
    """Seconds a connect four self-play game takes without reusing trees over those with it."""
    facts: dict[str, Any] = {"lanes": LANES, "games": GAMES, "simulations": SIMULATIONS}
    with evaluators_of(YATZY, ("ort_int8",)) as evaluators:
        facts["yatzy"] = _compare(get_game("yatzy"), evaluators["ort_int8"])
    facts["connect_four"] = _compare(get_game("connect_four"), _board_net())
    return Measured(facts["connect_four"]["ratio"], facts)


def _compare(game: Game, evaluator: NetEvaluator) -> dict[str, Any]:
    """Games with reuse and without; the first ones compile."""
    for is_on in (True, False):
        _play(game, evaluator, is_on, games=2)
    found = {is_on: _play(game, evaluator, is_on, GAMES) for is_on in (True, False)}
    ratio = found[False]["seconds_a_game"] / found[True]["seconds_a_game"]
    return {"ratio": ratio, "with": found[True], "without": found[False]}


def _board_net() -> NetEvaluator:
    """A new board net of connect four."""
    from playmill.nets.checkpoint import make_checkpoint
    from playmill.nets.evaluators import open_evaluator
    from playmill.nets.model import build_net
    from playmill.nets.spec import NetSpec

    game, spec = get_game("connect_four"), NetSpec(kind="conv", channels=32, blocks=2)
    return open_evaluator(make_checkpoint(game, spec, build_net(game, spec)), "ort", game=game)


def _play(game: Game, evaluator: NetEvaluator, is_on: bool, games: int) -> dict[str, Any]:
    """Whole games, and what they took."""
    from playmill.play.cohort import Cohort, run_in_turn
    from playmill.search.settings import PuctSettings, SearchSettings
    from playmill.selfplay.recorder import ShardRecorder
    from playmill.selfplay.settings import SelfPlaySettings
    from playmill.selfplay.shards import Learner, games_of_run

    settings, counting = SelfPlaySettings(), Counting(evaluator)
    search = SearchSettings(puct=PuctSettings(budget=SIMULATIONS, reuse=is_on))
    players = [Learner(game, settings, search, lambda: counting)(LANES)]
    recorder = ShardRecorder(game, players, settings, LANES, lambda _shard, _data: None)
    cohort = Cohort(
        game, players, iter([recorder.open(games_of_run(game, settings, 1, 0, games))]), LANES, recorder, is_strict=False
    )
    began = time.perf_counter()
    for _ in run_in_turn([cohort]):
        pass
    seconds, stats = time.perf_counter() - began, recorder.stats
    return {
        "seconds_a_game": seconds / games,
        "evaluations_a_game": stats["evaluations"] / games,
        "median_batch": float(np.median(counting.batches)),
        "hit_rate": stats["reuse_hits"] / max(stats["reuse_attempts"], 1),
        "reused_visits": reused_quantiles(stats),
    }


def reused_quantiles(stats: dict[str, int]) -> dict[str, int]:
    """Quantiles of the visits that kept trees had, each rounded down to a power of two."""
    sizes = {int(name.removeprefix("reused_from_")): count for name, count in stats.items() if name.startswith("reused_from_")}
    kept = np.repeat(sorted(sizes), [sizes[size] for size in sorted(sizes)])
    return {f"p{round(100 * q)}": int(kept[int(q * (kept.size - 1))]) for q in QUANTILES} if kept.size else {}
