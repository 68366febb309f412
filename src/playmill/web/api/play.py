"""/api/play: games against bots. The game lives here; a page may be closed, reloaded or cut off at any moment."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from playmill.web.api.answers import answer_json
from playmill.web.recorded import view_record
from playmill.web.table_room import TableRoom
from playmill.web.table_view import view_table

MAX_SIMULATIONS = 100_000


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(_Body):
    """A game that somebody wants to play."""

    game: str
    against: str = "random"
    seat: int = Field(0, ge=0)
    simulations: int = Field(100, ge=1, le=MAX_SIMULATIONS)


class TableMove(_Body):
    """A move at a table: the action, and how many moves there were before it."""

    ply: int = Field(ge=0)
    action: int


class OpinionWish(_Body):
    """Whose opinion is wanted; null: the opponent's."""

    by: str | None = None


Shown = Annotated[int, Query(ge=0)]


def play_router(room: TableRoom) -> APIRouter:
    router = APIRouter(prefix="/api/play")

    def answer(name: str, shown: int) -> Response:
        session = room.session(name)
        return answer_json(view_table(name, session, room.opponents.title(session.table.against.bot), shown))

    @router.get("")
    def games() -> Response:
        return answer_json({"games": room.opponents.games(), "tables": room.rows()})

    @router.post("")
    def begin(wish: NewTable) -> Response:
        return answer_json({"name": room.begin(wish.game, wish.against, wish.seat, wish.simulations)})

    @router.get("/{name}")
    def look(name: str, shown: Shown = 0) -> Response:
        return answer(name, shown)

    @router.get("/{name}/record")
    def record(name: str) -> Response:
        return answer_json(view_record(room.record(name)))

    @router.post("/{name}/move")
    def move(name: str, move: TableMove, shown: Shown = 0) -> Response:
        room.session(name).move(move.ply, move.action)
        return answer(name, shown)

    @router.post("/{name}/undo")
    def undo(name: str, shown: Shown = 0) -> Response:
        room.session(name).undo()
        return answer(name, shown)

    @router.post("/{name}/again")
    def again(name: str) -> Response:
        return answer_json({"name": room.again(name)})

    @router.post("/{name}/opinion")
    def opinion(name: str, wish: OpinionWish) -> Response:
        return answer_json(room.opinion(name, wish.by))

    return router
