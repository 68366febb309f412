"""Why candidates are rejected: every code that may stand in a rejects file, with what it means."""

from __future__ import annotations

REASONS: dict[str, str] = {
    "open": "the group is not enclosed, or too large for the solver, or the chains around it might be captured",
    "too_deep": "not decided within the budget",
    "settled": "the side to play can't change the group's fate",
    "ko": "the best result is a ko",
    "seki": "the best result is a seki",
    "ambiguous": "more than one first move is right, or playing elsewhere is",
    "undecided": "a first move could be neither proved nor refuted within the budget",
    "trivial": "the right move captures the group, or saves it from capture, at once",
    "ladder": "the solution is a plain ladder",
    "crop_changed": "the cropped position has another status or another right move than the whole board",
    "no_frame": "the board has no room for the frame in which an engine judges",
    "unrefuted": "a plausible wrong move has no refutation that could be shown",
    "duplicate": "the same puzzle came before, in whatever orientation or colours",
}
