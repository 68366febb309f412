"""Questions about a chain that a board's counters don't answer: its stones, its liberties, the chains beside it."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.go.board import EMPTY


@kernel
def list_liberties(board, head, found):
    """Fill `found` with the chain's liberties, ascending by stone, as many as fit; return how many that were."""
    stride = np.int64(board.width) + 1
    count = 0
    at, last = head, head
    while at <= last + stride and count < found.size:
        if board.head[at] == head:
            last = at
            for step in (-stride, -1, 1, stride):
                if board.colour[at + step] == EMPTY and count < found.size:
                    count = add_new(found, count, at + step)
        at += 1
    return count


@kernel
def list_neighbours(board, head, found):
    """Fill `found` with the heads of the other colour's chains beside this one, as many as fit; return how many."""
    stride = np.int64(board.width) + 1
    enemy = 3 - np.int64(board.colour[head])
    count = 0
    at, last = head, head
    while at <= last + stride:
        if board.head[at] == head:
            last = at
            for step in (-stride, -1, 1, stride):
                if board.colour[at + step] == enemy and count < found.size:
                    count = add_new(found, count, np.int64(board.head[at + step]))
        at += 1
    return count


@kernel
def add_new(found, count, value):
    """Add a value that is not among the first `count`; return how many there are then."""
    for i in range(count):
        if found[i] == value:
            return count
    found[count] = value
    return count + 1


@kernel
def count_stones(board, head):
    """How many stones a chain has."""
    stride = np.int64(board.width) + 1
    count = 0
    at, last = head, head
    while at <= last + stride:
        if board.head[at] == head:
            last = at
            count += 1
        at += 1
    return count


@kernel
def liberties_after(board, cell, own):
    """How many liberties a stone that captures nothing would have with its chain, counted up to 2."""
    stride = np.int64(board.width) + 1
    found, near = np.full(2, -1, np.int64), np.empty(3, np.int64)
    count = 0
    for step in (-stride, -1, 1, stride):
        stone = board.colour[cell + step]
        total = 0
        if stone == EMPTY:
            near[0], total = cell + step, 1
        elif stone == own:
            total = list_liberties(board, np.int64(board.head[cell + step]), near)
        for i in range(total):
            if near[i] != cell and near[i] != found[0] and count < 2:
                found[count] = near[i]
                count += 1
    return count
