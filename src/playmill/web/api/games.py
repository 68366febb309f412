"""/api/runs/NAME/games: a run's recorded games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from playmill.web import diplomacy_games as diplomacy
from playmill.web.api.answers import answer_json
from playmill.web.recorded import list_shards, view_game
from playmill.web.run_shelf import RunShelf

Number = Annotated[int, Path(ge=0)]


def games_router(shelf: RunShelf) -> APIRouter:
    router = APIRouter(prefix="/api/runs/{name}/games")

    @router.get("")
    def files(name: str) -> Response:
        view = shelf.view(name)
        is_diplomacy = view.manifest.game == diplomacy.GAME
        found = diplomacy.list_games(view) if is_diplomacy else list_shards(view)
        return answer_json({"game": view.manifest.game, "files": found})

    @router.get("/{file}/{number}")
    def game(name: str, file: str, number: Number) -> Response:
        view = shelf.view(name)
        is_diplomacy = view.manifest.game == diplomacy.GAME
        return answer_json((diplomacy.view_phases if is_diplomacy else view_game)(view, file, number))

    @router.get("/{file}/{number}/map/{phase}")
    def map_of(name: str, file: str, number: Number, phase: Number) -> Response:
        return answer_json({"svg": diplomacy.draw_phase(shelf.view(name), file, number, phase)})

    return router
