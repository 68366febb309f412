"""A script run compiled and as plain Python, each in a process of its own."""

import json
import os
import subprocess
import sys


def printed_both_ways(script):
    """The JSON that `script` prints compiled, and what it prints with NUMBA_DISABLE_JIT=1."""
    return _printed(script), _printed(script, NUMBA_DISABLE_JIT="1")


def _printed(script, **environment):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
