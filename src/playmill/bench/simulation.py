"""How fast games are played out: in kernels on one core, on two threads, and through the Python face."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from playmill.bench.measure import Paced, Side, best_rates
from playmill.bench.registry import Measured, Setup, benchmark


class Playouts:
    """Random games from a game's start; it counts their steps and the processor time they got, too."""

    def __init__(self, name: str, workers: int = 1) -> None:
        from playmill.games.registry import get_game
        from playmill.sim import Simulator, uniform_random

        self._game = get_game(name)
        self._simulator = Simulator(uniform_random)
        self._workers = workers
        self._games = self._steps = 0
        self._wall_s = self._cpu_s = 0.0

    def play(self, count: int) -> int:
        """Play `count` games; return how many that were."""
        wall, cpu = time.perf_counter(), time.process_time()
        batch = self._simulator.playout_many(self._game, count, workers=self._workers)
        self._wall_s += time.perf_counter() - wall
        self._cpu_s += time.process_time() - cpu
        self._games += batch.count
        self._steps += batch.total_applied
        return batch.count

    def play_plies(self, count: int) -> int:
        """Play `count` games; return how many steps they had."""
        before = self._steps
        self.play(count)
        return self._steps - before

    @property
    def mean_steps(self) -> float:
        return self._steps / self._games

    @property
    def cores_used(self) -> float:
        """How many cores the playouts really had; less than their threads where neighbours kept some busy."""
        return self._cpu_s / self._wall_s


@benchmark("sim.tictactoe", "games/s")
def tictactoe(setup: Setup) -> Measured:
    """Random games of tic-tac-toe on one core."""
    return _games("tictactoe", setup)


@benchmark("sim.connect_four", "games/s")
def connect_four(setup: Setup) -> Measured:
    """Random games of connect four on one core, beside OpenSpiel's Python loop and Pgx."""
    return _games("connect_four", setup, ("open_spiel", "pgx", "pgx_auto_reset"))


@benchmark("sim.yatzy", "games/s")
def yatzy(setup: Setup) -> Measured:
    """Random games of two-player Yatzy on one core, beside OpenSpiel's Python loop of connect four."""
    return _games("yatzy", setup, ("open_spiel",))


@benchmark("sim.exchange", "plies/s")
def exchange(setup: Setup) -> Measured:
    """Plies of random EXCHANGE games on one core, beside those of OpenSpiel's Python loop of chess."""
    return _plies("exchange", setup, ("open_spiel_chess",))


@benchmark("sim.go9", "plies/s")
def go9(setup: Setup) -> Measured:
    """Plies of random Go games on 9x9 on one core, beside those of OpenSpiel's Python loop."""
    return _plies("go9", setup, ("open_spiel_go9",))


@benchmark("sim.connect_four.threads", "x")
def connect_four_threads(setup: Setup) -> Measured:
    """How many times faster connect four is on two threads than on one."""
    return _two_threads("connect_four", setup)


@benchmark("sim.yatzy.threads", "x")
def yatzy_threads(setup: Setup) -> Measured:
    """How many times faster Yatzy is on two threads than on one."""
    return _two_threads("yatzy", setup)


@benchmark("sim.python_face", "steps/s")
def python_face(setup: Setup) -> Measured:
    """Steps of random connect-four games through the immutable State."""
    return Measured(best_rates({"ours": Paced(_walk)}, setup.seconds)["ours"])


def _games(name: str, setup: Setup, peers: Sequence[str] = ()) -> Measured:
    playouts = Playouts(name)
    rate, against = _beside(Paced(playouts.play), setup, peers)
    facts = {"mean_steps": playouts.mean_steps, "steps_per_s": rate * playouts.mean_steps}
    return Measured(rate, facts, against)


def _plies(name: str, setup: Setup, peers: Sequence[str]) -> Measured:
    playouts = Playouts(name)
    rate, against = _beside(Paced(playouts.play_plies), setup, peers)
    return Measured(rate, {"mean_steps": playouts.mean_steps, "games_per_s": rate / playouts.mean_steps}, against)


def _beside(ours: Side, setup: Setup, peers: Sequence[str]) -> tuple[float, dict[str, dict[str, object]]]:
    """Our rate and, for each peer that is installed, its own with our multiple of it, all measured in turns."""
    children = setup.peers.start(peers)
    rates = best_rates({"ours": ours, **children}, setup.seconds)
    rate = rates["ours"]
    return rate, {name: {"rate": rates[name], "ratio": rate / rates[name], **child.about} for name, child in children.items()}


def _two_threads(name: str, setup: Setup) -> Measured:
    one, two = Playouts(name), Playouts(name, workers=2)
    rates = best_rates({"one": Paced(one.play), "two": Paced(two.play)}, setup.seconds)
    facts = {
        "one_thread_games_per_s": rates["one"],
        "two_threads_games_per_s": rates["two"],
        "one_thread_cores_used": one.cores_used,
        "two_threads_cores_used": two.cores_used,
    }
    return Measured(rates["two"] / rates["one"], facts)


def _walk(games: int) -> int:
    """Play `games` games step by step; return how many steps that took."""
    from playmill.games.connect_four import CONNECT_FOUR

    draw = random.Random(0)
    steps = 0
    for seed in range(games):
        state = CONNECT_FOUR.new(seed)
        while not state.is_over:
            state = state.apply(draw.choice(state.legal_actions))
        steps += state.ply
    return steps
