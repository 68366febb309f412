"""Serves the web app to this machine until Ctrl-C."""

from __future__ import annotations

import errno
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import uvicorn

from playmill.core.errors import PlaymillError, UsageError
from playmill.web.app import Offer, make_app
from playmill.web.puzzle_shelf import PuzzleShelf
from playmill.web.run_shelf import RunShelf
from playmill.web.table_room import TableRoom

LOOPBACK = "127.0.0.1"
USUAL_PORT = 8180
LAST_WORDS_S = 1  # for answers under way after Ctrl-C


def browse_puzzles(path: Path, port: int | None, say: Callable[[str], None], *, open_browser: bool = True) -> None:
    """Serve the page about a file of puzzles until Ctrl-C, which is raised. `say` gets the address, with its token."""
    with closing(PuzzleShelf(path)) as shelf:
        _serve(Offer(puzzles=shelf), port, say, open_browser)


def open_studio(
    runs: RunShelf, tables: TableRoom, puzzles: Path | None, port: int | None, say: Callable[[str], None], *, open_browser: bool
) -> None:
    """Serve the pages about runs, games and, with a file of them, puzzles until Ctrl-C, which is raised."""
    with ExitStack() as stack:
        shelf = stack.enter_context(closing(PuzzleShelf(puzzles))) if puzzles is not None else None
        stack.enter_context(closing(tables))
        _serve(Offer(runs, tables, shelf), port, say, open_browser)


def _serve(offer: Offer, port: int | None, say: Callable[[str], None], open_browser: bool) -> None:
    with closing(_listen(port)) as listener:
        number, token = int(listener.getsockname()[1]), secrets.token_urlsafe(24)
        address = f"http://{LOOPBACK}:{number}/?token={token}"
        app = make_app(offer, token, number)
        say(address)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        _server(app).run(sockets=[listener])


def _server(app: Any) -> uvicorn.Server:
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", proxy_headers=False, server_header=False,
        timeout_graceful_shutdown=LAST_WORDS_S, ws="none",
    )  # fmt: skip
    return uvicorn.Server(config)


def _listen(port: int | None) -> socket.socket:
    """A socket on this machine's own address: the port that was asked for, else the usual one or any that is free."""
    if port is not None:
        return _bind(port)
    try:
        return _bind(USUAL_PORT)
    except PlaymillError:
        return _bind(0)


def _bind(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PlaymillError(f"port {port} of {LOOPBACK} is in use; choose another with --port") from None
        raise UsageError(f"port {port} of {LOOPBACK} can't be had ({error.strerror}); choose another with --port") from None
    return listener
