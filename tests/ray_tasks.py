"""Tasks for the tests of the cluster's executor: in a module of their own, which its workers can import."""

import os
import signal
import time

from playmill.core.errors import UsageError
from playmill.core.executor import stop_sign, tell, worker_local


def square(number):
    return number * number


def fail_at_odd(number):
    if number % 2:
        raise UsageError(f"task {number}")
    return number


def break_down(number):
    raise KeyError(f"task {number}")


def until_told(number):
    tell("began")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        stop_sign().check()
        time.sleep(0.001)
    raise AssertionError("nobody told the task to stop")


def first_then_wait(number):
    return until_told(number) if number else "done"


def own_list(number):
    own = worker_local("list", list)
    own.append(number)
    return os.getpid(), list(own)


def count_slowly(task):
    """Tell 0..9; where a flag says so, die once in the middle."""
    number, flag = task
    for news in range(10):
        if news == 6 and flag and not os.path.exists(flag):
            open(flag, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        tell((number, news))
    return os.getpid()


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def where_and_what(task):
    """Where an array lies, whether it may be written to, and its sum."""
    array, _ = task
    return os.getpid(), array.ctypes.data, array.flags.writeable, float(array.sum())
