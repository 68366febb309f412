"""What bots come to among themselves, beside what is known of them: another reading of the rules gives other figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.bench.registry import Measured, Setup, benchmark

if TYPE_CHECKING:
    from playmill.arena.match import Match

GAMES = 2000  # a share of draws is right to one or two points
UNLIMITED = 10  # times as many, which take three seconds
# The draws of random games are known from games without a limit of plies; docs/games/exchange.md tells what that changes.
KNOWN = {"greedy": {"draws": 0.01, "plies": 53.0}, "random": {"draws": 0.08}}


@benchmark("baselines.exchange.greedy.plies", "plies/game")
def greedy_plies(setup: Setup) -> Measured:
    """Plies of a game of EXCHANGE between two greedy bots, beside the number that is known."""
    return _baseline("greedy", "plies")


@benchmark("baselines.exchange.greedy.draws", "draws/game")
def greedy_draws(setup: Setup) -> Measured:
    """Share of draws of the same games, beside the share that is known."""
    return _baseline("greedy", "draws")


@benchmark("baselines.exchange.random.draws", "draws/game")
def random_draws(setup: Setup) -> Measured:
    """Share of draws of EXCHANGE games between two random bots; half of them are cut off, of those beside it none is."""
    return _baseline("random", "draws")


@benchmark("baselines.exchange.random.unlimited", "draws/game")
def unlimited_random_draws(setup: Setup) -> Measured:
    """The same where no number of plies ends a game: what the known share is of."""
    from playmill.bench.unlimited import unlimited_draws
    from playmill.packs.registry import find_game

    games = GAMES * UNLIMITED
    found = unlimited_draws(find_game("exchange"), games)
    return _beside(found, {"games": games, **found}, "random", "draws")


def _baseline(bot: str, figure: str) -> Measured:
    from playmill.arena.entrants import find_bot
    from playmill.arena.match import play_match
    from playmill.packs.registry import find_game, find_pack

    game = find_game("exchange")
    make = find_bot(bot, game, bots=find_pack(game.name).bots, workers=1)
    match = play_match(game, [make, make], np.arange(GAMES // 2, dtype=np.uint64))
    found = {**_draws(match), "plies": float(match.plies.mean())}
    return _beside(found, {"games": match.seeds.size, **found}, bot, figure)


def _beside(found: dict[str, Any], facts: dict[str, Any], bot: str, figure: str) -> Measured:
    """One of the figures found, beside the one that is known."""
    known = KNOWN[bot][figure]
    return Measured(found[figure], {**facts, "known": KNOWN[bot]}, {"known": {"rate": known, "ratio": found[figure] / known}})


def _draws(match: Match) -> dict[str, Any]:
    """The share of draws, and of each of their three reasons."""
    from playmill.games.exchange.board import MAX_REPEATS

    is_draw, finals = match.returns[:, 0] == match.returns[:, 1], match.finals
    only_kings = is_draw & (finals["alive"] == 1).all(axis=1)
    repeated = is_draw & ~only_kings & (finals["repeats"] >= MAX_REPEATS)
    reasons = {"only_kings": only_kings, "repeated": repeated, "at_limit": is_draw & ~only_kings & ~repeated}
    return {"draws": float(is_draw.mean()), **{name: float(rows.mean()) for name, rows in reasons.items()}}
