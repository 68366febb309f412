"""The simulator: one playout, many, or as many as it takes."""

from __future__ import annotations

from collections.abc import Callable

from playmill.core.errors import UsageError, require_positive
from playmill.core.executor import Cancel, Progress
from playmill.games.game import Game
from playmill.games.state import State
from playmill.sim.batch import Origin, PlayoutBatch
from playmill.sim.lengths import Lengths
from playmill.sim.observers import Observer
from playmill.sim.playout import play_out
from playmill.sim.policies import Policy
from playmill.sim.results import PlayoutOptions, PlayoutResult
from playmill.sim.run import BatchRun
from playmill.sim.spans import runs_compiled
from playmill.sim.transpositions import TranspositionSet

PARALLEL_WAVE = 256


class Simulator:
    """Runs a game forward under one policy.

    Two speeds, one meaning: built-in policies run compiled, on as many threads as asked, unless a time limit or a trace
    needs the Python face; any other callable runs through the Python face. Same seed, same results, either way.
    """

    def __init__(self, policy: Policy, options: PlayoutOptions | None = None) -> None:
        if not callable(policy):
            raise UsageError(f"policy: expected a function of a state (see playmill.sim.get_policy), got {policy!r}")
        self.policy = policy
        self.options = options or PlayoutOptions()

    @property
    def runs_compiled(self) -> bool:
        """Whether batches run in kernels."""
        return runs_compiled(self.policy, self.options)

    def playout(self, state: State, observer: Observer | None = None, *, cancel: Cancel | None = None) -> PlayoutResult:
        """Play once from `state`, which stays as it is."""
        _require_unfinished(state)
        return play_out(self.policy, self.options, state, observer, cancel)

    def playout_many(
        self,
        state: State | Game,
        count: int,
        workers: int = 1,
        seed: int = 0,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
        seen: TranspositionSet | None = None,
    ) -> PlayoutBatch:
        """Play `count` times; playout i runs on `state.reseeded(mix(seed, i))`, whatever the number of workers.

        A game instead of a state: playout i is a game of its own from its start, `game.new(mix(seed, i))`. Ctrl-C or
        `cancel` returns what is finished, marked partial. `progress` is told how many are done; `seen` gets all states.
        """
        _require_unfinished(state)
        run = BatchRun(self.policy, self.options, Origin(state, seed), require_positive("count", count), workers, seen)
        run.run_to(count, cancel, progress)
        return run.result()

    def playout_many_until(
        self,
        state: State | Game,
        max_count: int,
        stop: Callable[[Lengths], bool],
        workers: int = 1,
        wave: int | None = None,
        seed: int = 0,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
        seen: TranspositionSet | None = None,
    ) -> PlayoutBatch:
        """Play until `stop(statistics so far)` is true, at most `max_count` times.

        `stop` is asked after each wave of playouts: by default after every single one with one worker, after every 256
        with more. The outcome depends on the wave, never on timing; give `wave` to have the same for any number of workers.
        """
        _require_unfinished(state)
        wave = require_positive("wave", wave if wave is not None else 1 if workers == 1 else PARALLEL_WAVE)
        run = BatchRun(self.policy, self.options, Origin(state, seed), require_positive("max_count", max_count), workers, seen)
        while run.run_to(min(run.reached + wave, max_count), cancel, progress):
            if run.reached == max_count or stop(run.lengths):
                break
        return run.result()


def _require_unfinished(state: State | Game) -> None:
    if isinstance(state, State) and state.is_over:
        raise UsageError(
            f"{state.game.name}: expected an unfinished state to play from, but the game is over in '{state.line}'"
        )
