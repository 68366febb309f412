"""Benson's unconditional life and ladders on the plain twin, by sets."""

from __future__ import annotations

from naive.go import OTHER, Go


def alive_points(go: Go, own: str) -> tuple[set[int], set[int]]:
    """The stones that are unconditionally alive, and their vital regions."""
    chains = {frozenset(go.chain(go.board, at)[0]) for at in range(go.size**2) if go.board[at] == own}
    outside = Go()
    outside.size = go.size
    outside.board = tuple("X" if mark == own else "." for mark in go.board)
    regions = {frozenset(outside.chain(outside.board, at)[0]) for at in range(go.size**2) if outside.board[at] == "."}
    while True:
        vital = {chain: [region for region in regions if _is_vital(go, region, chain)] for chain in chains}
        left = {chain for chain in chains if len(vital[chain]) >= 2}
        kept = {region for region in regions if _around(go, region, own) <= set().union(*left)}
        if left == chains and kept == regions:
            eyes = [region for chain in chains for region in vital[chain]]
            return set().union(*chains), set().union(*eyes)
        chains, regions = left, kept


def _is_vital(go: Go, region, chain) -> bool:
    empty = [at for at in region if go.board[at] == "."]
    return all(any(near in chain for near in go.neighbours(at)) for at in empty)


def _around(go: Go, region, own: str) -> set[int]:
    return {near for at in region for near in go.neighbours(at) if go.board[near] == own}


def is_caught(go: Go, at: int, attacker_first: bool, ko: int | None = None) -> bool:
    """Whether the chain is caught in a ladder; `ko` is the point where nobody may play."""
    chain, liberties = go.chain(go.board, at)
    own = go.board[at]
    if attacker_first:
        if len(liberties) != 2:
            return len(liberties) < 2
        after = [_after(go, point, OTHER[own], ko) for point in liberties]
        return any(is_caught(board, at, False, its_ko) for board, its_ko in filter(None, after))
    if len(liberties) != 1:
        return False
    beside = {near for stone in chain for near in go.neighbours(stone) if go.board[near] == OTHER[own]}
    last = [go.chain(go.board, stone)[1] for stone in beside]
    moves = liberties | {point for points in last if len(points) == 1 for point in points}
    after = [_after(go, point, own, ko) for point in moves]
    return all(is_caught(board, at, True, its_ko) for board, its_ko in filter(None, after))


def _after(go: Go, at: int, own: str, ko: int | None) -> tuple[Go, int | None] | None:
    """The board after a move and its ko, or None if the move is illegal."""
    played = Go()
    played.size = go.size
    played.start(0)
    played.board, played.moves = go.board, [None] if own == "O" else []
    board = None if at == ko else played.after(at)
    if board is None:
        return None
    taken = [point for point in range(go.size**2) if go.board[point] == OTHER[own] and board[point] == "."]
    played.board = board
    chain, liberties = played.chain(board, at)
    return played, taken[0] if len(taken) == len(chain) == len(liberties) == 1 else None
