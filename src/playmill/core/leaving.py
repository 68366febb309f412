"""Ctrl-C, and what is put in order before the process ends.

The first Ctrl-C raises KeyboardInterrupt, as everywhere in Python, unless modules are being loaded or kernels compiled: then
the process ends at once, since nothing that is written can be half-written. But the main thread can't hear it inside a long
call, such as the compiler's, and code that waits for threads may wait for minutes; so a thread of its own counts to GRACE_S and
then ends the process. The signal itself wakes it: Python's handlers run in the main thread, a wakeup file descriptor works at
once.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from contextlib import suppress

TYPE_CHECKING = False  # `typing` takes its time to load, and Ctrl-C is not heeded before
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, NoReturn

INTERRUPTED = 130  # exit code: 128 + SIGINT
GRACE_S = 1.0  # for a command to end by itself
LINE = "playmill: interrupted\n"
FRAGILE = {"importlib", "_frozen_importlib", "_frozen_importlib_external", "llvmlite", "numba"}
CLEAN_TERMINAL = b"\r\x1b[2K\x1b[0m\x1b[?25h"  # the bar's line away, no colour, the cursor shown

_came = threading.Event()  # Ctrl-C
_said = threading.Lock()  # taken by whoever tells it
_duties: list[Callable[[], object]] = []
_voice = 2  # the file descriptor that the user is told through


def before_leaving(duty: Callable[[], object]) -> None:
    """Call `duty` before the process ends, unless it is killed; it must be quick."""
    _duties.append(duty)


def speak_through(number: int) -> None:
    """Tell the user about Ctrl-C through this file descriptor from now on."""
    global _voice
    _voice = number


def is_interrupted() -> bool:
    """Whether Ctrl-C came."""
    return _came.is_set()


def may_say() -> bool:
    """True once, for the first caller after Ctrl-C: that one tells the user about it."""
    return _said.acquire(blocking=False)


def heed_interrupts() -> None:
    """Take care of Ctrl-C from now on; where it is ignored (a job in the background) that is left as it is."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _tell_unless_interrupted
    threading.Thread(target=_count_down, args=(reader,), daemon=True, name="playmill-interrupt").start()


def leave(code: int) -> NoReturn:
    """End the process: at once if it was interrupted, since threads may still be compiling, else as Python does."""
    if code == INTERRUPTED:
        _end()
    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is left to be told while Python takes itself down
    sys.exit(code)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    if _came.is_set() or _is_fragile(frame):
        _end()  # whoever presses twice doesn't want to wait
    _came.set()
    raise KeyboardInterrupt


def _is_fragile(frame: FrameType | None) -> bool:
    """Whether the main thread imports or compiles: an exception there leaves half-made objects of C behind."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in FRAGILE:
            return True
        frame = frame.f_back
    return False


def _tell_unless_interrupted(unraisable: Any) -> None:
    """What goes wrong in destructors after Ctrl-C is of no interest: the process is about to end."""
    if not _came.is_set():
        sys.__unraisablehook__(unraisable)


def _count_down(reader: int) -> None:
    while os.read(reader, 1) != bytes([signal.SIGINT]):
        pass
    time.sleep(GRACE_S)
    _end()


def _end() -> NoReturn:
    with suppress(OSError):
        if os.isatty(_voice):
            os.write(_voice, CLEAN_TERMINAL)
        if may_say():
            os.write(_voice, LINE.encode())
    _do_duties()
    os._exit(INTERRUPTED)


def _do_duties() -> None:
    while _duties:
        with suppress(Exception):
            _duties.pop()()


atexit.register(_do_duties)
