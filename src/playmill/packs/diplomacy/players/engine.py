"""The engine as a process: a line protocol for programs that want orders.

    dui                          -> id ..., option ..., duiok
    isready                      -> readyok once a search can start at once: all is compiled and loaded; while one runs, at once
    setoption name X value Y
    newgame
    position <dfen>              or `position start`
    setpower <name>              a power's name or letter
    go [movetime ms] [nodes n] [iterations n]
                                 -> info ..., then bestorders <dson>; `-` where there is nothing to order
    go infinite                  the same until `stop`, or the end of the input
    stop                         ends the search; bestorders follows at once
    quit

Whatever can't be understood is answered with one short line, `info string ...`, and changes nothing.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import playmill
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.seeds import mix
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.order_words import shortened
from playmill.games.diplomacy.places import read_power
from playmill.packs.diplomacy.players.engine_lines import INFINITE, describe, read_budget, write_counts
from playmill.packs.diplomacy.players.engine_options import OPTIONS, EngineOptions
from playmill.packs.diplomacy.players.player import DiplomacyPlayer
from playmill.packs.diplomacy.search.budgets import Budget

NOTHING = "-"
MESSAGE_WIDTH = 400
TRIAL = Budget(nodes=50)  # enough for every part of a search to be used once
TRIAL_PHASES = (  # movement, builds, retreats
    "start",
    Board.start().dfen.replace("1901sm", "1901fb"),
    f"1901sr/Gapar/{Board.start().dfen.split('/')[2]}/Fapar<bur",
)

Write = Callable[[str], None]


class Engine:
    """Reads commands, answers through `write`; searches run on a thread of their own, so that `stop` is heard."""

    def __init__(self, write: Write) -> None:
        self._lock = threading.Lock()
        self._write_line = write
        self._options = EngineOptions()
        self._player: DiplomacyPlayer | None = None
        self._board = Board.start()
        self._power: int | None = None
        self._searches = 0
        self._worker: threading.Thread | None = None
        self._is_searching = threading.Event()
        self._is_endless = False

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until `quit`. Where the input just ends, a search that runs goes on to its limit; without one it stops."""
        for line in lines:
            if not self.handle(line):
                return
        if self._is_endless:
            self._stop()
        self._join()

    def handle(self, line: str) -> bool:
        """Carry out one command; return False after `quit`."""
        name, _, rest = line.strip().partition(" ")
        if name == "quit":
            self._stop()
            return False
        action = self._actions().get(name)
        try:
            if action is None:
                if name:
                    known = ", ".join([*self._actions(), "quit"])
                    raise UsageError(f"unknown command '{shortened(name)}' (known: {known})")
            else:
                action(rest.strip())
        except PlaymillError as error:
            self._say(f"info string {shortened(str(error), MESSAGE_WIDTH)}")
        return True

    def _actions(self) -> dict[str, Callable[[str], None]]:
        return {
            "dui": self._introduce,
            "isready": lambda rest: self._get_ready(),
            "setoption": self._set_option,
            "newgame": self._new_game,
            "position": self._set_position,
            "setpower": self._set_power,
            "go": self._go,
            "stop": lambda rest: self._stop(),
        }

    def _say(self, line: str) -> None:
        with self._lock:
            self._write_line(line)

    # ------------------------------------------------------------------ settings and positions

    def _introduce(self, rest: str) -> None:
        self._say(f"id name playmill {playmill.__version__}")
        self._say("id author the playmill developers")
        for option in OPTIONS.values():
            self._say(f"option {option.line()}")
        self._say("duiok")

    def _set_option(self, rest: str) -> None:
        self._require_idle("setoption")
        words = rest.split()
        if len(words) < 4 or words[0] != "name" or "value" not in words:
            raise UsageError(f"setoption: expected name X value Y, got '{rest}'")
        at = words.index("value")
        self._options = self._options.changed(" ".join(words[1:at]), " ".join(words[at + 1 :]))
        self._player = None

    def _new_game(self, rest: str) -> None:
        self._require_idle("newgame")
        self._board, self._power, self._searches = Board.start(), None, 0

    def _set_position(self, rest: str) -> None:
        self._require_idle("position")
        self._board = Board.from_dfen(rest)

    def _set_power(self, rest: str) -> None:
        self._require_idle("setpower")
        self._power = read_power(rest)

    def _require_idle(self, command: str) -> None:
        if self._is_searching.is_set():
            raise UsageError(f"{command}: a search is running; send stop first")

    # ------------------------------------------------------------------ searching

    def _get_ready(self) -> None:
        """Use every part of the player once, so that the first search needs neither compiler nor disk; then say so."""
        if not self._is_searching.is_set():
            player = self._open_player()
            for dfen in TRIAL_PHASES:
                player.decide(Board.from_dfen(dfen).state, [0], 0, TRIAL)
        self._say("readyok")

    def _open_player(self) -> DiplomacyPlayer:
        """The player that the options ask for, ready to begin."""
        if self._player is None:
            self._player = self._options.make_player()
        self._player.stop[0] = 0
        return self._player

    def _go(self, rest: str) -> None:
        self._require_idle("go")
        if self._power is None:
            raise UsageError("go: expected a power first; send setpower <name>")
        budget, power, player = read_budget(rest), self._power, self._open_player()
        self._is_endless = budget == INFINITE
        stream = mix(self._options.seed, self._searches)
        self._searches += 1
        self._join()
        self._is_searching.set()
        self._worker = threading.Thread(target=self._search, args=(player, power, stream, budget), daemon=True)
        self._worker.start()

    def _search(self, player: DiplomacyPlayer, power: int, stream: int, budget: Budget) -> None:
        """Find orders and tell them; whatever goes wrong is told as well, and the answer is then empty."""
        board, began = self._board, time.perf_counter()

        def watch(iterations: int, nodes: int, elapsed_ms: float) -> None:
            self._tell(board, player, power, write_counts(nodes, iterations, elapsed_ms / 1000))

        try:
            decision = player.decide(board.state, [power], stream, replace(budget, watch=watch))
            lines = describe(board, power, player, decision, time.perf_counter() - began)
            lines.append(f"bestorders {write_orders(decision.orders[power].tolist(), board.plain) or NOTHING}")
        except Exception as error:
            lines = [f"info string internal error: {type(error).__name__}: {error}", f"bestorders {NOTHING}"]
        # Nobody may be reading any more; the command loop will notice that, too.
        with contextlib.suppress(OSError):
            for line in lines[:-1]:
                self._say(line)
            # Whoever reads the last line may send the next command before this thread has ended.
            self._is_searching.clear()
            self._say(lines[-1])

    def _tell(self, board: Board, player: DiplomacyPlayer, power: int, counts: str) -> None:
        """How the search stands; if nobody can hear it any more, it need not go on."""
        found = player.best_so_far(power)
        if found is None:
            return
        orders = write_orders(found.orders.tolist(), board.plain) or NOTHING
        try:
            self._say(f"info {counts} value {found.values[power]:.4f} orders {orders}")
        except OSError:
            player.stop[0] = 1

    def _stop(self) -> None:
        if self._player is not None:
            self._player.stop[0] = 1
        self._join()

    def _join(self) -> None:
        if self._worker is not None:
            self._worker.join()
