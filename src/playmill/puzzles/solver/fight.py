"""The fight as kernels see it: the ground's graph and working memory in records, a state in three words.

A state is the defender's stones, the attacker's stones (sets of vertices) and `meta`: bit 0 says that the attacker is to move,
bit 1 that the attacker is the prover, bits 2 to 5 are the ko threats that its opponent has left, bit 6 says that the search is
strict (`dfpn.py`), and from bit 8 on stands the vertex where a ko may not be taken back at once plus 1, or 0. These three words
are all that a state is, so the table's keys are exact.

The *prover* has to reach its goal in finitely many moves, whatever the other side does: the attacker to take a marked chain for
good (`moves.py` says what that is), the defender to have all of them unconditionally alive, or to see the attacker without a
move. The prover keeps the ko rule; its opponent may take a ko back at once as often as it has ko threats, which the prover
answers elsewhere. Play that never ends is lost for the prover. The defender may pass. The attacker may while a marked chain is
off the board, and if it is the prover and a ko is banned: else it could only lose.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.records import record_of
from playmill.puzzles.solver.ground import MAX_VERTICES, Ground

DEFENDER, ATTACKER = 0, 1
PASS = MAX_VERTICES  # the move that is no vertex
MOVES = MAX_VERTICES + 1
DEPTH = 256  # moves of a line, at most

MOVER, PROVER, THREAT, THREATS = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(15 << 2)
STRICT = np.uint64(1 << 6)
BAN = np.uint64(8)  # where the banned vertex begins
MOST_THREATS = 15
ONE, ZERO = np.uint64(1), np.uint64(0)

# The ground, and what `eyes.py` writes on.
FIGHT = record_of(
    ("near", "<u8", MAX_VERTICES),
    ("ground", "<u8"),
    ("wall", "<u8"),
    ("marked", "<u8", MAX_VERTICES),
    ("marked_count", "<i8"),
    ("rooms", "<u8", MAX_VERTICES),
    ("chains", "<u8", MAX_VERTICES),
    ("borders", "<u8", MAX_VERTICES),
    ("vital", "<u8", MAX_VERTICES),
    ("beside", "<u8", MAX_VERTICES),
)

# Frame k of a path is the state after k moves with its children; `own` and `other` are the proof numbers of the side to move
# there and of its opponent: how much there is to do, at least, until it has won, or lost.
PATH = record_of(
    ("defender", "<u8", DEPTH),
    ("attacker", "<u8", DEPTH),
    ("meta", "<u8", DEPTH),
    ("own_limit", "<i8", DEPTH),
    ("other_limit", "<i8", DEPTH),
    ("nodes_before", "<i8", DEPTH),
    ("captures", "<i8", DEPTH),
    ("count", "<i8", DEPTH),
    ("chosen", "<i8", DEPTH),
    ("child_move", "i1", (DEPTH, MOVES)),
    ("child_end", "i1", (DEPTH, MOVES)),
    ("child_captures", "<i8", (DEPTH, MOVES)),
    ("child_defender", "<u8", (DEPTH, MOVES)),
    ("child_attacker", "<u8", (DEPTH, MOVES)),
    ("child_meta", "<u8", (DEPTH, MOVES)),
    ("child_own", "<i8", (DEPTH, MOVES)),
    ("child_other", "<i8", (DEPTH, MOVES)),
    ("child_rank", "<i8", (DEPTH, MOVES)),
    ("nodes", "<i8"),
    ("most_nodes", "<i8"),
    ("repetitions", "<i8"),
    ("age", "<i8"),
)


@cache
def entry_type() -> np.dtype[Any]:
    """One place of the table: a state, its proof and disproof number, how long a proof is, and what it cost to know."""
    fields = [("defender", "<u8"), ("attacker", "<u8")]
    fields += [(name, "<u4") for name in ("meta", "age", "proof", "disproof", "rank", "work")]
    return np.dtype((np.record, np.dtype(fields)))


def fight_of(ground: Ground) -> Any:
    """The ground as a record, shape [1]."""
    fights = np.zeros(1, FIGHT)
    fights["near"][0, : len(ground.near)] = np.array(ground.near, np.uint64)
    fights["ground"] = np.uint64((1 << len(ground.cells)) - 1)
    fights["wall"], fights["marked_count"] = np.uint64(ground.wall), len(ground.marked)
    fights["marked"][0, : len(ground.marked)] = np.array(ground.marked, np.uint64)
    return fights


def meta_of(mover: int, prover: int, threats: int, ban: int | None = None) -> int:
    """The third word of a state."""
    return mover | prover << 1 | threats << 2 | (0 if ban is None else ban + 1) << 8


@kernel
def has_all(fight, defender):
    """Whether every marked chain stands: a stone of the defender is on one of its points."""
    for at in range(fight.marked_count):  # noqa: SIM110 - kernels have no generators
        if fight.marked[at] & defender == ZERO:
            return False
    return True


@kernel
def may_pass(fight, defender, meta):
    """Whether the side to move may pass."""
    return meta & MOVER == ZERO or (meta & PROVER != ZERO and meta >> BAN != ZERO) or not has_all(fight, defender)


@kernel
def is_provers_turn(meta):
    """Whether the prover is to move."""
    return (meta & MOVER != ZERO) == (meta & PROVER != ZERO)
