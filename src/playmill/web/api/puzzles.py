"""/api/puzzles: the list of puzzles, small enough to come at once, and each puzzle with its tree."""

from __future__ import annotations

from fastapi import APIRouter, Response

from playmill.web.api.answers import answer_json
from playmill.web.puzzle_shelf import PuzzleShelf
from playmill.web.puzzle_view import view_puzzle


def puzzles_router(shelf: PuzzleShelf) -> APIRouter:
    router = APIRouter(prefix="/api/puzzles")

    @router.get("")
    def index() -> Response:
        return answer_json(shelf.index())

    @router.get("/{name}")
    def puzzle(name: str) -> Response:
        return answer_json(view_puzzle(shelf.puzzle(name)))

    return router
