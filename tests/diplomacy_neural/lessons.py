"""A small training job, the same in the tests and in the process that they kill."""

from __future__ import annotations

from pathlib import Path

from diplomacy_neural.playing import SPEC
from playmill.packs.diplomacy.neural.train_settings import DiplomacyTrainSettings
from playmill.packs.diplomacy.neural.training import DiplomacyJob

SETTINGS = DiplomacyTrainSettings(batch_size=16, lr=3e-3, warmup=5, autosave_steps=4, log_steps=5, threads=2)


def with_settings(**fields) -> DiplomacyTrainSettings:
    return SETTINGS.model_copy(update=fields)


def make_job(folder: Path, **fields) -> DiplomacyJob:
    """Twelve steps on FOLDER/games.jsonl."""
    wanted = {
        "data": (folder / "games.jsonl",),
        "candidate": folder / "net.pt",
        "settings": SETTINGS,
        "spec": SPEC,
        "seed": 3,
        "steps": 12,
    }
    return DiplomacyJob(**{**wanted, **fields})
