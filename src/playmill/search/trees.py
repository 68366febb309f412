"""The arena: one tree a game, nodes and edges by index, nothing allocated while searching.

A node is a decision: a state and, once evaluated, its choices. A choice that was taken has an edge; where chance decides, that
has several realised children and, if the search asks for it, a node for what the action alone made of the state (its
afterstate).
Children are found by the key of their state (`table`), and a state that stands elsewhere in the tree already lends its
evaluation, one number a player, so a tree is its own evaluation cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.core.evaluation import EvalBuffer
from playmill.core.jit import inlined_kernel, kernel
from playmill.games.game import Game
from playmill.search.memory import LINE, prefetch, unowned

NEW, PENDING, EXPANDED, TERMINAL = 0, 1, 2, 3
STAGE = 3  # the bits of a status that hold one of these
AFTERSTATE = 4  # added to the status of one: new, pending, or
SETTLED = AFTERSTATE + EXPANDED  # evaluated; it has no choices
EVEN = 8  # added to an expanded node's: its logits were not finite, and its priors were made uniform
KIND = STAGE | AFTERSTATE  # the bits of a status without that
NONE, LOGITS = -1, -2  # no edge; no edge, and the node's priors are still logits (said by its first choice)
FETCHED_CHOICES = 100  # the first ones of a tree, those of its root among them; most others are not looked at

# Reused visits are also counted by size: the counter `reused_from_4` is of trees that were kept with 4 to 7 visits.
REUSE_SIZES = 20
COUNTERS = (
    *("collisions", "cache_hits", "terminals", "evaluations", "fallbacks", "reused", "reuse_attempts", "reuse_hits"),
    *(f"reused_from_{1 << size}" for size in range(REUSE_SIZES)),
)
COLLISIONS, CACHE_HITS, TERMINALS, EVALUATIONS, FALLBACKS, REUSED, REUSE_ATTEMPTS, REUSE_HITS, REUSED_FROM = range(9)

NODE = [
    ("key", "<u8"),  # for evaluations: states that look the same have one
    ("first_choice", "<i4"),
    ("visits", "<i4"),  # descents that came here, those in flight included
    ("parent", "<i4"),  # the edge that leads here; -1 at the root
    ("next_same_key", "<i4"),  # the next node with the same key, or -1
    ("choice_count", "<u2"),
    ("mover", "i1"),
    ("status", "u1"),
]  # and `evaluation`, a float32 for each player: what the node's own state is worth to it
CHOICE = np.dtype(
    (
        np.record,
        [
            ("action", "<i4"),
            ("prior", "<f4"),  # a logit, until a descent passes its node
            ("edge", "<i4"),  # NONE as long as nothing has gone there: so it is with most, and they take little room
        ],
    )
)
EDGE = np.dtype(
    (
        np.record,
        [
            ("total", "<f8"),  # sum of backed-up utilities, those of the node's mover
            ("value", "<f8"),  # their mean, where each descent in flight counts as lost until its answer comes
            ("visits", "<i4"),
            ("inflight", "<i4"),  # selected, not yet backed up
            ("node", "<i4"),  # the node it leaves
            ("child", "<i4"),  # the afterstate, where there are such; else the latest child made; -1 if none
        ],
    )
)
CURSOR = np.dtype(
    (
        np.record,
        [
            ("stream", "<u8"),  # what the search imagines: word number `event` is next
            ("event", "<u8"),
            ("nodes", "<i4"),
            ("edges", "<i4"),
            ("choices", "<i4"),
            ("waiting", "<i4"),  # leaves sent out for evaluation
            ("budget", "<i4"),  # simulations of this decision
            ("row", "<i4"),  # where the first of them stands in the batch; the others follow
        ],
    )
)


class Trees(NamedTuple):
    """The arrays of many trees; first index = game. A NamedTuple, since Numba takes it as one argument."""

    nodes: Any  # `node_type` [games, nodes]
    edges: Any  # EDGE [games, nodes]: a descent makes one at most, as it makes one node
    choices: Any  # CHOICE [games, nodes * max_legal]
    states: Any  # the game's records [games, nodes]
    table: Any  # int32 [games, slots]: node by key, -1 empty
    cursors: Any  # CURSOR [games]
    noise: Any  # float32 [games, max_legal]: root noise, used where epsilon > 0; NaN: not drawn yet
    leaves: Any  # int32 [games, inflight]: nodes sent out
    counters: Any  # int64, one a name in COUNTERS, of all games together


def make_trees(game: Game, games: int, max_visits: int, inflight: int) -> Trees:
    """Room for `games` searches of up to `max_visits` simulations each."""
    nodes = max_visits + inflight + 2
    slots = 1 << (2 * nodes - 1).bit_length()
    return Trees(
        nodes=_aligned((games, nodes), node_type(game.players)),
        edges=_aligned((games, nodes), EDGE),
        choices=np.zeros((games, nodes * game.max_legal), CHOICE),
        states=np.zeros((games, nodes), game.state),
        table=np.full((games, slots), -1, np.int32),
        cursors=np.zeros(games, CURSOR),
        noise=np.zeros((games, game.max_legal), np.float32),
        leaves=np.zeros((games, inflight), np.int32),
        counters=np.zeros(len(COUNTERS), np.int64),
    )


class Tree(NamedTuple):
    """One game's part of the arrays."""

    nodes: Any
    edges: Any
    choices: Any
    states: Any
    table: Any
    cursor: Any  # one CURSOR
    noise: Any
    leaves: Any
    counters: Any  # shared by all


def node_type(players: int) -> np.dtype[Any]:
    """The record of a node."""
    return np.dtype((np.record, [*NODE, ("evaluation", "<f4", (players,))]))


class LeafBatch(NamedTuple):
    """What goes to the evaluator and comes back, a row a leaf, and room to work on a row."""

    features: Any  # float32 or uint8 [rows, features]: these are the evaluator's own, as its buffer has them
    asked: Any  # int32 [rows, actions or 0, 2]: which logits are asked for; with none, all come back
    logits: Any  # float32 [rows, logits], or [rows, actions]: the sums asked for
    values: Any  # float32 [rows, columns]: the answers of all heads, side by side
    worth: Any  # float64 [players, columns]: what the answers are worth; row r is that of the r-th player from the mover
    actions: Any  # int32 [max_legal]
    weights: Any  # float64 [max_legal]
    scores: Any  # float64 [players]


def make_batch(game: Game, buffer: EvalBuffer, worth: Any) -> LeafBatch:
    """A batch that lies in an evaluator's buffer."""
    return LeafBatch(
        features=buffer.features,
        asked=buffer.asked,
        logits=buffer.logits,
        values=buffer.values,
        worth=worth,
        actions=np.zeros(game.max_legal, np.int32),
        weights=np.zeros(game.max_legal),
        scores=np.zeros(game.players),
    )


def _aligned(shape: tuple[int, int], dtype: Any) -> Any:
    """Zeros that begin where a line of the cache does, so that a record of half a line never lies in two."""
    size = shape[0] * shape[1] * dtype.itemsize
    room = np.zeros(size + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size].view(dtype).reshape(shape)


# ------------------------------------------------------------------ for kernels


@kernel
def unowned_trees(trees: Trees) -> Trees:
    """The same trees, every array without an owner."""
    return Trees(
        unowned(trees.nodes),
        unowned(trees.edges),
        unowned(trees.choices),
        unowned(trees.states),
        unowned(trees.table),
        unowned(trees.cursors),
        unowned(trees.noise),
        unowned(trees.leaves),
        unowned(trees.counters),
    )


@kernel
def tree_of(trees: Trees, g: int) -> Tree:
    """The tree of game g."""
    return Tree(
        trees.nodes[g],
        trees.edges[g],
        trees.choices[g],
        trees.states[g],
        trees.table[g],
        trees.cursors[g : g + 1],
        trees.noise[g],
        trees.leaves[g],
        trees.counters,
    )


@inlined_kernel
def prefetch_tree(tree: Tree) -> None:
    """Have a tree come into the cache, as far as a few simulations are likely to need it."""
    cursor = tree.cursor[0]
    prefetch(tree.nodes, cursor.nodes)
    prefetch(tree.edges, cursor.edges)
    prefetch(tree.states, cursor.nodes)
    prefetch(tree.table, tree.table.size)
    prefetch(tree.choices, min(cursor.choices, FETCHED_CHOICES))


@kernel
def unowned_batch(batch: LeafBatch) -> LeafBatch:
    """The same batch, every array without an owner."""
    return LeafBatch(
        unowned(batch.features),
        unowned(batch.asked),
        unowned(batch.logits),
        unowned(batch.values),
        unowned(batch.worth),
        unowned(batch.actions),
        unowned(batch.weights),
        unowned(batch.scores),
    )
