"""A real disk that becomes full: a small tmpfs. Mounting needs root, which CI is; there a failure is a failure."""

import os
import subprocess
from contextlib import contextmanager

import pytest

PAGE = 4096


class SmallDisk:
    """A mounted disk of a few MB, and the ballast that takes up its room."""

    def __init__(self, path):
        self.path = path
        self.ballast = path / "ballast"

    def fill(self, spare=0):
        """Leave `spare` bytes free, rounded down to pages."""
        self.free()
        room = os.statvfs(self.path).f_bavail * PAGE
        with self.ballast.open("wb") as file:
            file.write(bytes(max(room - spare // PAGE * PAGE, 0)))

    def free(self):
        self.ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(path, size="8m"):
    """A disk of that size under `path`."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    path.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "playmill-test", str(path)], check=True)
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)
