"""A writer may be killed at any moment; readers never see a torn shard."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills by signal")
def test_a_killed_writer_leaves_only_whole_shards(tmp_path):
    script = Path(__file__).with_name("killing.py")
    done = subprocess.run([sys.executable, script, tmp_path / "replay"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10
