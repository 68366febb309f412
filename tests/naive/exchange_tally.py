"""The counts of EXCHANGE's sides, taken while the plain twin plays: from what happens, not from positions before and after."""

from __future__ import annotations

from collections import Counter

from naive.exchange import HP, ORTHOGONAL, Exchange, Piece, Square, on_board, plus, unpack
from playmill.core.seeds import mix


class Talkative(Exchange):
    """The twin, with a list of what was done to whom in its last move: (side, kind of the piece, HP lost)."""

    def __init__(self) -> None:
        self.hurts: list[tuple[int, str, int]] = []
        self.blocked: list[tuple[int, int]] = []  # (side, HP that its rook lost for another)

    def hurt(self, square: Square, damage: int) -> None:
        piece = self.board[square]
        self.hurts.append((piece.side, piece.kind, min(damage, piece.hp)))
        super().hurt(square, damage)

    def hit(self, attacker: Piece, target: Square, roll: int) -> None:
        is_blocked = self.interposer(target) is not None
        owner = self.board[target].side
        super().hit(attacker, target, roll)
        if is_blocked:
            self.blocked.append((owner, self.hurts[-1][2]))  # the rook is hurt last


def tally_plainly(seed: int, actions: list[int]) -> list[Counter]:
    """Both sides' counts of a finished game."""
    twin = Talkative()
    twin.start()
    counts, calm, combos, threats = [Counter(), Counter()], [0, 0], [[], []], threats_of(twin)
    for ply, action in enumerate(actions):
        one_move(twin, ply, action, mix(seed, ply), counts, calm, combos, threats)
        threats = threats_of(twin)
    for side, own in enumerate(counts):
        own["shuffling"] /= max(1, own["actions"])
        if twin.outcome()[side] == 1:
            own["early_win"] = max(0, 1 - len(actions) / 50)
        own["rd_wasted"] = sum(one == "wasted" for one in combos[side])
    return counts


def one_move(twin, ply, action, chance, counts, calm, combos, threats) -> None:
    side, move = twin.side, unpack(action)
    own, was_active = counts[side], twin.decree[side] > 0
    twin.hurts, twin.blocked = [], []
    before = {square: piece.hp for square, piece in twin.board.items()}
    kings = {piece.side: square for square, piece in twin.board.items() if piece.kind == "K"}
    mover = twin.board[move[0]].kind if move else ""
    twin.play(action, chance)
    damage = sum(lost for owner, _, lost in twin.hurts if owner != side)
    own["actions"] += 1
    calm[side] = 0 if damage else calm[side] + 1
    own["shuffling"] += min(1.0, 0.01 * 2 ** calm[side]) if calm[side] else 0
    own["king_attack_opportunities"] += max(0, threats_of(twin)[side] - threats[side])
    for owner, lost in twin.blocked:
        counts[owner]["interpose_triggers"] += 1
        counts[owner]["interpose_damage_blocked"] += lost
    follow_decree(own, combos[side], was_active, damage, move, twin.decree[side])
    if move:
        count_move(own, twin, side, ply, move, mover, damage, before, kings[1 - side])


def follow_decree(own, casts, was_active, damage, move, left) -> None:
    """`casts` has an entry for each Decree: how many attacks were made under it, or "wasted"."""
    if was_active and damage:
        own["rd_combo_attacks"] += 1
        casts[-1] += 1
    is_cast = move is not None and move[3] == "decree"
    if was_active and (is_cast or left == 0) and casts[-1] == 0:
        casts[-1] = "wasted"
    if is_cast:
        own["rd_activations"] += 1
        casts.append(0)


def count_move(own, twin, side, ply, move, mover, damage, before, king) -> None:
    start, end, target, kind = move
    if kind in ("attack", "jump", "overextend", "skirmish"):
        own["attacks"] += 1
        own["damage_dealt"] += damage
        own["damage_weighted"] += damage * min(2, 1 + ply / 100)
    if kind == "overextend":
        own["overextend_uses"] += 1
        own["overextend_net_damage"] += damage - 2
    if kind == "skirmish":
        own["skirmish_uses"] += 1
    if kind == "consecration":
        piece = twin.board[target]
        healed = piece.hp - before[target]
        own["consecration_uses"] += 1
        own["consecration_hp_healed"] += healed
        own["consecration_efficiency"] += healed / (HP[piece.kind] - before[target])
    own["king_proximity_delta"] += steps(start, king) - steps(end, king)
    if mover == "P" and start != end:
        own["pawn_advances"] += 1
        own["advance_uses"] += kind == "advance"
        own["pawn_promotions"] += end[1] == (7 if side == 0 else 0)


def steps(one: Square, other: Square) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def threats_of(twin: Exchange) -> list[int]:
    """How many pieces of each side could hit the other's king, abilities aside, if it were its turn."""
    found, mover = [0, 0], twin.side
    for side in range(2):
        twin.side = side
        king = next((square for square, piece in twin.board.items() if piece.kind == "K" and piece.side != side), None)
        for square in [square for square, piece in twin.board.items() if piece.side == side]:
            found[side] += king is not None and (king in twin.in_reach(square) or king in jumped_at(twin, square))
    twin.side = mover
    return found


def jumped_at(twin: Exchange, square: Square) -> list[Square]:
    """Where a knight's jump with a hit would hit."""
    if twin.board[square].kind != "N":
        return []
    return [hit for end in twin.steps(square) for step in ORTHOGONAL if on_board(hit := plus(end, step))]
