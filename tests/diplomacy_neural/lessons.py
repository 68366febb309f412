"""A small training job, the same in the tests and in the process that they kill."""

from __future__ import annotations

from pathlib import Path

from diplomacy_neural.playing import SPEC
from playmill.diplomacy.neural.plan import DiplomacyJob
from playmill.train.settings import TrainSettings

SETTINGS = TrainSettings(batch_size=16, lr=3e-3, warmup=5, autosave_steps=4, log_steps=5, threads=2)


def make_job(folder: Path, **fields) -> DiplomacyJob:
    """Twelve steps on FOLDER/games.jsonl."""
    wanted = {
        "data": (folder / "games.jsonl",),
        "out": folder / "net.pt",
        "settings": SETTINGS,
        "spec": SPEC,
        "seed": 3,
        "steps": 12,
    }
    return DiplomacyJob(**{**wanted, **fields})
