"""Runs beside each other: their curves, and the settings in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playmill.core.errors import UsageError
from playmill.runs.view import RunView
from playmill.web.run_page import page_of

MOST = 6  # colours that can be told apart


def compare_runs(views: Sequence[RunView]) -> dict[str, Any]:
    """Each run's page without its tables, and the settings that not all have alike."""
    if not 2 <= len(views) <= MOST:
        raise UsageError(f"compare: expected 2 to {MOST} runs, got {len(views)}")
    pages = [page_of(view) for view in views]
    kept = ("name", "game", "state", "iterations_done", "iterations", "games", "strength", "figures", "charts", "version")
    return {"runs": [{key: page[key] for key in kept} for page in pages], "differences": _differences(pages)}


def _differences(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By setting, each run's value in the order of the runs; null where a run has no such setting."""
    settings = [page["settings"] for page in pages]
    names = dict.fromkeys(name for each in settings for name in each)
    rows = [{"setting": name, "values": [each.get(name) for each in settings]} for name in names]
    return [row for row in rows if any(value != row["values"][0] for value in row["values"])]
