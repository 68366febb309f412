"""The rooms look downwards only."""

import subprocess
import sys
from pathlib import Path


def test_import_contract_holds():
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    assert done.returncode == 0, done.stdout
