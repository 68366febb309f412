"""Random games of EXCHANGE that no number of plies ends: what is known of its draws was found in such games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import CHOICES, START, below_word, mix_word
from playmill.games.exchange.board import MAX_REPEATS, MAX_TURNS
from playmill.games.game import Game
from playmill.games.kernels import legal, outcome, play, start

EVERY_CHOICE, THE_START = np.uint64(CHOICES), np.uint64(START)
SET_BACK = 200  # even, so that the side to move stays what it is
LONGEST = 100_000  # plies, after which a game counts as drawn; none has come near
ONLY_KINGS, REPEATED = 1, 2


def unlimited_draws(game: Game, games: int) -> dict[str, Any]:
    """The share of draws, and of each of their reasons, and the plies of so many random games."""
    plies, reasons = np.zeros(games, np.int64), np.zeros(games, np.int8)
    play_all(game, game.records(2), plies, reasons, np.empty(game.max_legal, np.int32), np.zeros(2))
    shares = {"only_kings": float((reasons == ONLY_KINGS).mean()), "repeated": float((reasons == REPEATED).mean())}
    return {"draws": float((reasons > 0).mean()), **shares, "plies": float(plies.mean())}


@kernel
def play_all(game: Any, records: Any, plies: Any, reasons: Any, actions: Any, scores: Any) -> None:
    """Play random games 0, 1, ...; note their plies and why they were drawn, 0 if they were not. `records` are two, blank."""
    for i in range(plies.size):
        records[1] = records[0]
        episode = np.uint64(i)
        start(game, records[1], mix_word(episode, THE_START))
        plies[i] = play_on(game, records[1], episode, actions, scores)
        if scores[0] == scores[1]:
            reasons[i] = REPEATED if records[1].repeats >= MAX_REPEATS else ONLY_KINGS


@kernel
def play_on(game: Any, state: Any, episode: Any, actions: Any, scores: Any) -> Any:
    """Play a random game to its end; return how many plies it took. The rules never see their last turn: turns are set back."""
    choices, plies = mix_word(episode, EVERY_CHOICE), 0
    while not outcome(game, state, scores) and plies < LONGEST:
        word = mix_word(choices, np.uint64(plies))
        pick = below_word(word, legal(game, state, actions))
        play(game, state, actions[pick], mix_word(episode, np.uint64(plies)))
        plies += 1
        if state.turn == MAX_TURNS - 1:
            state.turn -= SET_BACK
        if state.quiet == MAX_TURNS - 1:  # there is room for no more quiet moves: what was before them is forgotten
            state.trail[:] = 0
            state.quiet = 0
    return plies
