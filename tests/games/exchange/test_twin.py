"""EXCHANGE's kernels against the plain twin: counts by depth with every face of the die, and whole positions."""

import math

import numpy as np
import pytest

from exchange_positions import BUSY, START, at, random_moves, twin_of
from naive.exchange import Exchange, count, unpack
from playmill.core.jit import kernel
from playmill.core.seeds import mix
from playmill.games.exchange.board import CHARGES, CODES, EMPTY, KING, MAX_HP, TYPE_OF
from playmill.games.exchange.effects import apply, rolls
from playmill.games.exchange.moves import OVEREXTEND
from playmill.games.exchange.rules import EXCHANGE, legal, outcome
from playmill.games.state import State


@kernel
def count_ways(stack, depth, actions, scores):
    """As the twin's `count`, of stack[depth]; the records behind it are room."""
    if depth == stack.size - 1 or outcome(stack[depth], scores):
        return 1
    total = 0
    for i in range(legal(stack[depth], actions[depth])):
        action = np.int64(actions[depth, i])
        for die in range(1, 7 if rolls(action) else 2):
            stack[depth + 1] = stack[depth]
            apply(stack[depth + 1], action, die)
            total += count_ways(stack, depth + 1, actions, scores)
    return total


def ways(state, depth):
    stack = EXCHANGE.records(depth + 1)
    stack[0] = state.record
    return count_ways(stack, 0, np.empty((depth + 1, EXCHANGE.max_legal), np.int32), np.zeros(2))


@pytest.mark.jit
@pytest.mark.parametrize(("text", "depth"), [(START, 3), *((text, 2) for text in BUSY)])
def test_counts_by_depth_with_chance_expanded_are_the_twins(text, depth):
    for plies in range(1, depth + 1):
        assert ways(at(text), plies) == count(twin_of(at(text)), plies)


@pytest.mark.jit
@pytest.mark.parametrize(("plies", "number"), [(1, 21), (2, 441), (3, 12390), (4, 382_334)])
def test_the_number_of_ways_to_begin(plies, number):
    assert ways(EXCHANGE.new(0), plies) == number


@pytest.mark.jit
@pytest.mark.slow
@pytest.mark.parametrize(("text", "depth"), [(START, 4), *((text, 3) for text in BUSY)])
def test_deeper_counts_are_the_twins(text, depth):
    assert ways(at(text), depth) == count(twin_of(at(text)), depth)


def follow(seed, games):
    """Random games with the twin beside them: the same position, repetitions, moves and result after every ply."""
    twin, plies = Exchange(), 0
    for state, action in random_moves(seed, games):
        if state.ply == 0:
            twin.start()
        assert twin_of(state).position() == twin.position()
        assert state.record.repeats == min(3, twin.seen[twin.position()])
        assert (list(state.returns) if state.is_over else None) == twin.outcome()
        if action is not None:
            assert list(state.legal_actions) == twin.legal()
            twin.play(action, mix(state.seed, state.ply))
            plies += 1
    return plies


@pytest.mark.jit
def test_whole_positions_are_the_twins():
    assert follow(5, 2) > 200


@pytest.mark.slow
def test_whole_positions_of_many_games_are_the_twins():
    assert follow(6, 60) > 5000


def crowded(rng, share):
    """A board that no game leads to: any pieces anywhere, in any condition."""
    records = EXCHANGE.records(1)
    record = records[0]
    record.piece[:] = np.where(rng.random(64) < share, rng.integers(1, CODES, 64), EMPTY)
    kinds, is_piece = TYPE_OF[record.piece], record.piece != EMPTY
    record.hp[:] = np.where(is_piece, rng.integers(1, MAX_HP[kinds] + 1), 0)
    record.cooldown[:] = np.where(is_piece & (kinds != KING), rng.integers(0, 2, 64), 0)
    record.charges[:] = np.where(is_piece, rng.integers(0, CHARGES[kinds] + 1), 0)
    record.mover, record.turn = rng.integers(2), 100
    return State(EXCHANGE, records, 0, 100)


def moves_of(state):
    actions = np.zeros(EXCHANGE.max_legal, np.int32)
    return actions[: legal(state.record, actions)].tolist()


@pytest.mark.jit
@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.9])
def test_moves_on_crowded_boards_are_the_twins(share):
    rng = np.random.default_rng(int(100 * share))
    for _ in range(25):
        state = crowded(rng, share)
        expected = twin_of(state).legal()
        assert len(expected) <= EXCHANGE.max_legal
        assert moves_of(state) == expected


@pytest.mark.jit
def test_of_too_many_moves_the_last_overextends_are_left_out():
    state = at("1rqnq+q+1n/Q6Q+/4Q+3/kQ+4Q+1/3b2r1/Q+4Q+2/2Q+4Q+/Kq+2q+b2 w")
    whole = twin_of(state).legal()
    others = [action for action in whole if action & 7 != OVEREXTEND]
    aimed = [action for action in whole if action & 7 == OVEREXTEND]
    assert len(whole) > EXCHANGE.max_legal
    assert moves_of(state) == sorted(others + aimed[: EXCHANGE.max_legal - len(others)])


def test_every_legal_move_of_the_twin_can_be_unpacked_again():
    for action in at(BUSY[0]).legal_actions:
        assert unpack(action) is not None


@pytest.mark.slow
def test_without_a_limit_random_games_are_drawn_about_as_often_as_is_known():
    """About 8 % are known. With the 300 plies of the rules it is 57 %, as most random games are not over by then."""
    drawn, is_late, games = 0, 0, 400
    rng = np.random.default_rng(9)
    for _ in range(games):
        twin = Exchange()
        twin.limit = math.inf
        twin.start()
        while twin.outcome() is None:
            twin.play(rng.choice(twin.legal()), int(rng.integers(2**64, dtype=np.uint64)))
        drawn += twin.outcome() == [-0.5, -0.5]
        is_late += twin.turns > 300
    assert 0.05 < drawn / games < 0.13
    assert 0.48 < is_late / games < 0.64
