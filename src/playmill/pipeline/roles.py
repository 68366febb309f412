"""Self-play's two players: how each searches, and what they are called."""

from __future__ import annotations

from pathlib import Path

from playmill.core.errors import UsageError
from playmill.pipeline.settings import RunSettings, load_settings
from playmill.runs.entries import BEST, OPPONENT
from playmill.search.roles import Roles, name_roles
from playmill.search.settings import SearchSettings

NAMES: Roles = (BEST, OPPONENT)  # what files call them


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
    """The best's and its opponent's, for people."""
    first, *others = searches_of(settings)
    kinds = first.kind, others[0].kind if others else first.kind
    return name_roles(NAMES, kinds, settings.selfplay.opponent.model is None)


def roles_in(config: Path) -> Roles:
    """Likewise of the run with this file of settings; of one that the engine does not run: plain names."""
    try:
        return roles_of(load_settings(config)[0])
    except UsageError:
        return NAMES
