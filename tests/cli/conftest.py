"""Commands as a user types them: a process of their own."""

import subprocess
import sys

import pytest


@pytest.fixture
def playmill():
    """Run `playmill WORDS` and return the finished process."""

    def run(*words, **options):
        command = [sys.executable, "-m", "playmill.cli.main", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)

    return run
