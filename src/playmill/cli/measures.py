"""What a run's measures have to show; the screen and the report read it here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playmill.packs.registry import find_pack

if TYPE_CHECKING:
    from playmill.arena.measure import Column, Fields, Measure
    from playmill.runs.entries import MeasureEntry
    from playmill.runs.folder import Iteration, Manifest

SHOWN = "best"  # of the bots that were measured


def measures_of(manifest: Manifest) -> list[Measure]:
    """The measures of the game's pack that the run has results of."""
    names = {name for entry in manifest.iterations if entry.measure for name in entry.measure.results}
    return [measure for measure in find_pack(manifest.game).measures if measure.name in names]


def columns_of(manifest: Manifest) -> list[tuple[Measure, Column]]:
    """What their tables have for them."""
    return [(measure, column) for measure in measures_of(manifest) for column in measure.columns]


def cells_of(entry: Iteration, columns: list[tuple[Measure, Column]]) -> list[str]:
    """An iteration's cells; empty where it was not measured."""
    found = [(found_by(measure, entry), column) for measure, column in columns]
    return ["" if fields is None else column.cell(fields) for fields, column in found]


def found_by(measure: Measure, entry: Iteration) -> Fields | None:
    """What was measured of the best in an iteration."""
    return entry.measure.results.get(measure.name, {}).get(SHOWN) if entry.measure else None


def words_of(entry: MeasureEntry, game: str) -> str:
    """What a measurement came to, in a line."""
    known = {measure.name: measure for measure in find_pack(game).measures}
    lines = [known[name].words(found[SHOWN]) for name, found in entry.results.items() if name in known and SHOWN in found]
    return "; ".join(lines)
