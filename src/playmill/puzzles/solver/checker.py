"""Checks proof files (docs/formats.md). It shares no code with the solver: it has its own board and its own idea of life.

`check_proof(text)` returns what was proved, or raises BadProof with one line. What it makes sure of:

- The file is whole, and its problem is a position of Go with marked chains of one colour.
- In each certificate, the side that shows something has one legal move in each of its states, and the other side's legal moves
  are all there, in order. Every move ends the fight as it says, or leads to a state of the certificate that is the same
  position each time. Where the prover wins, moves lead to later states only, so it ends.
- Where the prover fails, its opponent may go round for ever, but on no way round does it play more stones than the prover:
  all that are played there are lost.
- A marked chain counts as captured only if the defender can't come back there by a capture or an atari.
- The claims are enough for the status and the right first moves that the first line tells.
- Where the first line says that the walls are `shown`, none is taken for safe: all are unconditionally alive, or no claim says
  that the attacker succeeds.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

LETTERS = "abcdefghjklmnopqrst"
ROLES = ("defender", "attacker")
STATUS = {"defender": "alive", "attacker": "dead"}
OTHER = {"x": "o", "o": "x", "defender": "attacker", "attacker": "defender"}
HEADER = {
    "format": str, "version": int, "size": int, "black": list, "white": list, "marked": list, "to_play": str,
    "ko": str, "ko_threats": int, "walls": str, "joined": list, "status": str, "moves": list, "undecided": list,
}  # fmt: skip
CLAIM = {"prover": str, "forced": bool, "states": int}

# The board's points, who is to move ("x" or "o"), where a ko may not be taken back at once or -1, the opponent's ko threats.
Position = tuple[str, str, int, int]


class BadProof(Exception):
    """The file proves nothing; the message says why, and in which line."""


@dataclass(frozen=True)
class Checked:
    """What a proof shows."""

    status: str
    moves: tuple[str, ...]
    undecided: tuple[str, ...]
    states: int
    problem: dict[str, Any]


def check_proof(text: str) -> Checked:
    """Check a whole file."""
    body, _, tail = text.rstrip("\n").rpartition("\n")
    end = _object(tail, "the last line", {"states": int, "sha256": str})
    _require(hashlib.sha256((body + "\n").encode()).hexdigest() == end["sha256"], "the checksum is not that of the lines")
    lines = body.split("\n")
    header = _object(lines[0], "line 1", HEADER)
    _require(
        header["format"] == "playmill.proof" and header["version"] == 3, "line 1: expected format playmill.proof, version 3"
    )
    _require(header["ko"] in ("loss", *ROLES), f"line 1: there is no ko policy {header['ko']!r}")
    _require(header["walls"] in ("taken", "shown"), f"line 1: there are no walls {header['walls'][:20]!r}")
    fight = _Fight(header)
    claims, at = {}, 1
    while at < len(lines):
        claim, at = _check_claim(fight, lines, at)
        key = claim["prover"], claim["after"]
        _require(key not in claims, f"line {at}: a claim comes twice")
        claims[key] = claim["forced"]
    states = sum(1 for line in lines[1:] if line.startswith("["))
    _require(states == end["states"], f"expected {end['states']} states, got {states}")
    _check_status(fight, header, claims)
    problem = {name: header.get(name) for name in ("size", "black", "white", "marked", "to_play", "banned")}
    return Checked(header["status"], tuple(header["moves"]), tuple(header["undecided"]), states, problem)


def _object(line: str, where: str, kinds: dict[str, type]) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise BadProof(f"{where}: expected JSON") from None
    _require(isinstance(found, dict), f"{where}: expected an object")
    for name, kind in kinds.items():
        _require(type(found.get(name)) is kind, f"{where}: expected {name}")
    return dict(found)


def _require(is_right: bool, problem: str) -> None:
    if not is_right:
        raise BadProof(problem)


# ------------------------------------------------------------------ the board


class _Fight:
    """A problem's board, and the points on which stones may be played."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.size: int = header["size"]
        _require(2 <= self.size <= 19, "line 1: expected a size of 2 to 19")
        self.near = [self._beside(at) for at in range(self.size**2)]
        board = ["."] * self.size**2
        for mark, name in (("x", "black"), ("o", "white")):
            for point in header[name]:
                at = self.point(point, "line 1")
                _require(board[at] == ".", f"line 1: {point} has two stones")
                board[at] = mark
        self.board = "".join(board)
        for at, mark in enumerate(self.board):
            _require(mark == "." or bool(self.chain(self.board, at)[1]), f"line 1: the chain on {self.name(at)} has no liberty")
        marks = {self.point(point, "line 1") for point in header["marked"]}
        colours = {self.board[at] for at in marks}
        _require(len(colours) == 1 and "." not in colours, "line 1: expected marked stones of one colour")
        self.defender = colours.pop()
        self.marked = {frozenset(self.chain(self.board, mark)[0]) for mark in marks}
        _require(header["to_play"] in ("black", "white"), "line 1: expected to_play black or white")
        self.to_play = "x" if header["to_play"] == "black" else "o"
        banned = header.get("banned")
        self.banned = -1 if banned is None else self.point(banned, "line 1")
        _require(0 <= header["ko_threats"] <= 15, "line 1: expected 0 to 15 ko threats")
        self.start: Position = (self.board, self.to_play, self.banned, header["ko_threats"])
        self.ground = self._find_ground({self.point(point, "line 1") for point in header["joined"]})
        self.walls_hold = header["walls"] == "taken" or self._walls_live()

    def _beside(self, at: int) -> list[int]:
        row, column = divmod(at, self.size)
        places = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size]

    def point(self, name: Any, where: str) -> int:
        """The point of a name such as b1."""
        if isinstance(name, str) and name[:1] in LETTERS[: self.size] and name[1:].isascii() and name[1:].isdigit():
            row = self.size - int(name[1:])
            if 0 <= row < self.size and self.name(row * self.size + LETTERS.index(name[0])) == name:
                return row * self.size + LETTERS.index(name[0])
        raise BadProof(f"{where}: expected a point such as b1, got {str(name)[:20]!r}")

    def name(self, at: int) -> str:
        return f"{LETTERS[at % self.size]}{self.size - at // self.size}"

    def role(self, mark: str) -> str:
        return "defender" if mark == self.defender else "attacker"

    def chain(self, board: str, at: int) -> tuple[set[int], set[int]]:
        """The stones that hang together with this one, and their liberties."""
        found, waiting, liberties = {at}, [at], set()
        while waiting:
            for near in self.near[waiting.pop()]:
                if board[near] == ".":
                    liberties.add(near)
                elif board[near] == board[at] and near not in found:
                    found.add(near)
                    waiting.append(near)
        return found, liberties

    def _find_ground(self, joined: set[int]) -> set[int]:
        """What can be reached from the marked chains: not through attacker's chains that have a liberty outside.

        Of those, some may join the ground: there they can be captured, so to let more join takes less for granted.
        """
        ground, attacker = set[int]().union(*self.marked), OTHER[self.defender]
        while True:
            size = len(ground)
            for at in list(ground):
                for near in self.near[at]:
                    if self.board[near] != attacker:
                        ground.add(near)
                    elif near not in ground:
                        stones, liberties = self.chain(self.board, near)
                        if liberties <= ground or stones & joined:
                            ground |= stones
            if len(ground) == size:
                return ground

    def _walls_live(self) -> bool:
        """Whether all walls are unconditionally alive, by eyes outside the ground: inside, the attacker plays itself."""
        attacker = OTHER[self.defender]
        filled = "".join(self.defender if at in self.ground else mark for at, mark in enumerate(self.board))
        beside = {near for at in self.ground for near in self.near[at]} - self.ground
        return beside <= self._alive(filled, attacker)

    def after(self, position: Position, at: int, prover: str) -> Position | None:
        """The position after a stone there; None if it is illegal."""
        board, mark, banned, threats = position
        if board[at] != ".":
            return None
        if at == banned:
            threats -= 1  # the prover's opponent has a threat for it; the prover has none
            if self.role(mark) == prover or threats < 0:
                return None
        stones = board[:at] + mark + board[at + 1 :]
        taken: set[int] = set()
        for near in self.near[at]:
            if stones[near] == OTHER[mark] and near not in taken:
                chain, liberties = self.chain(stones, near)
                if not liberties:
                    taken |= chain
        if taken:
            stones = "".join("." if point in taken else stone for point, stone in enumerate(stones))
        own, liberties = self.chain(stones, at)
        if not liberties:
            return None
        is_ko = len(taken) == 1 and len(own) == 1 and liberties == taken
        return stones, OTHER[mark], min(taken) if is_ko else -1, threats

    def moves(self, position: Position, prover: str, first: bool = False) -> dict[str, Position]:
        """All moves with what they lead to, in order: points by row from the top, then a pass if there is one."""
        found = {}
        for at in sorted(self.ground):
            after = self.after(position, at, prover)
            if after is not None:
                found[self.name(at)] = after
        board, mark, banned, threats = position
        is_waiting = prover == "attacker" and banned >= 0
        if first or is_waiting or self.role(mark) == "defender" or self.missing(board):
            found["pass"] = (board, OTHER[mark], -1, threats)
        return found

    def missing(self, board: str) -> list[frozenset[int]]:
        """The marked chains of which the defender has no stone on any point."""
        return [points for points in self.marked if all(board[at] != self.defender for at in points)]

    def end(self, position: Position) -> str | None:
        """How the fight has ended, or None."""
        board = position[0]
        missing = self.missing(board)
        if missing:
            return None if all(self._can_return(board, points) for points in missing) else "captured"
        alive = self._alive(board, self.defender)
        return "alive" if all(points & alive for points in self.marked) else None

    def end_by_pass(self, position: Position) -> str | None:
        """How a pass there ends the fight: a defender who could take back and doesn't has lost what is off the board."""
        board, mark, banned, _ = position
        return "captured" if self.role(mark) == "defender" and banned < 0 and self.missing(board) else None

    def _can_return(self, board: str, points: frozenset[int]) -> bool:
        """Whether the defender may play on one of the points and captures there, or leaves stones beside it one liberty."""
        for at in points:
            if board[at] != ".":
                continue
            after = self.after((board, self.defender, -1, 0), at, "nobody")
            if after is None:
                continue
            stones = after[0]
            if stones.count(".") >= board.count("."):  # one point was filled, so some were emptied
                return True
            liberties = [self.chain(stones, near)[1] for near in self.near[at] if stones[near] == OTHER[self.defender]]
            if any(len(air) == 1 and air <= self.ground for air in liberties):  # those of a wall are not counted to the end
                return True
        return False

    def _alive(self, board: str, side: str) -> set[int]:
        """The side's stones that live though it always passes: Benson's chains with two regions of their own."""
        chains = self._chains(board, side)
        regions = self._regions(board, side)
        around = [{c for c, (_, border) in enumerate(chains) if border & region} for region in regions]
        free = [self._empty(board, region) for region in regions]
        vital = [{c for c in around[r] if free[r] and free[r] <= chains[c][1]} for r in range(len(regions))]
        alive = set(range(len(chains)))
        while True:
            kept = [r for r in range(len(regions)) if around[r] <= alive]
            left = {c for c in alive if sum(c in vital[r] for r in kept) >= 2}
            if left == alive:
                return {at for c in alive for at in chains[c][0]}
            alive = left

    def _chains(self, board: str, side: str) -> list[tuple[set[int], set[int]]]:
        """The side's chains, each with all points beside it."""
        chains: list[tuple[set[int], set[int]]] = []
        for at, mark in enumerate(board):
            if mark == side and not any(at in stones for stones, _ in chains):
                stones = self.chain(board, at)[0]
                chains.append((stones, {near for point in stones for near in self.near[point]} - stones))
        return chains

    def _regions(self, board: str, side: str) -> list[set[int]]:
        """The parts of the board without a stone of the side."""
        regions: list[set[int]] = []
        met: set[int] = set()
        for at, mark in enumerate(board):
            if mark != side and at not in met:
                region, waiting = {at}, [at]
                while waiting:
                    for near in self.near[waiting.pop()]:
                        if board[near] != side and near not in region:
                            region.add(near)
                            waiting.append(near)
                regions.append(region)
                met |= region
        return regions

    def _empty(self, board: str, region: set[int]) -> set[int]:
        return {at for at in region if board[at] == "."}


# ------------------------------------------------------------------ certificates


def _check_claim(fight: _Fight, lines: list[str], at: int) -> tuple[dict[str, Any], int]:
    """Check the claim whose line is number `at`, counted from 0; return it, and the number of the line after it."""
    where = f"line {at + 1}"
    claim = _object(lines[at], where, CLAIM)
    prover, after = claim["prover"], claim.get("after")
    _require(prover in ROLES, f"{where}: expected prover defender or attacker")
    firsts = fight.moves(fight.start, prover, first=True)
    start = fight.start if after is None else firsts.get(after) if isinstance(after, str) else None
    if start is None:
        raise BadProof(f"{where}: {str(after)[:20]} is no legal first move")
    end = fight.end(start)
    _require(claim.get("end") == end, f"{where}: the fight has not ended as it says")
    last = at + 1 + claim["states"]
    _require((claim["states"] > 0) == (end is None) and last <= len(lines), f"{where}: a wrong number of states")
    if end is None:
        _check_states(fight, lines[at + 1 : last], at + 2, start, prover, claim["forced"])
    else:
        _require(_wins(end, prover) is claim["forced"], f"{where}: that is not how the fight has ended")
    is_for_attacker = (prover == "attacker") is claim["forced"]
    _require(fight.walls_hold or not is_for_attacker, f"{where}: a wall might be captured, so the defender may yet succeed")
    return {"prover": prover, "after": after, "forced": claim["forced"]}, last


def _wins(end: str, prover: str) -> bool:
    return (end == "captured") == (prover == "attacker")


def _check_states(fight: _Fight, lines: list[str], number: int, start: Position, prover: str, forced: bool) -> None:
    """Check a certificate, whose first line has this number in the file."""
    positions: list[Position | None] = [start, *[None] * (len(lines) - 1)]
    waiting, steps = [0], []
    while waiting:
        at = waiting.pop()
        where = f"line {number + at}"
        position = positions[at]
        assert position is not None
        for child, reached in _edges(fight, lines[at], where, position, prover, forced):
            _require(0 <= child < len(lines), f"{where}: there is no state {child}")
            _require(child > at or not forced, f"{where}: a proof must lead on, not back to state {child}")
            if positions[child] is None:
                positions[child] = reached
                waiting.append(child)
            _require(positions[child] == reached, f"{where}: state {child} is another position")
            stone = 0 if reached[0] == position[0] else -1 if fight.role(position[1]) == prover else 1
            steps.append((at, child, stone))
    _require(forced or not _wastes_stones(steps), f"line {number}: it goes round for ever, and its stones are wasted on that")
    unused = [number + at for at, position in enumerate(positions) if position is None]
    _require(not unused, f"line {unused[0] if unused else 0}: no move leads to this state")
    in_order = _order(steps, len(lines), forced)
    _require(in_order == list(range(len(lines))), f"line {number}: the states are not in order")


def _order(steps: list[tuple[int, int, int]], count: int, forced: bool) -> list[int]:
    """The numbers of the states as they come up: where the prover wins after all that lead there, else by the first."""
    after: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for at, child, _ in steps:
        after[at].append(child)
        waiting[child] = waiting[child] + 1 if forced else 1
    order, met = [0], {0}
    for at in order:
        for child in after[at]:
            waiting[child] -= 1
            if child not in met and waiting[child] <= 0:
                met.add(child)
                order.append(child)
    return order


def _wastes_stones(steps: list[tuple[int, int, int]]) -> bool:
    """Whether some way round has a sum above 0: of 1 for each stone of the prover's opponent, and -1 for the prover's."""
    while True:  # steps that are on no way round go first
        targets = {child for _, child, _ in steps}
        left = [step for step in steps if step[0] in targets]
        if len(left) == len(steps):
            break
        steps = left
    sums = {at: 0 for at, _, _ in steps} | {child: 0 for _, child, _ in steps}
    for _ in range(len(sums) + 1):
        is_changed = False
        for at, child, stone in steps:
            if sums[at] + stone > sums[child]:
                sums[child], is_changed = sums[at] + stone, True
        if not is_changed:
            return False
    return True


def _edges(fight: _Fight, line: str, where: str, position: Position, prover: str, forced: bool) -> list[tuple[int, Position]]:
    """Check the moves of one state; return those that lead to others."""
    legal = fight.moves(position, prover)
    edges = _read_edges(line, where)
    is_prover = fight.role(position[1]) == prover
    if is_prover == forced:
        _require(len(edges) == 1 or not legal, f"{where}: expected one move of the side that shows something")
    else:
        _require([move for move, _ in edges] == list(legal), f"{where}: expected all legal moves, {' '.join(legal)}")
    if not legal:  # an attacker without a move has lost
        _require(not edges and (prover == "defender") is forced, f"{where}: the attacker has no move and has lost")
    found = []
    for move, to in edges:
        _require(move in legal, f"{where}: {move[:20]} is not legal")
        end = fight.end(legal[move]) if move != "pass" else fight.end_by_pass(position)
        if end is not None:
            _require(to == end and _wins(end, prover) is forced, f"{where}: {move} ends the fight otherwise")
        else:
            _require(type(to) is int, f"{where}: {move} does not end the fight")
            found.append((to, legal[move]))
    return found


def _read_edges(line: str, where: str) -> list[tuple[str, Any]]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise BadProof(f"{where}: expected JSON") from None
    _require(isinstance(found, list), f"{where}: expected a list of moves")
    for edge in found:
        _require(isinstance(edge, list) and len(edge) == 2 and isinstance(edge[0], str), f"{where}: expected moves and states")
    return [(edge[0], edge[1]) for edge in found]


# ------------------------------------------------------------------ what the claims add up to


def _check_status(fight: _Fight, header: dict[str, Any], claims: dict[tuple[str, str | None], bool]) -> None:
    """Whether the claims show the status and the right moves of the first line."""
    mover = fight.role(fight.to_play)
    other, status = OTHER[mover], header["status"]
    if header["ko"] != "loss":
        # The side that wins every ko is named; the other one is the prover of all claims.
        loser = OTHER[header["ko"]]
        wins = STATUS[mover] == status
        _require(wins or STATUS[other] == status, "line 1: expected the status alive or dead")
        _check_moves(fight, header, claims, loser, right=loser == mover, is_reached=wins)
    elif status == STATUS[mover]:
        _check_moves(fight, header, claims, mover, right=True, is_reached=True)
    elif status == STATUS[other]:
        _require(claims == {(other, None): True} and not header["moves"], f"expected one claim, that the {other} wins")
        _require(not header["undecided"], "line 1: nothing is undecided")
    else:
        _require(status == "ko", f"line 1: there is no status {status[:20]!r}")
        first = _first_moves(fight, mover)
        own = [(move, forced) for (prover, move), forced in claims.items() if prover == mover]
        _require(own == [(move, False) for move in first], f"expected every first move to fail for the {mover}, in order")
        _require(list(claims)[: len(first)] == [(mover, move) for move in first], f"expected the {mover}'s claims first")
        others = {key: forced for key, forced in claims.items() if key[0] == other}
        _check_moves(fight, header, others, other, right=False, is_reached=True)


def _first_moves(fight: _Fight, prover: str) -> list[str]:
    return list(fight.moves(fight.start, prover, first=True))


def _check_moves(
    fight: _Fight,
    header: dict[str, Any],
    claims: dict[tuple[str, str | None], bool],
    prover: str,
    right: bool,
    is_reached: bool,
) -> None:
    """Each first move has its claim, and is right if the prover's success is as said; undecided moves have none."""
    known = [move for move in _first_moves(fight, prover) if move not in header["undecided"]]
    _require(list(claims) == [(prover, move) for move in known], "expected a claim for each decided first move, in order")
    moves = [move for move in known if claims[prover, move] is right]
    _require(moves == header["moves"], f"line 1: the right moves are {' '.join(moves) or 'none'}")
    _require(bool(moves) is is_reached, "line 1: the status is not what the moves reach")
    _require(is_reached or not header["undecided"], "line 1: undecided moves might reach more")
