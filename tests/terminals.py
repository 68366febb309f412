"""Reading what a process writes to a terminal."""

from __future__ import annotations

import os
import select


def read_to_the_end(process, screen, terminal):
    """What `process` still writes to `terminal`, whose other side is `screen`; both are closed.

    The terminal is held open meanwhile: once nobody holds it, Linux may answer a read with an error although the last line
    has not been read yet.
    """
    shown, ended = b"", False
    while not ended:
        ended = process.poll() is not None
        while select.select([screen], [], [], 0.2)[0]:
            shown += os.read(screen, 65536)
    os.close(screen)
    os.close(terminal)
    return shown
