"""Lines of the engine's protocol: the limits after `go`, and what `info` tells."""

from __future__ import annotations

from typing import Any

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.geography import LETTERS
from playmill.games.diplomacy.order_words import shortened
from playmill.games.diplomacy.state import power_name
from playmill.packs.diplomacy.players.engine_options import read_whole
from playmill.packs.diplomacy.players.player import Decision, DiplomacyPlayer
from playmill.packs.diplomacy.search.budgets import Budget

LIMITS = {"movetime": "movetime_ms", "nodes": "nodes", "iterations": "iterations"}
LARGEST_LIMIT = 10**15
FOREVER_MS = 1e12
INFINITE = Budget(movetime_ms=FOREVER_MS)


def read_budget(text: str) -> Budget:
    """The limits after `go`; none leaves it to the strength, `infinite` to `stop`."""
    words = text.split()
    if words == ["infinite"]:
        return INFINITE
    limits: dict[str, Any] = {}
    for name, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if name not in LIMITS:
            raise UsageError(f"go: expected {', '.join(LIMITS)} or infinite, got '{shortened(name)}'")
        amount = read_whole(value)
        if amount is None or not 0 < amount <= LARGEST_LIMIT:
            what = "a whole number above 0" if amount is None or amount == 0 else f"at most {LARGEST_LIMIT}"
            raise UsageError(f"go: {name}: expected {what}, got '{shortened(value)}'")
        limits[LIMITS[name]] = amount
    return Budget(**limits)


def describe(board: Board, power: int, player: DiplomacyPlayer, decision: Decision, seconds: float) -> list[str]:
    """The `info` lines of a search: what was done, by which budget it ended, what it expects for all powers."""
    done = write_counts(decision.nodes, decision.iterations, seconds)
    values = " ".join(f"{letter} {value:.4f}" for letter, value in zip(LETTERS, decision.values, strict=True))
    return [
        f"info phase {board.year}{board.phase} power {power_name(power)} search {player.kind} {done} ended {decision.used}",
        f"info value {decision.values[power]:.4f} values {values}",
    ]


def write_counts(nodes: int, iterations: int, seconds: float) -> str:
    """What a search has done, in the words of an `info` line."""
    rate = round(nodes / max(seconds, 1e-9))
    return f"nodes {nodes} iterations {iterations} time {round(seconds * 1000)} nps {rate}"
