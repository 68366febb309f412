"""One position through the eyes of a search, for people: what it would play, and what it thinks of each action."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.evaluation import Evaluator
from playmill.core.seeds import SEARCH, mix
from playmill.games.state import State
from playmill.search.decisions import Decisions, finish
from playmill.search.make import make_searcher
from playmill.search.settings import SearchSettings

SHOWN = 12  # actions in a text or a table
COLUMNS = {"policy": "{:.1%}", "visits": "{}", "value": "{:+.3f}", "prior": "{:.1%}"}


@dataclass(frozen=True)
class SearchedAction:
    """One action; None where the search has nothing to say (an exact one counts no visits)."""

    action: int
    text: str
    policy: float
    visits: int | None
    value: float | None  # to the mover
    prior: float | None  # what the network said before the search


@dataclass(frozen=True)
class SearchResult:
    """What a search found about a state. Actions are those that differ in effect, best first."""

    state: State
    kind: str
    value: float  # of the state to its mover
    player_values: tuple[float, ...]  # of the state to each player, by seat
    actions: tuple[SearchedAction, ...]

    @property
    def best(self) -> int:
        """The action that the search would play."""
        return self.actions[0].action

    @property
    def policy(self) -> dict[int, float]:
        """How likely each action should be; adds up to 1."""
        return {each.action: each.policy for each in self.actions}

    @property
    def visits(self) -> dict[int, int]:
        """How many simulations went through each action; empty for a search that counts none."""
        return {each.action: each.visits for each in self.actions if each.visits is not None}

    @property
    def values(self) -> dict[int, float]:
        """What each action is worth to the mover, of those that were looked at."""
        return {each.action: each.value for each in self.actions if each.value is not None}

    @property
    def priors(self) -> dict[int, float]:
        """How likely the network held each action before the search; empty for a search that never asks."""
        return {each.action: each.prior for each in self.actions if each.prior is not None}

    def __repr__(self) -> str:
        """The title, and a line for each of the best actions."""
        rows = [["action", "", *self._columns()], *self._cells()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(_padded(cell, width, i) for i, (cell, width) in enumerate(zip(row, widths, strict=True))) for row in rows
        ]
        return "\n".join([self._title(), *(f"  {line}".rstrip() for line in lines), *self._rest()])

    def _repr_html_(self) -> str:
        """What a notebook shows: the state beside the table."""
        picture = self.state.svg() or f"<pre>{escape(str(self.state))}</pre>"
        head = "".join(f"<th>{escape(name)}</th>" for name in ("action", "", *self._columns()))
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._cells())
        rest = "".join(f"<p>{escape(line.strip())}</p>" for line in self._rest())
        table = f"<b>{escape(self._title())}</b><table><tr>{head}</tr>{rows}</table>{rest}"
        return f'<div style="display:flex;gap:1.5em;align-items:flex-start"><div>{picture}</div><div>{table}</div></div>'

    def _title(self) -> str:
        best, state = self.actions[0], self.state
        spent = f" after {sum(self.visits.values())} visits" if self.visits else ""
        worth = f"worth {self.value:+.3f} to player {state.to_move}{spent}"
        return f"{state.game.name} ply {state.ply}: {best.text} (action {best.action}), {worth}"

    def _columns(self) -> list[str]:
        """Those that have anything to say."""
        return [name for name in COLUMNS if any(getattr(each, name) is not None for each in self.actions)]

    def _cells(self) -> list[list[str]]:
        names = self._columns()
        return [[str(each.action), each.text, *(_cell(each, name) for name in names)] for each in self.actions[:SHOWN]]

    def _rest(self) -> list[str]:
        more = len(self.actions) - SHOWN
        return [f"  ... and {more} more"] if more > 0 else []


def _cell(each: SearchedAction, name: str) -> str:
    value = getattr(each, name)
    return "" if value is None else COLUMNS[name].format(value)


def _padded(cell: str, width: int, place: int) -> str:
    """Numbers to the right, the action's text to the left."""
    return cell.ljust(width) if place == 1 else cell.rjust(width)


def search_state(state: State, evaluator: Evaluator, settings: SearchSettings) -> SearchResult:
    """Search one state, without noise and with chance of the search's own: the same state gives the same result."""
    if state.is_over:
        raise UsageError(f"{state.game.name}: there is nothing to search, the game is over in '{state.line}'")
    searcher = make_searcher(state.game, settings, evaluator, 1)
    records = state.game.records(1)
    records[0] = state.record
    stream = np.array([mix(mix(state.seed, SEARCH), state.ply)], np.uint64)
    seen = finish(searcher.search(np.zeros(1, np.int64), records, stream, False))
    values = tuple(float(value) for value in seen.value[0])
    return SearchResult(state, settings.kind, float(seen.own_value[0]), values, searched_actions(state, seen))


def searched_actions(state: State, seen: Decisions) -> tuple[SearchedAction, ...]:
    """By policy, then by value; a search that counts no visits has asked for no priors either."""
    counts = bool(seen.visits[0].any())
    found = []
    for j in range(int(seen.count[0])):
        action, value = int(seen.actions[0, j]), float(seen.values[0, j])
        visits, prior = (int(seen.visits[0, j]), float(seen.priors[0, j])) if counts else (None, None)
        known = None if np.isnan(value) else value
        found.append(SearchedAction(action, state.action_text(action), float(seen.policy[0, j]), visits, known, prior))
    return tuple(sorted(found, key=lambda each: (-each.policy, -np.inf if each.value is None else -each.value, each.action)))
