"""The capture bot of Go: takes the most stones it can, else saves the most from atari, else plays or passes at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.game import Game
from playmill.games.go.board import beside
from playmill.games.go.chains import count_stones, liberties_after
from playmill.games.go.geometry import cell_of_action
from playmill.games.kernels import legal
from playmill.play.kernels import draw_best
from playmill.play.player import Ask, PlainPlayer
from playmill.search.decisions import Array

# What a move is worth; stones captured or saved are added to the first two.
CAPTURE, SAVE = 2000, 1000


class CaptureBot(PlainPlayer):
    """One ply deep and without a network; of equal moves each is as likely."""

    name = "capture"
    draws = True

    def __init__(self, game: Game) -> None:
        self.game = game

    def pick(self, ask: Ask) -> Array:
        actions = np.empty(ask.lanes.size, np.int32)
        pick_captures(self.game, ask.records, ask.words, np.empty(self.game.max_legal, np.int32), actions)
        return actions


@kernel
def pick_captures(game: Any, records: Any, words: Any, scratch: Any, out: Any) -> Any:
    """Each game's action; ties are broken by its word."""
    worths = np.empty(scratch.size, np.int64)
    for i in range(records.size):
        count = legal(game, records[i], scratch)
        for k in range(count):
            worths[k] = rank(records[i], np.int64(scratch[k]))
        out[i] = scratch[draw_best(worths[:count], words[i])]


@kernel
def rank(state: Any, action: Any) -> Any:
    """How much the bot likes a legal action."""
    board, own = state.board, np.int64(state.mover) + 1
    size = np.int64(board.width)
    if action == size * size:
        return 0
    cell = cell_of_action(size, action)
    captured, threatened = 0, 0
    for step in (-size - 1, -1, 1, size + 1):
        stone, head = np.int64(board.colour[cell + step]), np.int64(board.head[cell + step])
        # Each of its k stones beside the point comes by; so its stones are counted in k parts.
        if head > 0 and np.int64(board.liberties[head]) == beside(board, head, cell):
            share = count_stones(board, head) * 12 // beside(board, head, cell)
            if stone == own:
                threatened += share
            else:
                captured += share
    if captured > 0:
        return CAPTURE + captured // 12
    if threatened > 0 and liberties_after(board, cell, own) > 1:
        return SAVE + threatened // 12
    return 0
