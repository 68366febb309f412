"""Commands through the real boundary, in this process: what they exit with, and what they print."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from playmill.cli import boundary


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def invoke(words, folder, stdin=""):
    """Run `playmill WORDS` in a folder."""
    streams, here = (sys.stdin, sys.stdout, sys.stderr), Path.cwd()
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(stdin), io.StringIO(), io.StringIO()
    os.chdir(folder)
    try:
        code = boundary.run([str(word) for word in words])
        return Ended(code, sys.stdout.getvalue(), sys.stderr.getvalue())
    finally:
        os.chdir(here)
        sys.stdin, sys.stdout, sys.stderr = streams


def contents(folder):
    """Every path below a folder, with what a file holds."""
    return {path.relative_to(folder): _bytes(path) for path in sorted(folder.rglob("*"))}


def _bytes(path):
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def assert_refused(ended, codes=(1, 2)):
    """Exit code 1 or 2, exactly one line on stderr, nothing else."""
    assert ended.code in codes, ended
    assert ended.err.startswith("playmill: "), ended
    assert ended.err.count("\n") == 1, ended
    assert "Traceback" not in ended.err
    assert len(ended.err) < 1000, ended
