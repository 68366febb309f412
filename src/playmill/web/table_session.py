"""A game between a person in the browser and a bot. It lives in the server, in a thread; pages come and go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from playmill.arena.table import Left, PlayTable, Rewind, TableRecorder, run_table
from playmill.core.errors import PlaymillError, UsageError
from playmill.games.state import State
from playmill.packs.judged import regret_of
from playmill.play.player import Ask, MakePlayer, Moves, PlainPlayer
from playmill.search.decisions import Array
from playmill.search.position import searched_actions

BEST = 6  # actions of what a bot thought


class TableSession:
    """The table and its thread. What is shown is `states` and `actions`; a bot that only thinks along again changes nothing."""

    def __init__(self, table: PlayTable, make_bot: MakePlayer, states: Sequence[State], actions: Sequence[int]) -> None:
        self.table, self.states, self.actions = table, list(states), list(actions)
        self.problem = ""
        self.thoughts: dict[int, dict[str, Any]] = {}  # what the bot thought, by ply
        self._regrets: dict[int, float | None] = {}
        self._make_bot = make_bot
        self._wish: Callable[[], Any] | None = None
        self._is_waiting, self._changed = False, threading.Condition()
        self._thread = threading.Thread(target=self._run, name=f"table {table.kept.path}", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------ asked by pages

    @property
    def is_thinking(self) -> bool:
        """Whether the bots are at work."""
        return not self._is_waiting and not self.problem

    def move(self, ply: int, action: int) -> None:
        """The person's move number `ply`; a page that is behind is told so, and nothing is played twice."""
        with self._changed:
            if ply != len(self.actions) or not self._is_waiting:
                raise UsageError(f"expected move {len(self.actions) + 1}, got move {ply + 1}; the game has gone on")
            self.states[-1].apply(action)  # an illegal one is refused here
            self._want(lambda: action)

    def undo(self) -> None:
        """Back to the person's last decision."""
        with self._changed:
            plies = [ply for ply in range(len(self.actions)) if self.states[ply].to_move == self.table.seat]
            if not plies:
                raise UsageError("there is nothing to take back: it is your first decision")
            if not self._is_waiting:
                raise UsageError("the bot is at its move; wait for it, then take yours back")
            self._want(_raising(Rewind(plies[-1])))

    def close(self) -> None:
        """Let the thread end; the game is kept."""
        with self._changed:
            self._want(_raising(Left()))

    def regret(self, ply: int) -> float | None:
        """What the person's move gave away in truth; None where nobody knows, or a bot made it."""
        if self.states[ply].to_move != self.table.seat:
            return None
        if ply not in self._regrets:
            self._regrets[ply] = regret_of(self.states[ply], self.actions[ply])
        return self._regrets[ply]

    def lock(self) -> threading.Condition:
        """Held while a page is told how the game stands."""
        return self._changed

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        script = list(self.actions)
        try:
            while True:
                try:
                    run_table(self.table, _Visitor(self), self._make_bot(1), script, _Listener(self))
                    self.wait_for_wish()  # the game is over: back, or away
                except Rewind as wish:
                    script = self._rewind(wish.ply)
        except Left:
            pass
        except PlaymillError as error:
            self.problem = str(error)
        except Exception as error:  # a bug: the page says so, the other tables go on
            self.problem = f"{type(error).__name__}: {error}"
            raise

    def wait_for_wish(self) -> Any:
        """What the person wants: an action; or an exception is raised that says it."""
        with self._changed:
            self._is_waiting = True
            self._changed.wait_for(lambda: self._wish is not None)
            wish, self._wish, self._is_waiting = self._wish, None, False
        assert wish is not None
        return wish()

    def decided(self, action: int, moves: Moves) -> None:
        """A move was made, or only made again."""
        with self._changed:
            ply, state = len(self.table.actions), self.table.state
            self._keep_thoughts(ply, state, action, moves)
            if self.table.play(action):
                self.states.append(self.table.state)
                self.actions.append(action)

    def _keep_thoughts(self, ply: int, state: State, action: int, moves: Moves) -> None:
        """The best actions, and the one that was played."""
        if moves.decisions is None:
            return
        found = enumerate(searched_actions(state, moves.decisions))
        rows = [vars(each) for place, each in found if place < BEST - 1 or each.action == action][:BEST]
        self.thoughts[ply] = {"values": known_values(moves.decisions.value[0]), "rows": rows}

    def _rewind(self, ply: int) -> list[int]:
        with self._changed:
            script = self.table.take_back(ply)
            del self.states[ply + 1 :], self.actions[ply:]
            for known in (self.thoughts, self._regrets):
                for later in [at for at in known if at >= ply]:
                    del known[later]
            return script

    def _want(self, wish: Callable[[], Any]) -> None:
        self._wish, self._is_waiting = wish, False
        self._changed.notify_all()


class _Visitor(PlainPlayer):
    """The person, whose moves come from a page."""

    name = "you"
    draws = True

    def __init__(self, session: TableSession) -> None:
        self.session = session

    def pick(self, ask: Ask) -> Array:
        return np.array([self.session.wait_for_wish()], np.int32)


class _Listener(TableRecorder):
    """Tells the session what happens at its table."""

    def __init__(self, session: TableSession) -> None:
        super().__init__(session.table)
        self.session = session

    def decided(self, player: int, ask: Ask, moves: Moves) -> None:
        self.session.decided(int(moves.actions[0]), moves)


def known_values(values: Iterable[float]) -> list[float | None]:
    """What a position is worth by seat; None where nobody knows: an exact turn plays for points."""
    return [None if np.isnan(value) else float(value) for value in values]


def _raising(wish: Exception) -> Callable[[], Any]:
    def do() -> None:
        raise wish

    return do
