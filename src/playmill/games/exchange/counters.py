"""What is counted of a side in a finished game of EXCHANGE; each counter is explained in docs/games/exchange.md."""

from __future__ import annotations

import numpy as np

COUNTERS = np.dtype(
    [
        (name, "f8")
        for name in (
            "actions", "attacks", "damage_dealt", "damage_weighted",
            "rd_activations", "rd_combo_attacks", "rd_wasted",
            "interpose_triggers", "interpose_damage_blocked",
            "consecration_uses", "consecration_hp_healed", "consecration_efficiency",
            "skirmish_uses", "overextend_uses", "overextend_net_damage",
            "pawn_advances", "advance_uses", "pawn_promotions",
            "king_proximity_delta", "king_attack_opportunities",
            "shuffling", "early_win",
        )
    ]
)  # fmt: skip
