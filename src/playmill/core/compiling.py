"""Around each compilation: the user is told what takes so long, and Python's garbage collector is held back."""

from __future__ import annotations

import functools
import gc
import threading
import time
from typing import Any

from numba.core import event
from numba.core.dispatcher import Dispatcher

from playmill.core.dispatchers import is_compiled
from playmill.core.fingerprint import reach
from playmill.core.status_line import StatusLine, is_announcing

PATIENCE_S = 0.7  # a first word comes within a second


@functools.cache
def watch_compiler() -> None:
    """Hear of every compilation in this process."""
    event.register("numba:compile", CompileProgress())
    event.register("numba:compile", CollectorPause())


class CompileProgress(event.Listener):
    """Tells what takes longer than a moment. Compilations nest: a kernel is finished after all those that it calls.

    Numba holds one lock over all of it, so there is one outermost compilation at a time, in whatever thread.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._spent = 0.0  # by earlier outermost compilations
        self._began = 0.0
        self._line = StatusLine()
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._what = ""
        self._kernels: list[Dispatcher] = []

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth > 1 or not is_announcing():
            return
        with self._lock:
            self._began = time.monotonic()
            self._what = _name(event.data["dispatcher"], event.data["args"])
            self._kernels = reach([event.data["dispatcher"]])
            self._timer = threading.Timer(max(PATIENCE_S - self._spent, 0.05), self._tell)
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._timer is None:
            return
        if self._depth > 0:
            if self._line.is_begun:
                self._tell()
            return
        with self._lock:
            self._timer.cancel()
            self._timer = None
            self._spent += time.monotonic() - self._began
            self._line.clear()

    def _tell(self) -> None:
        with self._lock:
            if self._timer is None:
                return  # it ended meanwhile
            done = sum(map(is_compiled, self._kernels))
            self._line.show(f"playmill: compiling {self._what}, first time only: {done} of {len(self._kernels)} kernels")


class CollectorPause(event.Listener):
    """Keeps Python's garbage collector out of the compiler, whose many objects live on: 7 % of Diplomacy's search."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_ours = False

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth == 1 and gc.isenabled():
            gc.disable()
            self._is_ours = True

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and self._is_ours:
            gc.enable()
            self._is_ours = False


def _name(kernel: Dispatcher, args: Any) -> str:
    """A kernel's module, and the game it is compiled for if it serves any."""
    module = kernel.py_func.__module__.removeprefix("playmill.")
    games = [str(each).removeprefix("Game(").partition("@")[0] for each in args if str(each).startswith("Game(")]
    return f"{module} for {games[0]}" if games else module
