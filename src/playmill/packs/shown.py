"""What a run's measures have to show; screens, pages and reports read it here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playmill.arena.measure import GamesSummary
from playmill.packs.registry import find_pack

if TYPE_CHECKING:
    from playmill.arena.measure import Column, Fields, Measure, Shown
    from playmill.runs.entries import MeasureEntry, SelfPlayEntry
    from playmill.runs.folder import Iteration, Manifest
    from playmill.runs.steps import Step

SHOWN = "best"  # of the bots that were measured


def measures_of(manifest: Manifest) -> list[Measure]:
    """The measures of the game's pack that the run has results of."""
    names = {name for entry in manifest.iterations if entry.measure for name in entry.measure.results}
    return [measure for measure in find_pack(manifest.game).measures if measure.name in names]


def summaries_of(manifest: Manifest) -> list[GamesSummary]:
    """Likewise what the pack has to say of self-play's games."""
    names = {name for entry in manifest.iterations if entry.selfplay for name in entry.selfplay.details}
    return [summary for summary in find_pack(manifest.game).summaries if summary.name in names]


def shown_of(manifest: Manifest) -> list[Shown]:
    """All that the run has figures of."""
    return [*measures_of(manifest), *summaries_of(manifest)]


def columns_of(manifest: Manifest) -> list[tuple[Shown, Column]]:
    """What tables have for them."""
    return [(shown, column) for shown in shown_of(manifest) for column in shown.columns]


def cells_of(entry: Iteration, columns: list[tuple[Shown, Column]]) -> list[str]:
    """An iteration's cells; empty where it was not measured."""
    found = [(found_by(shown, entry), column) for shown, column in columns]
    return ["" if fields is None else column.cell(fields) for fields, column in found]


def found_by(shown: Shown, entry: Iteration) -> Fields | None:
    """What was measured of the best in an iteration, or found in its games."""
    if isinstance(shown, GamesSummary):
        return entry.selfplay.details.get(shown.name) if entry.selfplay else None
    return entry.measure.results.get(shown.name, {}).get(SHOWN) if entry.measure else None


def last_found(shown: Shown, steps: list[Step]) -> Fields:
    """What was found last."""
    return next(found for step in reversed(steps) if (found := found_by(shown, step.entry)))


def words_of(entry: MeasureEntry, game: str) -> str:
    """What a measurement came to, in a line."""
    known = {measure.name: measure for measure in find_pack(game).measures}
    lines = [known[name].words(found[SHOWN]) for name, found in entry.results.items() if name in known and SHOWN in found]
    return "; ".join(lines)


def words_of_games(entry: SelfPlayEntry, game: str) -> str:
    """What the pack says of an iteration's games, in a line; empty where it says nothing."""
    known = find_pack(game).summaries
    return "; ".join(summary.words(entry.details[summary.name]) for summary in known if summary.name in entry.details)
