"""Defects that such systems are known for, as far as the rules can have them; the others are in `packs/exchange`.

Each docstring says which defect was put back by hand to see the test fail.
"""

import numpy as np
import pytest

from exchange_positions import BUSY, at, moves, number, play, random_states
from playmill.games.exchange.move_text import read_move
from playmill.games.exchange.rules import EXCHANGE
from playmill.games.many import play_moves
from playmill.sim import PlayoutOptions, Simulator, first_legal, uniform_random


def test_a_draw_is_worth_the_same_to_both_colours_and_less_than_nothing():
    """Put back and seen to fail: a draw that is worth +0.5 to Black."""
    ends = [play(at("4k3/8/8/8/8/8/4r(2)3/4K3"), "e1xe2"), play(at("4k3/4R(2)3/8/8/8/8/8/4K3 b"), "e8xe7")]
    ends += [play(at("4k3/8/8/8/8/8/8/Q3K3 b 00 299 0 -"), "e8d8")]
    assert {end.returns for end in ends} == {(EXCHANGE.draw_utility, EXCHANGE.draw_utility)} == {(-0.5, -0.5)}


def test_a_dead_king_ends_the_game_in_every_outcome_that_kills_it():
    """Put back and seen to fail: a game that goes on to its last turn without the king."""
    state = at("4k(6)3/8/8/4Q3/8/8/8/4K3")
    ends = {die: play(state, "e5xe8", die=die) for die in range(1, 7)}
    assert [ends[die].is_over for die in range(1, 7)] == [False, False, True, True, True, True]
    outcomes = state.chance_outcomes(read_move(state, "e5xe8"))
    assert sum(chance for chance, after in outcomes if after.is_over) == pytest.approx(4 / 6)
    assert all(after.returns == (1.0, -1.0) for _, after in outcomes if after.is_over)


def test_a_die_is_thrown_anew_for_every_event():
    """Not once for an edge: the same hit has six results, and each is as likely as any other."""
    state = at("4k3/8/8/4Q3/8/8/8/4K3")
    outcomes = state.chance_outcomes(read_move(state, "e5xe8"))
    assert [round(chance, 9) for chance, _ in outcomes] == [round(1 / 6, 9)] * 6
    thrown = [int(state.reseeded(seed).apply(read_move(state, "e5xe8")).record.hp[60]) for seed in range(600)]
    assert all(70 < thrown.count(25 - 3 - die) < 130 for die in range(1, 7))


@pytest.mark.jit
def test_seeds_reach_the_dice():
    hit = read_move(at(BUSY[1]), next(text for text in sorted(moves(at(BUSY[1]))) if "x" in text))
    assert len({at(BUSY[1]).reseeded(seed).apply(hit).key for seed in range(30)}) > 1
    batches = [Simulator(uniform_random).playout_many(EXCHANGE, 8, seed=seed) for seed in (1, 1, 2)]
    lengths = [np.asarray(batch.applied).tolist() for batch in batches]
    assert lengths[0] == lengths[1] != lengths[2]


# The rook has 13; the king hits for 1 and a die. Its hit is the first legal action.
HIT, HIT_TEXT, LEFT = "4k3/8/8/8/8/8/1r6/K(*0)7", "a1xb2", {12 - die for die in range(1, 7)}


def test_seeds_reach_the_dice_of_games_that_are_driven():
    """Put back and seen to fail: `play_moves` throws dice by the ply alone.

    One move in sixty episodes; where bots draw, their games would differ even if the dice had no seed.
    """
    state, lanes = at(HIT), np.arange(60)
    records = np.repeat(state.record.reshape(1), lanes.size)
    actions = np.full(lanes.size, read_move(state, HIT_TEXT), np.int32)
    play_moves(EXCHANGE, lanes, lanes.astype(np.uint64), actions, records, np.zeros((60, 2)), np.zeros(60, np.bool_))
    assert set(records["hp"][:, number("b2")].tolist()) == LEFT


def test_seeds_reach_the_dice_of_playouts():
    """Put back and seen to fail: playouts that throw dice by the ply alone."""
    playouts = Simulator(first_legal, PlayoutOptions(max_events=1)).playout_many(at(HIT), 60, seed=5)
    assert set(playouts.finals["hp"][:, number("b2")].tolist()) == LEFT


@pytest.mark.jit
def test_every_legal_move_leads_somewhere_legal():
    ways = 0
    for turn, state in enumerate(random_states(7, 3)):
        if turn % 9 == 0:
            for action in state.legal_actions[::5]:
                for _, after in state.chance_outcomes(action):
                    assert after.is_over or after.legal_actions
                    ways += 1
    assert ways > 500
