"""What `playmill profile` runs: a command that leaves its exit code in a file, since py-spy keeps it to itself."""

from __future__ import annotations

import sys
from pathlib import Path

from playmill.cli.main import main as run_command


def main() -> None:
    """Run the command; the first word names the file."""
    path = Path(sys.argv.pop(1))
    try:
        run_command()
    except SystemExit as end:
        path.write_text(str(end.code or 0))
        raise


if __name__ == "__main__":
    main()
