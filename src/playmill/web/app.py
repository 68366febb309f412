"""The web app, put together: routers, the page, errors as one line, and the guard before all of it."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from playmill.core.errors import PlaymillError, UnknownName, UsageError
from playmill.web.api.puzzles import puzzles_router
from playmill.web.api.review import review_router
from playmill.web.guard import Guard
from playmill.web.pages import Pages
from playmill.web.puzzle_shelf import PuzzleShelf

SMALL = 1000  # bytes that are not worth compressing


def make_app(shelf: PuzzleShelf, token: str, port: int) -> Guard:
    """The app for a file of puzzles, for whoever has the token."""
    app = FastAPI(title="playmill", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=5)
    app.add_exception_handler(PlaymillError, _tell)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_http)
    for router in (puzzles_router(shelf), review_router(shelf)):
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
