"""The greedy bot of EXCHANGE: hits the king if it can, else hits to kill, else as hard as it can, else moves at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.exchange.board import BASE_DAMAGE, DECREE_BONUS, DIE, KING, TYPE_OF
from playmill.games.exchange.moves import ATTACK, PASS, SKIRMISH
from playmill.games.game import Game
from playmill.games.kernels import legal
from playmill.play.kernels import draw_best
from playmill.play.player import Ask, PlainPlayer
from playmill.search.decisions import Array

# Base damage and bonus rank the hits among themselves; these, whom they are for.
AT_KING, CAN_KILL, HIT = 300, 200, 100


class GreedyBot(PlainPlayer):
    """One ply deep and without a network. A hit can kill if the best die does; of equal ones each is as likely."""

    name = "greedy"
    draws = True

    def __init__(self, game: Game) -> None:
        self.game = game

    def pick(self, ask: Ask) -> Array:
        actions = np.empty(ask.lanes.size, np.int32)
        pick_greedily(self.game, ask.records, ask.words, np.empty(self.game.max_legal, np.int32), actions)
        return actions


@kernel
def pick_greedily(game: Any, records: Any, words: Any, scratch: Any, out: Any) -> Any:
    """Each game's action; ties are broken by its word."""
    worths = np.empty(scratch.size, np.int64)
    for i in range(records.size):
        count = legal(game, records[i], scratch)
        for k in range(count):
            worths[k] = rank(records[i], np.int64(scratch[k]))
        out[i] = scratch[draw_best(worths[:count], words[i])]


@kernel
def rank(state: Any, action: Any) -> Any:
    """How much the bot likes a move: 0 if it hits nothing. The die is the same for all, so it is left out."""
    if action == PASS or not ATTACK <= action & 7 <= SKIRMISH:
        return 0
    target = action >> 3 & 63
    damage = BASE_DAMAGE[TYPE_OF[state.piece[action >> 15]]] + (DECREE_BONUS if state.decree[state.mover] > 0 else 0)
    if TYPE_OF[state.piece[target]] == KING:
        return AT_KING + damage
    return (CAN_KILL if state.hp[target] <= damage + DIE else HIT) + damage
