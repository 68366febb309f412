"""The arena: one tree a game, nodes and edges by index, nothing allocated while searching.

A node is a decision: a state and, once evaluated, its edges. An edge is an action; where chance decides, it has several
realised children and, if the search asks for it, a node for what the action alone made of the state (its afterstate).
Children are found by the key of their state (`table`), and a state that stands elsewhere in the tree already lends its
evaluation, so a tree is its own evaluation cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.core import cgutils
from numba.extending import intrinsic, overload

from playmill.core.jit import kernel
from playmill.games.game import Game

NEW, PENDING, EXPANDED, TERMINAL, SETTLED = 0, 1, 2, 3, 4  # an evaluated afterstate is settled; it has no edges
DECISION, AFTERSTATE = 0, 1

NODE = np.dtype(
    (
        np.record,
        [
            ("key", "<u8"),
            ("first_edge", "<i4"),
            ("edge_count", "<i4"),
            ("visits", "<i4"),
            ("parent", "<i4"),  # the edge that leads here; -1 at the root
            ("twin", "<i4"),  # the next node with a state of the same key, or -1
            ("value", "<f4"),  # its own evaluation, seen by its mover
            ("mover", "i1"),
            ("status", "u1"),
            ("kind", "u1"),  # DECISION or AFTERSTATE
        ],
    )
)
EDGE = np.dtype(
    (
        np.record,
        [
            ("action", "<i4"),
            ("prior", "<f4"),
            ("visits", "<i4"),
            ("inflight", "<i4"),  # selected, not yet backed up
            ("total", "<f8"),  # sum of backed-up values, seen by the node's mover
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
            ("waiting", "<i4"),  # leaves sent out for evaluation
            ("collisions", "<i8"),
            ("cache_hits", "<i8"),
            ("terminals", "<i8"),
            ("evaluations", "<i8"),
            ("fallbacks", "<i8"),
            ("reused", "<i8"),
        ],
    )
)
COUNTERS = ("collisions", "cache_hits", "terminals", "evaluations", "fallbacks", "reused")


class Trees(NamedTuple):
    """The arrays of many trees; first index = game. A NamedTuple, since Numba takes it as one argument."""

    nodes: Any  # NODE [games, nodes]
    edges: Any  # EDGE [games, edges]
    states: Any  # the game's records [games, nodes]
    table: Any  # int32 [games, slots]: node by key, -1 empty
    cursors: Any  # CURSOR [games]
    noise: Any  # float32 [games, max_legal]: root noise, used where epsilon > 0
    leaves: Any  # int32 [games * inflight, 2]: (game, node) of each row sent out


def make_trees(game: Game, games: int, max_visits: int, inflight: int) -> Trees:
    """Room for `games` searches of up to `max_visits` simulations each."""
    nodes = max_visits + inflight + 2
    slots = 1 << (2 * nodes - 1).bit_length()
    return Trees(
        nodes=np.zeros((games, nodes), NODE),
        edges=np.zeros((games, nodes * game.max_legal), EDGE),
        states=np.zeros((games, nodes), game.state),
        table=np.full((games, slots), -1, np.int32),
        cursors=np.zeros(games, CURSOR),
        noise=np.zeros((games, game.max_legal), np.float32),
        leaves=np.zeros((games * inflight, 2), np.int32),
    )


# ------------------------------------------------------------------ without counting references
#
# Numba counts a reference wherever a kernel takes an array out of a tuple or a row out of an array, by a locked instruction
# each time. Python holds the arrays for as long as a kernel runs, so nobody need count: tree work alone is some 10 % faster.


@intrinsic
def _without_owner(typing_context: Any, array: Any) -> Any:
    """The array with nothing to count references in."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(array)(context, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), build


def unowned(array: Any) -> Any:
    """The same array, for use inside this call only; in plain Python the array itself."""
    return array


@overload(unowned)
def _unowned(array):  # type: ignore[no-untyped-def]  # Numba wants the signature of the lambda
    return lambda array: _without_owner(array)  # type: ignore[call-arg]


@kernel
def unowned_trees(trees: Trees) -> Trees:
    """The same trees, every array without an owner."""
    return Trees(
        unowned(trees.nodes),
        unowned(trees.edges),
        unowned(trees.states),
        unowned(trees.table),
        unowned(trees.cursors),
        unowned(trees.noise),
        unowned(trees.leaves),
    )
