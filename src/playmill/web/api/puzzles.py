"""/api/puzzles: the list of puzzles, small enough to come at once, and each puzzle with its tree."""

from __future__ import annotations

import json

from fastapi import APIRouter, Response

from playmill.web.puzzle_shelf import PuzzleShelf
from playmill.web.puzzle_view import view_puzzle


def puzzles_router(shelf: PuzzleShelf) -> APIRouter:
    router = APIRouter(prefix="/api/puzzles")

    @router.get("")
    def index() -> Response:
        return _json(shelf.index())

    @router.get("/{name}")
    def puzzle(name: str) -> Response:
        return _json(view_puzzle(shelf.puzzle(name)))

    return router


def _json(content: object) -> Response:
    """Plain values as they are: to check 20,000 rows on their way out would take longer than to read them."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return Response(text, media_type="application/json", headers={"Cache-Control": "no-store"})
