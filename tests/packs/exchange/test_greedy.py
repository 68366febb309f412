"""The greedy bot of EXCHANGE: whom it hits, and the games that it plays against itself."""

import numpy as np

from exchange_positions import at
from playmill.arena.match import play_match
from playmill.games.exchange.move_text import move_text
from playmill.games.exchange.rules import EXCHANGE
from playmill.packs.exchange.greedy import GreedyBot, pick_greedily
from playmill.packs.registry import find_pack
from playmill.play.bots import RandomBot


def picks(text, words=40):
    state = at(text)
    records, out = np.repeat(state.record.reshape(1), words), np.empty(words, np.int32)
    pick_greedily(EXCHANGE, records, np.arange(words, dtype=np.uint64), np.empty(EXCHANGE.max_legal, np.int32), out)
    return {move_text(int(action)) for action in out}


def test_it_hits_the_king_if_it_can():
    assert picks("8/8/8/3r(1)4/3Q(~1)2k1/8/8/4K3") == {"d4xg4"}


def test_else_it_hits_to_kill():
    assert picks("7k/8/8/3r(9)4/3Q(~1)2q1/8/8/4K3") == {"d4xd5"}


def test_else_it_hits_as_hard_as_it_can():
    assert picks("7k/8/8/8/2PQ(~1)4/1r1r4/8/4K3") == {"d4xd3"}


def test_else_it_moves_at_random():
    assert len(picks("7k/7p/8/8/8/8/P7/4K3")) > 4


def test_against_itself_it_draws_one_game_in_a_hundred_and_needs_some_53_plies():
    """The figures that are known of it; another reading of the rules gives others."""
    make = find_pack("exchange").bots["greedy"](EXCHANGE, 1)
    match = play_match(EXCHANGE, [make, make], np.arange(250, dtype=np.uint64))
    assert isinstance(make(1), GreedyBot)
    assert 49 < match.plies.mean() < 57
    assert (match.returns[:, 0] == match.returns[:, 1]).mean() < 0.03


def test_it_beats_chance():
    make = find_pack("exchange").bots["greedy"](EXCHANGE, 1)
    match = play_match(EXCHANGE, [make, lambda _lanes: RandomBot(EXCHANGE)], np.arange(25, dtype=np.uint64))
    assert match.scores(0).mean() > 0.95
