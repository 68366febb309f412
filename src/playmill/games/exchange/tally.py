"""What both sides of finished games of EXCHANGE did: abilities, damage, the way to the king. Counted by playing them again."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.exchange.attacks import map_attacks
from playmill.games.exchange.board import EMPTY, MAX_HP, OVEREXTEND_COST, PAWN, ROOK, SIDE_OF, TYPE_OF, WHITE
from playmill.games.exchange.moves import ADVANCE, ATTACK, CONSECRATION, DECREE, OVEREXTEND, PASS, SKIRMISH
from playmill.games.exchange.piece_planes import steps_between
from playmill.games.kernels import chance_key, play, start
from playmill.games.many import START_EVENT

DAMAGE_TURNS, MOST_DAMAGE = 100, 2.0  # a hit counts 1 + turn/100, at most twice
SHUFFLE_UNIT, SHUFFLE_CAP = 0.01, 1.0
LONGEST_CALM = 10  # moves, beyond which the penalty has long met its cap
EARLY_TURNS = 50


@kernel
def tally_games(game, seeds, offsets, actions, records, tallies):
    """Fill zeroed `tallies` [games, 2]; `records` are three, of which the first is blank."""
    for i in range(seeds.size):
        tally_game(game, seeds[i], actions[offsets[i] : offsets[i + 1]], records, tallies[i])


@kernel
def tally_game(game, seed, actions, records, tallies):
    """Play one game again, and count what its two sides did."""
    before, after = records[1], records[2]
    records[2] = records[0]
    start(game, after, mix_word(seed, START_EVENT))
    calm, combos, threats = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    count_threats(after, threats)
    for action in actions:
        records[1] = records[2]
        play(game, after, action, mix_word(seed, chance_key(game, after)))
        tally_move(before, after, np.int64(action), calm, combos, threats, tallies)
    tally_end(after, tallies)


@kernel
def tally_move(before, after, action, calm, combos, threats, tallies):
    """Count one move, which made `after` of `before`. The three arrays [2] are a side's, and go on from move to move:

    moves in a row without damage, attacks under its last Royal Decree, and pieces of it that attack the enemy king.
    """
    side = np.int64(before.mover)
    damage = damage_to(before, after, 1 - side)
    tally_decree(before, after, action, damage, combos, tallies[side])
    tally_calm(side, damage, calm, tallies[side])
    tally_threats(after, side, threats, tallies[side])
    if action != PASS:
        tally_action(before, after, action, damage, tallies[side])
        tally_interpose(before, after, action >> 3 & 63, tallies[1 - side])


@kernel
def tally_end(last, tallies):
    """What is known when a game is over: how much of it was shuffling, and how early it was won."""
    for side in range(2):
        tallies[side].shuffling /= max(1.0, tallies[side].actions)
        if last.king[1 - side] < 0:
            tallies[side].early_win = max(0.0, 1 - last.turn / EARLY_TURNS)


@kernel
def damage_to(before, after, side):
    """HP that a side lost while the other moved: none of its pieces has gone elsewhere."""
    lost = 0
    for square in range(64):
        if SIDE_OF[before.piece[square]] == side:
            lost += before.hp[square] - (after.hp[square] if SIDE_OF[after.piece[square]] == side else 0)
    return lost


@kernel
def tally_action(before, after, action, damage, tally):
    """What the piece itself did."""
    kind, first, end, target = action & 7, action >> 15, action >> 9 & 63, action >> 3 & 63
    if ATTACK <= kind <= SKIRMISH:
        tally.attacks += 1
        tally.damage_dealt += damage
        tally.damage_weighted += damage * min(MOST_DAMAGE, 1 + before.turn / DAMAGE_TURNS)
    if kind == OVEREXTEND:
        tally.overextend_uses += 1
        tally.overextend_net_damage += damage - OVEREXTEND_COST
    elif kind == SKIRMISH:
        tally.skirmish_uses += 1
    elif kind == CONSECRATION:
        healed = after.hp[target] - before.hp[target]
        tally.consecration_uses += 1
        tally.consecration_hp_healed += healed
        tally.consecration_efficiency += healed / (MAX_HP[TYPE_OF[before.piece[target]]] - before.hp[target])
    if first != end:
        king = np.int64(before.king[1 - before.mover])
        tally.king_proximity_delta += steps_between(first, king) - steps_between(end, king)
        if TYPE_OF[before.piece[first]] == PAWN:
            tally.pawn_advances += 1
            tally.advance_uses += 1 if kind == ADVANCE else 0
            tally.pawn_promotions += 1 if end // 8 == (7 if before.mover == WHITE else 0) else 0


@kernel
def tally_interpose(before, after, target, tally):
    """What a rook took for another piece: it has lost a charge or died, without being the one that was hit."""
    side = 1 - before.mover
    for square in range(64):
        code = before.piece[square]
        if square == target or SIDE_OF[code] != side or TYPE_OF[code] != ROOK:
            continue
        if after.piece[square] == EMPTY or after.charges[square] < before.charges[square]:
            tally.interpose_triggers += 1
            tally.interpose_damage_blocked += before.hp[square] - after.hp[square]


@kernel
def tally_decree(before, after, action, damage, combos, tally):
    """Royal Decree: attacks under it, and activations that ended, by running out or by the next one, without any."""
    side = before.mover
    was_active, is_cast = before.decree[side] > 0, action != PASS and action & 7 == DECREE
    if was_active and damage > 0:
        combos[side] += 1
        tally.rd_combo_attacks += 1
    if was_active and combos[side] == 0 and (is_cast or after.decree[side] == 0):
        tally.rd_wasted += 1
    if is_cast:
        combos[side] = 0
        tally.rd_activations += 1


@kernel
def tally_calm(side, damage, calm, tally):
    """The shuffle penalty of a move that does no damage: twice that of the one before it."""
    tally.actions += 1
    calm[side] = 0 if damage > 0 else min(calm[side] + 1, LONGEST_CALM)
    if calm[side] > 0:
        tally.shuffling += min(SHUFFLE_CAP, SHUFFLE_UNIT * 2.0 ** calm[side])


@kernel
def tally_threats(after, side, threats, tally):
    """Pieces that the move has let attack the enemy king: each counts when it begins to, not as long as it does."""
    already = threats[side]
    count_threats(after, threats)
    tally.king_attack_opportunities += max(0, threats[side] - already)


@kernel
def count_threats(state, threats):
    """Fill `threats` [2] with how many pieces of each side attack the other's king."""
    counts, damage, zones = np.zeros((2, 64), np.int64), np.zeros((2, 64)), np.zeros(2, np.int64)
    map_attacks(state, counts, damage, zones)
    for side in range(2):
        king = np.int64(state.king[1 - side])
        threats[side] = counts[side, king] if king >= 0 else 0
