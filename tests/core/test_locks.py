"""Locks on files: one holder, who is named; gone with its process."""

import os
import socket
import subprocess
import sys

from playmill.core.locks import FileLock, holder_of

HOLD = """
import sys
from pathlib import Path

from playmill.core.locks import FileLock

lock = FileLock(Path(sys.argv[1]))
assert lock.take() is None
lock.sign()
print("held", flush=True)
sys.stdin.read()
"""


def test_one_has_the_lock_and_others_are_told_who(tmp_path):
    path = tmp_path / "lock"
    first, second = FileLock(path), FileLock(path)
    assert holder_of(path) is None
    assert first.take() is None
    first.sign()
    holder = second.take()
    assert holder is not None
    assert (str(holder), holder.pid) == (f"process {os.getpid()} on {socket.gethostname()}", os.getpid())
    assert holder_of(path) == holder
    first.release()
    assert second.take() is None


def test_a_lock_goes_with_its_process_however_that_ends(tmp_path):
    path = tmp_path / "lock"
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    assert holder_of(path).pid == process.pid
    process.kill()
    process.communicate()
    assert holder_of(path) is None
    assert FileLock(path).take() is None


def test_asking_who_holds_a_lock_does_not_take_it(tmp_path):
    path = tmp_path / "lock"
    for _ in range(20):
        assert holder_of(path) is None
        lock = FileLock(path)
        assert lock.take() is None
        lock.release()


def test_a_holder_on_another_machine_has_no_process_here(tmp_path):
    path = tmp_path / "lock"
    lock = FileLock(path)
    lock.take()
    path.write_text("process 7 on elsewhere")
    assert holder_of(path).pid is None
