"""Processes that die for a test: children that are forked, and how one ends itself at a call that changes the disk."""

import os
import signal
import threading
import traceback

DISK_CALLS = ("fsync", "replace", "unlink")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def die_at_call(number, is_after=False, names=DISK_CALLS):
    """Make call `number` of these functions of `os` this process's last act, or the act before its last."""
    seen, lock = [0], threading.Lock()

    def wrap(real):
        def call(*args, **options):
            with lock:
                seen[0] += 1
                is_last = seen[0] == number
            if is_last and not is_after:
                die()
            result = real(*args, **options)
            if is_last:
                die()
            return result

        return call

    for name in names:
        setattr(os, name, wrap(getattr(os, name)))


def in_child(work):
    """A forked child that does the work and exits with what it returns, 0 for nothing."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        code = work() or 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def was_killed(child):
    """Wait for its end: whether somebody killed it; one that failed is an error."""
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"a child failed: {status}"
    return os.WIFSIGNALED(status)
