"""Seed sets: the episodes that a gate is played on, named, hashed and kept in a file.

A set follows from its root seed and its length alone. Seeds have 53 bits, so that any reader of JSON holds them exactly.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from playmill.arena.gate_settings import MAX_SEEDS
from playmill.core.documents import parse_object, read_bytes
from playmill.core.errors import UsageError, require_positive, require_seed
from playmill.core.files import atomic_write
from playmill.core.seeds import mix
from playmill.search.decisions import Array

FORMAT, VERSION = "playmill.seeds", 1
SPARE_BITS = 11  # of 64, so that 53 are left


@dataclass(frozen=True)
class SeedSet:
    """Episode seeds in order; a set that is longer begins with the same ones."""

    name: str
    seeds: tuple[int, ...]

    @property
    def seeds_hash(self) -> str:
        return hash_seeds(self.seeds)

    def array(self) -> Array:
        """The seeds as kernels want them, uint64."""
        return np.array(self.seeds, np.uint64)

    def first(self, count: int) -> SeedSet:
        """The first `count` of them."""
        if count > len(self.seeds):
            raise UsageError(
                f"seed set '{self.name}': {count} seeds are needed, but it has {len(self.seeds)}; make a longer one"
            )
        return SeedSet(self.name, self.seeds[:count])


def derive_seeds(count: int, seed: int = 0, name: str | None = None) -> SeedSet:
    """A set of `count` seeds that follow from `seed`."""
    root = require_seed(seed)
    seeds = tuple(mix(root, i) >> SPARE_BITS for i in range(require_positive("count", count, MAX_SEEDS)))
    return SeedSet(name or f"seed {seed}", seeds)


def pair_seeds(games: int, seed: int = 0) -> SeedSet:
    """The seeds of so many games, one for each two with the seats exchanged; fewer than four have no interval."""
    if games < 4 or games % 2:
        raise UsageError(f"games: expected an even number of at least 4, two for each seed, got {games}")
    return derive_seeds(games // 2, seed)


def hash_seeds(seeds: tuple[int, ...]) -> str:
    """SHA-256 over the seeds in order, eight little-endian bytes each."""
    return hashlib.sha256(np.array(seeds, "<u8").tobytes()).hexdigest()


def save_seeds(path: Path, chosen: SeedSet) -> None:
    """Write a set for later gates (`docs/formats.md`)."""
    fields = {"format": FORMAT, "version": VERSION, "name": chosen.name, "sha256": chosen.seeds_hash, "seeds": chosen.seeds}
    atomic_write(path, json.dumps(fields) + "\n")


def load_seeds(path: Path) -> SeedSet:
    """The set in the file; refused if it is no seed set, of another version, or altered."""
    return _checked(path, parse_object(read_bytes(path, "`playmill seed-set` makes a seed set"), str(path)))


def _checked(path: Path, fields: dict[str, Any]) -> SeedSet:
    if fields.get("format") != FORMAT:
        raise UsageError(f"{path}: expected a seed set with format '{FORMAT}'")
    if fields.get("version") != VERSION:
        raise UsageError(f"{path}: version: expected {VERSION}, got {fields.get('version')!r}")
    seeds, name = fields.get("seeds"), fields.get("name")
    if not isinstance(name, str) or not isinstance(seeds, list) or not seeds or not all(_is_seed(s) for s in seeds):
        raise UsageError(f"{path}: expected a name and a list of whole numbers from 0 to 2**64 - 1")
    found = SeedSet(name, tuple(seeds))
    if found.seeds_hash != fields.get("sha256"):
        raise UsageError(f"{path}: the seeds don't fit their checksum: expected {fields.get('sha256')}, got {found.seeds_hash}")
    return found


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64
