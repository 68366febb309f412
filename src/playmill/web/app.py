"""The web app, put together: routers, the page, errors as one line, and the guard before all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from playmill.core.errors import PlaymillError, UnknownName, UsageError
from playmill.web.api.games import games_router
from playmill.web.api.pages import pages_router
from playmill.web.api.play import play_router
from playmill.web.api.puzzles import puzzles_router
from playmill.web.api.review import review_router
from playmill.web.api.runs import runs_router
from playmill.web.guard import Guard
from playmill.web.pages import Pages
from playmill.web.puzzle_shelf import PuzzleShelf
from playmill.web.run_shelf import RunShelf
from playmill.web.table_room import TableRoom

SMALL = 1000  # bytes that are not worth compressing


@dataclass(frozen=True)
class Offer:
    """What is served; there is a page for each that is there."""

    runs: RunShelf | None = None
    tables: TableRoom | None = None
    puzzles: PuzzleShelf | None = None

    @property
    def pages(self) -> list[str]:
        """In the order of the menu."""
        return [name for name, shelf in (("runs", self.runs), ("play", self.tables), ("puzzles", self.puzzles)) if shelf]

    def home(self) -> str:
        """The page to begin with: the first one, but for a folder without runs a table to play at."""
        has_runs = self.runs is not None and bool(self.runs.names())
        return "play" if self.tables is not None and not has_runs else self.pages[0]

    def routers(self) -> Sequence[APIRouter]:
        found = [pages_router(self.pages, self.home)]
        found += [runs_router(self.runs), games_router(self.runs)] if self.runs else []
        found += [play_router(self.tables)] if self.tables else []
        return found + ([puzzles_router(self.puzzles), review_router(self.puzzles)] if self.puzzles else [])


def make_app(offer: Offer, token: str, port: int) -> Guard:
    """The app for whoever has the token."""
    app = FastAPI(title="playmill", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=5)
    app.add_exception_handler(PlaymillError, _tell)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_http)
    for router in offer.routers():
        app.include_router(router)
    app.mount("/", Pages())
    return Guard(app, token, port)


def _tell(_: Request, error: Exception) -> Response:
    """One line, as a command would say it: 404 for what isn't there, 422 for what is wrong with it, 500 for a disk."""
    status = 404 if isinstance(error, UnknownName) else 422 if isinstance(error, UsageError) else 500
    return _error(status, str(error))


def _tell_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return _error(422, f"{'.'.join(map(str, first['loc'][1:])) or 'body'}: {first['msg']}")


def _tell_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, str(error.detail))


def _error(status: int, line: str) -> Response:
    return JSONResponse({"error": line}, status, {"Cache-Control": "no-store"})
