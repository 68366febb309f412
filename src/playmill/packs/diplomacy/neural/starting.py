"""A file of settings to start a run from."""

from __future__ import annotations

from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
from playmill.runs.settings_text import commented_yaml

# An hour or so on two cores.
SMALL = {
    "iterations": 4,
    "net.channels": 32,
    "net.blocks": 2,
    "search.candidates": 8,
    "selfplay.settings.budget.amount": 16,
    "selfplay.settings.max_year": 1907,
    "selfplay.settings.temperature": 0.3,
    "train.steps_per_iteration": 200,
    "train.bootstrap": 0.3,
    "train.lr_end": 0.1,
    "gate.budget.amount": 16,
    "gate.max_year": 1906,
}


def starting_file() -> str:
    """The commented settings of a first run."""
    head = "A first run: playmill run THIS_FILE --out runs/diplomacy. Keys that are left out have their default."
    return commented_yaml(DiplomacyRunSettings, head, {"game": "diplomacy", **SMALL})
