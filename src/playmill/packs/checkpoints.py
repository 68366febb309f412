"""Checkpoints whose game nobody has named."""

from __future__ import annotations

from pathlib import Path

from playmill.nets.checkpoint import Checkpoint, load_checkpoint, read_payload
from playmill.packs.registry import find_pack


def open_checkpoint(path: Path) -> Checkpoint:
    """The checkpoint in the file, with the pack of its game loaded."""
    meta = read_payload(path).get("meta")
    if isinstance(meta, dict) and isinstance(meta.get("game"), str):
        find_pack(meta["game"])
    return load_checkpoint(path)
