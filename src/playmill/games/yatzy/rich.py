"""Yatzy with more to see: the same rules, actions and states under another name, with feature schema 2.

Schema 2 is schema 1 (45 numbers) and four that a network would otherwise have to work out:

    45      the mover's lead, in hundreds of points
    46      the lead that is expected at the end if both play on alone as well as can be, in hundreds of points
    47, 48  how far the upper bonus is, for the mover and the opponent: the points missing, as a share of the most that the
            open upper categories can bring; 0 once it is earned, OUT_OF_REACH once it can't be

The expected lead is that of the boards before the next roll: dice on the table don't count.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.yatzy import rules
from playmill.games.yatzy.hands import CATEGORY_COUNT, DICE, UPPER_COUNT, UPPER_GOAL
from playmill.games.yatzy.rules import FEATURES, YATZY
from playmill.games.yatzy.solved_points import points_to_come

LEAD, EXPECTED_LEAD, BONUS = FEATURES, FEATURES + 1, FEATURES + 2
LEAD_UNIT = 100
OUT_OF_REACH = 1.25

YATZY_RICH = YATZY.variant(
    "yatzy_rich",
    features=(FEATURES + 4,),
    feature_schema=2,
    title="Yatzy for networks that are told more: leads, and the way to the bonus",
)

board_and_dice = rules.encode


@YATZY_RICH.kernel
def encode(state, planes):
    """Schema 2."""
    board_and_dice(state, planes[:FEATURES])
    me, they = np.int64(state.mover), 1 - np.int64(state.mover)
    lead = np.int64(state.total[me]) - np.int64(state.total[they])
    to_come = board_points(state, me) - board_points(state, they)
    planes[LEAD] = lead / LEAD_UNIT
    planes[EXPECTED_LEAD] = (lead + to_come) / LEAD_UNIT
    planes[BONUS] = way_to_bonus(state, me)
    planes[BONUS + 1] = way_to_bonus(state, they)


@kernel
def board_points(state, player):
    return points_to_come(np.int64(state.avail[player]), np.int64(state.upper[player]))


@kernel
def way_to_bonus(state, player):
    """The points missing, as a share of the most that the open upper categories can bring."""
    missing = UPPER_GOAL - np.int64(state.upper[player])
    most = 0
    for category in range(UPPER_COUNT):
        most += DICE * (category + 1) * (np.int64(state.avail[player]) >> (CATEGORY_COUNT - 1 - category) & 1)
    if missing == 0:
        return 0.0
    return missing / most if missing <= most else OUT_OF_REACH
