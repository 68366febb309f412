"""Self-play's two players: how each searches, and what they are to each other in words for people.

Where one network plays both, the one that searches a tree is the teacher and the one that looks one ply deep its student.
"""

from __future__ import annotations

from pathlib import Path

from playmill.core.errors import UsageError
from playmill.pipeline.settings import RunSettings, load_settings
from playmill.search.settings import SearchSettings

NAMES = ("best", "opponent")  # what files call them
SHALLOW = "one_ply"

Roles = tuple[str, str]


def searches_of(settings: RunSettings) -> list[SearchSettings]:
    """The best's search, and the opponent's where there is one."""
    opponent = settings.selfplay.opponent
    if opponent.share == 0:
        return [settings.search]
    if opponent.search is not None and opponent.budget is not None:
        raise UsageError("selfplay.opponent.budget: selfplay.opponent.search has its own; leave one of them out")
    if opponent.search is not None:
        return [settings.search, opponent.search]
    if opponent.budget is None:
        return [settings.search, settings.search]
    if settings.search.kind != "puct":
        raise UsageError(f"selfplay.opponent.budget: a search of the kind {settings.search.kind} has none; leave it out")
    puct = settings.search.puct.model_copy(update={"budget": opponent.budget, "budget_second": None})
    return [settings.search, settings.search.model_copy(update={"puct": puct})]


def roles_of(settings: RunSettings) -> Roles:
    """The best's and its opponent's role; with the kinds of their searches, where these differ."""
    best, opponent = NAMES
    kinds = [search.kind for search in searches_of(settings)]
    if len(set(kinds)) < 2:
        return best, opponent
    if settings.selfplay.opponent.model is None and kinds[1] == SHALLOW:
        best, opponent = "teacher", "student"
    return f"{best} ({kinds[0]})", f"{opponent} ({kinds[1]})"


def roles_in(config: Path) -> Roles:
    """Likewise of the run with this file of settings; of one that the engine does not run: plain names."""
    try:
        return roles_of(load_settings(config)[0])
    except UsageError:
        best, opponent = NAMES
        return best, opponent
