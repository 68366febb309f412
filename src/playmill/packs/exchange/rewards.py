"""The reward terms of EXCHANGE: what a side's counts (`games/exchange/tally.py`) are worth, and the settings they have."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from playmill.games.exchange.counters import COUNTERS
from playmill.games.game import Game
from playmill.games.trackers import Array, RewardTerm, RewardWeight, Tracker, Weights

WEIGHTS = (
    RewardWeight("early_win_bonus", 0.5, "Added to a win at turn 0, less and less until turn 50."),
    RewardWeight("damage_dealt", 0.01, "For each HP taken, times 1 + turn/100, at most twice."),
    RewardWeight("attack_action", 0.02, "For each attack, an ability's too."),
    RewardWeight("rd_activation", 0.0, "For each Royal Decree."),
    RewardWeight("rd_combo_per_attack", 0.15, "For each attack under the own Royal Decree."),
    RewardWeight("rd_combo_max", 0.60, "The most that such attacks give in a game."),
    RewardWeight("rd_waste_penalty", 0.10, "Taken off for each Royal Decree that ended without an attack."),
    RewardWeight("interpose_damage_blocked", 0.02, "For each HP that a rook lost in place of another piece."),
    RewardWeight("consecration_efficiency", 0.10, "For each heal, times the share of the missing HP that it gave back."),
    RewardWeight("skirmish", 0.03, "For each Skirmish."),
    RewardWeight("overextend_net_damage", 0.05, "For each HP taken by Overextend, less the 2 that each costs the queen."),
    RewardWeight("pawn_advance", 0.02, "For each move of a pawn."),
    RewardWeight("pawn_promotion", 0.20, "For each pawn that becomes a queen."),
    RewardWeight("king_proximity", 0.02, "For each square that the piece moved came closer to the enemy king; back is less."),
    RewardWeight("king_attack_opportunity", 0.05, "For each piece that a move has let attack the enemy king."),
    RewardWeight(
        "shuffle_penalty",
        1.0,
        "Taken off times the mean over the own moves of 0.01 * 2^n, at most 1, for the n-th move in a row without damage.",
    ),
)


def _linear(weight: str, counter: str, sign: float = 1.0) -> Callable[[Array, Weights], Array]:
    def term(counts: Array, weights: Weights) -> Array:
        values: Array = sign * weights[weight] * counts[counter]
        return values

    return term


def _combo(counts: Array, weights: Weights) -> Array:
    return np.minimum(counts["rd_combo_attacks"] * weights["rd_combo_per_attack"], weights["rd_combo_max"])


TERMS = (
    # The early win is part of the outcome: a loss is -1 however early it comes.
    RewardTerm("early_win", _linear("early_win_bonus", "early_win"), is_opposed=False),
    RewardTerm("damage_dealt", _linear("damage_dealt", "damage_weighted")),
    RewardTerm("attack_action", _linear("attack_action", "attacks")),
    RewardTerm("rd_activation", _linear("rd_activation", "rd_activations")),
    RewardTerm("rd_combo", _combo),
    RewardTerm("rd_waste", _linear("rd_waste_penalty", "rd_wasted", -1.0)),
    RewardTerm("interpose", _linear("interpose_damage_blocked", "interpose_damage_blocked")),
    RewardTerm("consecration", _linear("consecration_efficiency", "consecration_efficiency")),
    RewardTerm("skirmish", _linear("skirmish", "skirmish_uses")),
    RewardTerm("overextend", _linear("overextend_net_damage", "overextend_net_damage")),
    RewardTerm("pawn_advance", _linear("pawn_advance", "pawn_advances")),
    RewardTerm("pawn_promotion", _linear("pawn_promotion", "pawn_promotions")),
    RewardTerm("king_proximity", _linear("king_proximity", "king_proximity_delta")),
    RewardTerm("king_attack_opportunity", _linear("king_attack_opportunity", "king_attack_opportunities")),
    RewardTerm("shuffle", _linear("shuffle_penalty", "shuffling", -1.0)),
)


def _count(game: Game, seeds: Array, offsets: Array, actions: Array, counts: Array) -> None:
    from playmill.games.exchange.tally import tally_games

    tally_games(game, seeds, offsets.astype(np.int64), actions, game.records(3), counts)


TRACKER = Tracker(COUNTERS, WEIGHTS, TERMS, _count)
