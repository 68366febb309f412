"""/api/pages: which pages this server has something for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fastapi import APIRouter, Response

from playmill.web.api.answers import answer_json


def pages_router(pages: Sequence[str], home: Callable[[], str]) -> APIRouter:
    router = APIRouter(prefix="/api/pages")

    @router.get("")
    def names() -> Response:
        return answer_json({"pages": list(pages), "home": home()})

    return router
