"""What a phase of a run came to, in a line; displays and screens say it."""

from __future__ import annotations

from playmill.packs.shown import words_of, words_of_games
from playmill.runs.entries import GateEntry, MeasureEntry, PhaseEntry, SelfPlayEntry, TrainEntry
from playmill.runs.meetings import results_words
from playmill.search.roles import Roles


def closing_line(entry: PhaseEntry, game: str, roles: Roles) -> str:
    """What a phase of a run of the game came to, in a line; `roles` are those of self-play's players."""
    match entry:
        case SelfPlayEntry():
            rate = "all of them played before" if entry.games_s is None else f"{entry.games_s:,.1f} games/s"
            told = words_of_games(entry, game)
            words = f"{entry.games:,} games, {entry.samples:,} samples, {rate}{results_words(entry, roles)}"
            return words + (f"; {told}" if told else "")
        case TrainEntry():
            losses = ", ".join(f"{name} {loss:.4f}" for name, loss in entry.losses.items())
            return f"{entry.steps:,} steps, {entry.samples_s:,.0f} samples/s; losses: {losses}"
        case GateEntry():
            verdict = "promoted" if entry.promote else "not promoted"
            return f"{entry.win_rate:.1%} of {entry.games:,} games, {verdict}: {entry.reason}"
        case MeasureEntry():
            return words_of(entry, game)
