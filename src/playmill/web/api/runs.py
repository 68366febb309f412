"""/api/runs: a folder's runs, one of them live, several of them compared."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from playmill.web.api.answers import answer_json
from playmill.web.run_compare import compare_runs
from playmill.web.run_events import EventShelf
from playmill.web.run_page import live_of, page_of
from playmill.web.run_shelf import RunShelf


def runs_router(shelf: RunShelf) -> APIRouter:
    router, events = APIRouter(prefix="/api"), EventShelf()

    @router.get("/runs")
    def rows() -> Response:
        return answer_json({"folder": str(shelf.folder), "runs": shelf.rows()})

    @router.get("/runs/{name}")
    def page(name: str) -> Response:
        return answer_json(page_of(shelf.view(name)))

    @router.get("/runs/{name}/live")
    def live(name: str, after: Annotated[int, Query(ge=0)] = 0) -> Response:
        view = shelf.view(name)
        return answer_json({**live_of(view), "events": events.after(view, after)})

    @router.get("/compare")
    def compare(run: Annotated[list[str], Query()]) -> Response:
        return answer_json(compare_runs([shelf.view(name) for name in dict.fromkeys(run)]))

    return router
