"""Where a command begins and ends. Ctrl-C is heeded before anything is imported that takes time."""

from __future__ import annotations

from playmill.cli.streams import prepare_streams
from playmill.core.leaving import INTERRUPTED, heed_interrupts, leave


def main() -> None:
    """Run a command; exit 2 on bad input, 1 on failure, 130 on Ctrl-C, with one line on stderr each time."""
    try:
        prepare_streams()  # before any other file is opened, which would take the number of a closed stream
        heed_interrupts()
        from playmill.cli.boundary import run
        from playmill.core.status_line import announce

        announce()
        code = run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    leave(code)


if __name__ == "__main__":
    main()
