"""How sure the stored policies are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from safetensors import safe_open

from playmill.replay.tables import Array


def policy_facts(paths: Iterable[Path]) -> tuple[float | None, float | None]:
    """Mean entropy in nats and mean highest probability over the policies of these shards; None, None where there is none.

    Only two columns are read, shard by shard and in their order, so the same shards give the same bits.
    """
    count, entropy, top = 0, 0.0, 0.0
    for path in paths:
        with safe_open(path, "numpy") as file:
            offsets, probs = file.get_tensor("policy_offset"), file.get_tensor("policy_prob").astype(np.float64)
        begins = offsets[:-1][np.diff(offsets) > 0]
        if begins.size:
            count += begins.size
            entropy += float(np.add.reduceat(_surprise(probs), begins).sum())
            top += float(np.maximum.reduceat(probs, begins).sum())
    return (entropy / count, top / count) if count else (None, None)


def _surprise(probs: Array) -> Array:
    """-p log p, 0 for p = 0."""
    found: Array = -probs * np.log(np.where(probs > 0, probs, 1.0))
    return found
