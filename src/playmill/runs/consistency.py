"""Whether a manifest agrees with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playmill.runs.folder import Manifest

# Each counter of the manifest: the phase whose entries it adds up, and what of them.
COUNTERS = {
    "selfplay_games": ("selfplay", "games"),
    "train_steps": ("train", "steps"),
    "gate_games": ("gate", "games"),
}


def disagreement(manifest: Manifest) -> str | None:
    """Where the manifest contradicts itself."""
    done, there = manifest.iterations_done, len(manifest.iterations)
    if not 0 <= done <= there <= done + 1:
        return f"iterations_done: expected a number that fits the {there} iterations listed, got {done}"
    for index, iteration in enumerate(manifest.iterations):
        has = [entry is not None for entry in (iteration.selfplay, iteration.train, iteration.gate)]
        if iteration.number != index or has != sorted(has, reverse=True) or (index < done and not all(has)):
            return f"iterations.{index}: expected iteration {index} with its phases in order, got something else"
    for name, (phase, counted) in COUNTERS.items():
        total = sum(getattr(getattr(iteration, phase), counted) for iteration in manifest.iterations[:done])
        if getattr(manifest, name) != total:
            return f"{name}: expected {total}, the sum over the iterations, got {getattr(manifest, name)}"
    if manifest.config_snapshot not in manifest.files:
        return f"files: expected an entry for {manifest.config_snapshot}, got none"
    if manifest.best is not None and f"models/history/{manifest.best}.pt" not in manifest.files:
        return f"best: expected a network that is listed under files, got {manifest.best!r:.80}"
    return None
