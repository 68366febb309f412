"""Which of a game's measures a run has."""

from __future__ import annotations

from playmill.arena.measure import Fields, Measure
from playmill.core.errors import unknown_name
from playmill.packs.pack import Pack
from playmill.pipeline.settings import MeasureSettings
from playmill.runs.folder import Manifest


def chosen_measures(pack: Pack, settings: MeasureSettings) -> tuple[Measure, ...]:
    """All that the game's pack has, or the one that the settings name; none where no games are played for them."""
    known = {measure.name: measure for measure in pack.measures}
    if settings.name is not None and settings.name not in known:
        raise unknown_name("measure", settings.name, known)
    chosen = pack.measures if settings.name is None else (known[settings.name],)
    for measure in chosen:
        if measure.baseline is not None and measure.baseline not in pack.bots:
            raise unknown_name(f"bot of the measure {measure.name}", measure.baseline, pack.bots)
    return chosen if settings.games else ()


def known_measurements(manifest: Manifest, name: str, games: int, seed: int) -> dict[str, Fields]:
    """What earlier iterations found by the measure `name` in the same games: by weights, or by the bot's name."""
    entries = [entry.measure for entry in manifest.iterations if entry.measure]
    return {
        entry.models.get(role, role): fields
        for entry in entries
        if (entry.games, entry.seed) == (games, seed)
        for role, fields in entry.results.get(name, {}).items()
    }
