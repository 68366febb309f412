"""/api/review: decisions about puzzles, on the disk before they are answered."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from playmill.puzzles.review import ReviewDecision
from playmill.web.puzzle_shelf import PuzzleShelf


def review_router(shelf: PuzzleShelf) -> APIRouter:
    router = APIRouter(prefix="/api/review")

    @router.post("")
    def decide(decision: ReviewDecision) -> ReviewDecision:
        shelf.decide(decision.puzzle, decision.decision)
        return decision

    @router.post("/undo")
    def undo() -> dict[str, Any]:
        """The puzzle whose last decision was taken back and what holds again; nulls if there was none."""
        name, decision = shelf.undo() or (None, None)
        return {"puzzle": name, "decision": decision}

    return router
