"""A file of settings to start a loop from."""

from __future__ import annotations

from playmill.diplomacy.neural.loop_settings import LoopSettings
from playmill.pipeline.settings_text import commented_yaml

# Settings of a game that follow from the run; a file has no say in them.
FOLLOWING = frozenset(f"selfplay.settings.{name}" for name in ("version", "seed", "player", "model"))
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
    """The commented settings of a first loop."""
    head = "A first run: playmill diplomacy loop THIS_FILE --out runs/diplomacy. Keys that are left out have their default."
    return commented_yaml(LoopSettings, head, SMALL, FOLLOWING)
