"""Counting: complete games, and distinct positions ply by ply. Outside authorities know these numbers for many games.

Only for games without chance: with dice there is no one tree to count.
"""

from __future__ import annotations

import numpy as np

from playmill.core.errors import UsageError, require_positive
from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.game import Game
from playmill.games.kernels import has_chance, key, legal, outcome, play

DEEPEST = 4096  # plies that a game may have where no limit is given
BATCH = 100_000  # positions, at most, that one batch can add
NO_CHANCE = ZERO = np.uint64(0)
FREE = -1


def count_games(game: Game, max_plies: int | None = None) -> int:
    """How many different complete games there are; with `max_plies`, only those that end within so many plies."""
    _refuse_chance(game)
    deepest = DEEPEST if max_plies is None else require_positive("max_plies", max_plies)
    stack = game.records(deepest + 1)
    stack[0] = game.new().record
    listed = np.empty((deepest + 1, game.max_legal), np.int32)
    complete, cut_off = walk(game, stack, listed, np.full(deepest + 1, FREE), np.empty(game.players))
    if cut_off and max_plies is None:
        raise UsageError(f"{game.name}: there are games of more than {DEEPEST} plies; give max_plies")
    return int(complete)


def count_positions(game: Game, plies: int) -> list[int]:
    """How many distinct positions each ply from 0 to `plies` has.

    A finished position counts at its ply and is not played on; a position that can be reached at two plies counts twice.
    """
    _refuse_chance(game)
    layer = Layer(game)
    layer.add_start()
    counts = [layer.count]
    for _ in range(require_positive("plies", plies)):
        layer = layer.successors()
        counts.append(layer.count)
    return counts


def _refuse_chance(game: Game) -> None:
    if has_chance(game):
        raise UsageError(f"{game.name}: perft counts the tree of a game without chance, and this game has some")


class Layer:
    """The distinct positions of one ply, found again by key: `table` is open-addressed and holds row numbers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.count = 0
        self._make_room(BATCH)

    def add_start(self) -> None:
        self.records[0] = self.game.new().record
        self.count = 1

    def successors(self) -> Layer:
        """The next ply's positions. Rows are expanded in batches, each with room for all that it could add."""
        found = Layer(self.game)
        actions, scores = np.empty(self.game.max_legal, np.int32), np.empty(self.game.players)
        rows = max(1, BATCH // self.game.max_legal)
        for first in range(0, self.count, rows):
            batch = self.records[first : min(first + rows, self.count)]
            found._reserve(len(batch) * self.game.max_legal)
            found.count = expand(self.game, batch, found.records, found.keys, found.table, found.count, actions, scores)
        return found

    def _reserve(self, more: int) -> None:
        if self.count + more > len(self.records):
            records, keys = self.records[: self.count], self.keys[: self.count]
            self._make_room(2 * (self.count + more))
            self.records[: self.count] = records
            self.keys[: self.count] = keys
            rebuild(self.table, keys)

    def _make_room(self, rows: int) -> None:
        self.records = self.game.records(rows)
        self.keys = np.empty(rows, np.uint64)
        self.table = np.full(1 << (2 * rows).bit_length(), FREE)


# ------------------------------------------------------------------ kernels


@kernel
def walk(game, stack, listed, waiting, scores):
    """Walk the whole tree below stack[0]; return how many games ended and how many were cut off by the stack's size.

    Each depth has its record, its legal actions in `listed`, and in `waiting` how many of them are still to be played.
    """
    complete, cut_off = 0, 0
    depth = 0
    waiting[0] = FREE
    while depth >= 0:
        if waiting[depth] == FREE:
            waiting[depth] = 0
            if outcome(game, stack[depth], scores):
                complete += 1
            elif depth == waiting.size - 1:
                cut_off += 1
            else:
                waiting[depth] = legal(game, stack[depth], listed[depth])
        if waiting[depth] == 0:
            depth -= 1
            continue
        waiting[depth] -= 1
        stack[depth + 1] = stack[depth]
        play(game, stack[depth + 1], listed[depth, waiting[depth]], NO_CHANCE)
        depth += 1
        waiting[depth] = FREE
    return complete, cut_off


@kernel
def expand(game, batch, records, keys, table, count, actions, scores):
    """Append the new positions that one action leads to from `batch`; return how many rows there are then."""
    for row in range(batch.size):
        if outcome(game, batch[row], scores):
            continue
        for i in range(legal(game, batch[row], actions)):
            records[count] = batch[row]
            play(game, records[count], actions[i], NO_CHANCE)
            keys[count] = key(game, records[count])
            place = find(table, keys, keys[count])
            if table[place] == FREE:
                table[place] = count
                count += 1
    return count


@kernel
def rebuild(table, keys):
    """Enter all rows into an empty table; their keys are distinct."""
    for row in range(keys.size):
        table[find(table, keys, keys[row])] = row


@kernel
def find(table, keys, wanted):
    """The place in the table where the row with this key stands, or where it belongs."""
    mask = table.size - 1
    place = np.int64(mix_word(wanted, ZERO)) & mask
    while table[place] != FREE and keys[table[place]] != wanted:
        place = (place + 1) & mask
    return place
