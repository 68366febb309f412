"""What became of an order: the numbers that kernels write and the words that people read.

A RESULT has `verdict`; `other`, a province: who it bounced off, who cut it, who broke its convoy; `source`, the province from
which the unit was dislodged (-1 if it was not); `strength` and `against` of an attack that bounced; and `reason`, why an order
is illegal. Unused fields are -1 or 0.
"""

from __future__ import annotations

import numpy as np

(
    SUCCEEDED,
    BOUNCED,  # a move that was stopped
    CUT,  # a support
    NO_CONVOY,  # an army, and the fleets that ordered a part: the rest of the way was not ordered
    CONVOY_BROKEN,  # all of it was, and a fleet was dislodged
    PARADOX,  # all of it was, and the convoy would decide about itself (Szykman's rule: the army stays)
    VOID,  # a support or convoy of something that was not ordered
    ILLEGAL,  # the unit holds instead; a dislodged one disbands
    DISBANDED,  # two retreats to one place
    REMOVED,  # civil disorder
    DISLODGED,  # a hold or a convoy whose unit was beaten
) = range(1, 12)

(
    NO_UNIT,
    SECOND_ORDER,
    WRONG_PHASE,
    STAYS,
    CANT_REACH,
    NO_ROUTE,
    NEEDS_COAST,
    SUPPORTS_ITSELF,
    NOBODY_TO_SUPPORT,
    SUPPORT_OUT_OF_REACH,
    SUPPORTS_AGAINST_ITSELF,
    SUPPORTED_CANT_REACH,
    NOT_AT_SEA,
    NO_ARMY_TO_CONVOY,
    CONVOYS_TO_NO_COAST,
    NOT_ON_ROUTE,
    OCCUPIED,
    CONTESTED,
    ATTACKER_CAME_FROM,
    NOT_HOME,
    NOT_OWNED,
    NO_FLEET_INLAND,
    TOO_MANY,
    ALREADY_REMOVED,
    NOT_YOURS,
    WRONG_KIND,
    UNREADABLE,
    NEEDS_POWER,
) = range(1, 29)

RESULT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("verdict", "i1"),
                ("reason", "i1"),
                ("other", "i1"),
                ("source", "i1"),
                ("strength", "i1"),
                ("against", "i1"),
            ]
        ),
    )
)

WORDS = {
    SUCCEEDED: "succeeded",
    BOUNCED: "bounced",
    CUT: "cut",
    NO_CONVOY: "no convoy",
    CONVOY_BROKEN: "convoy broken",
    PARADOX: "convoy paradox",
    VOID: "void",
    ILLEGAL: "illegal",
    DISBANDED: "disbanded",
    REMOVED: "removed in civil disorder",
    DISLODGED: "dislodged",
}

REASONS = {
    NO_UNIT: "there is no such unit",
    SECOND_ORDER: "the unit already has an order",
    WRONG_PHASE: "no order of this phase",
    STAYS: "the unit is already there",
    CANT_REACH: "the unit can't go there",
    NO_ROUTE: "it is not next door, and no fleets at sea could convoy",
    NEEDS_COAST: "both coasts can be reached, and none is named",
    SUPPORTS_ITSELF: "a unit can't support itself",
    NOBODY_TO_SUPPORT: "there is no unit to support",
    SUPPORT_OUT_OF_REACH: "the supporting unit can't go there itself",
    SUPPORTS_AGAINST_ITSELF: "a unit can't support a move into its own province",
    SUPPORTED_CANT_REACH: "the supported unit can't go there",
    NOT_AT_SEA: "only a fleet at sea can convoy",
    NO_ARMY_TO_CONVOY: "there is no army to convoy",
    CONVOYS_TO_NO_COAST: "the convoy doesn't lead from coast to coast",
    NOT_ON_ROUTE: "the fleet is on no route that needs it",
    OCCUPIED: "the province is occupied",
    CONTESTED: "a stand-off left the province empty",
    ATTACKER_CAME_FROM: "the attacker came from there",
    NOT_HOME: "only home centres build",
    NOT_OWNED: "the centre is not owned",
    NO_FLEET_INLAND: "a fleet needs a coast",
    TOO_MANY: "there are more orders than adjustments",
    ALREADY_REMOVED: "the unit is already removed",
    NOT_YOURS: "the unit belongs to another power",
    WRONG_KIND: "the unit is of the other kind",
    UNREADABLE: "it can't be read",
    NEEDS_POWER: "a waive needs its power; give the orders by power",
}
