"""Matches in lockstep: the schedule, the rules, the streams, and that threads change nothing."""

import time

import numpy as np
import pytest

from arena.players import FirstLegal
from playmill.arena.match import Match, block_size, paired, play_match
from playmill.arena.seeds import derive_seeds
from playmill.arena.standing import scores_of
from playmill.core.errors import IllegalAction, UsageError
from playmill.core.seeds import SEARCH, mix
from playmill.games.registry import get_game
from playmill.play.bots import RandomBot
from playmill.play.player import PlainPlayer
from toy_games import MARCH

GAMES = ("tictactoe", "connect_four", "yatzy")
SEEDS = derive_seeds(40, seed=5).array()


def random_match(name, workers=1, opening=0):
    game = get_game(name)
    return play_match(game, [lambda _lanes: RandomBot(game)] * 2, SEEDS, workers, opening)


def columns(match):
    names = ("seeds", "seats", "returns", "finals", "plies", "actions")
    return {name: getattr(match, name).tobytes() for name in names}


def test_each_seed_is_played_twice_with_the_seats_exchanged():
    seeds, seats = paired(np.array([7, 9], np.uint64))
    assert seeds.tolist() == [7, 7, 9, 9]
    assert seats.tolist() == [[0, 1], [1, 0], [0, 1], [1, 0]]


def test_among_three_each_seat_is_once_the_one_bots_and_once_the_others():
    seats = paired(np.arange(3, dtype=np.uint64), players=3)[1]
    assert seats.tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_two_bots_of_the_same_strength_share_every_pair_of_a_game_for_three():
    first = play_match(MARCH, [lambda _lanes: FirstLegal(MARCH)] * 2, np.arange(12, dtype=np.uint64), 1, opening=2)
    assert (first.scores(0).reshape(-1, 2).sum(axis=1) == 1).all()
    assert (first.scores(0) == 1 - first.scores(1)).all()


def test_a_draw_is_when_both_have_the_same_whatever_it_is_worth():
    is_own = np.array([[True, False]] * 3)
    assert scores_of(np.array([[-0.5, -0.5], [1.0, -1.0], [-1.0, -0.5]]), is_own).tolist() == [0.5, 1.0, 0.0]


def test_the_side_whose_seats_have_more_on_average_has_won():
    is_own = np.array([[True, False, False, False]] * 3)
    returns = np.array([[0.1, 0.1, 0.1, 0.1], [0.3, 0.9, 0.1, -0.5], [0.3, 0.9, 0.1, 0.5]])
    assert scores_of(returns, is_own).tolist() == [0.5, 1.0, 0.0]


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_the_same_for_any_number_of_threads(name):
    assert columns(random_match(name, workers=1)) == columns(random_match(name, workers=3))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_follows_from_its_seed_and_actions_by_the_rules(name):
    match = random_match(name)
    states, at = match.states(), 0
    for i in range(match.seeds.size):
        state = match.game.new(int(match.seeds[i]))
        for action in match.actions[match.offsets[i] : match.offsets[i + 1]].tolist():
            assert states[at].tobytes() == state.record.tobytes()
            state, at = state.apply(action), at + 1
        assert state.is_over
        assert state.returns == tuple(match.returns[i])
        assert state.record.tobytes() == match.finals[i].tobytes()
    assert at == match.actions.size


def test_scores_and_points_are_seen_from_the_bots_own_seat():
    match = random_match("yatzy")
    totals = match.finals["total"].astype(float)
    lead = np.where(match.seat_of(0) == 0, totals[:, 0] - totals[:, 1], totals[:, 1] - totals[:, 0])
    assert match.points(0).tolist() == lead.tolist()
    assert match.scores(0).tolist() == (0.5 + 0.5 * np.sign(lead)).tolist()
    assert (match.scores(0) + match.scores(1) == 1).all()
    assert random_match("connect_four").points(0) is None


def test_a_bot_that_ignores_its_opponent_plays_a_mirrored_pair():
    """Both seats have the same dice in both games of a pair, so a bot against itself scores one half, exactly."""
    scores = random_match("yatzy").scores(0)
    assert (scores[::2] + scores[1::2] == 1).all()


@pytest.mark.parametrize("name", ["tictactoe", "connect_four"])
def test_both_games_of_a_pair_open_with_the_same_drawn_moves(name):
    match = play_match(get_game(name), [lambda _s: FirstLegal(get_game(name))] * 2, SEEDS, opening=2)
    openings = np.stack([match.actions[match.offsets[:-1]], match.actions[match.offsets[:-1] + 1]], axis=1)
    assert (openings[::2] == openings[1::2]).all()
    assert len(np.unique(openings, axis=0)) > 15


def test_a_bot_is_asked_once_a_round_for_all_its_games_and_hears_every_move():
    game = get_game("connect_four")
    first, second = FirstLegal(game), FirstLegal(game)
    match = play_match(game, [lambda _s: first, lambda _s: second], SEEDS[:8])
    rounds = match.plies.max()
    assert len(first.asked) == len(second.asked) == rounds
    assert len(first.forgotten) == 1
    live = [(match.plies > ply + 1).sum() for ply in range(rounds)]
    assert [lanes.size for lanes, _, _ in first.heard] == [lanes.size for lanes, _, _ in second.heard] == live
    together = [a.lanes.size + b.lanes.size for a, b in zip(first.asked, second.asked, strict=True)]
    assert together == [(match.plies > ply).sum() for ply in range(rounds)]


def test_a_search_gets_a_stream_of_its_own_for_every_ply():
    game = get_game("tictactoe")
    bot = FirstLegal(game)
    match = play_match(game, [lambda _s: bot, lambda _s: RandomBot(game)], SEEDS[:4])
    for ask in bot.asked:
        seeds = match.seeds[ask.lanes].tolist()
        assert ask.streams.tolist() == [
            mix(mix(seed, SEARCH), ply) for seed, ply in zip(seeds, ask.plies.tolist(), strict=True)
        ]


class Stubborn(PlainPlayer):
    name = "stubborn"

    def pick(self, ask):
        return np.full(ask.lanes.size, 4, np.int32)


def test_an_illegal_action_names_the_bot_and_the_state():
    game = get_game("tictactoe")
    with pytest.raises(IllegalAction, match=r"tictactoe: stubborn chose action 4, which is illegal in '.*'"):
        play_match(game, [lambda _s: Stubborn(), lambda _s: FirstLegal(game)], SEEDS[:2])


class Failing(PlainPlayer):
    name = "failing"

    def pick(self, ask):
        raise ZeroDivisionError


def test_a_bots_own_error_comes_out_and_stops_the_match():
    game, ended = get_game("connect_four"), []
    makers = [lambda _s: RandomBot(game), lambda _s: Failing()]
    with pytest.raises(ZeroDivisionError):
        play_match(game, makers, derive_seeds(500).array(), workers=2, progress=ended.append)
    assert not ended


class LateFailing(RandomBot):
    """Fails in the one block that has this stream; the others would go on for long."""

    def pick(self, ask):
        if mix(mix(int(SEEDS[-1]), SEARCH), 0) in ask.streams.tolist():
            raise ZeroDivisionError
        time.sleep(0.05)
        return super().pick(ask)


def test_an_error_in_a_later_block_does_not_wait_for_the_earlier_ones():
    game, began = get_game("yatzy"), time.perf_counter()
    with pytest.raises(ZeroDivisionError):
        play_match(game, [lambda _s: LateFailing(game)] * 2, SEEDS, workers=3)
    assert time.perf_counter() - began < 4.0  # played to their end they take twice as long


def test_progress_counts_the_games_that_ended():
    game, heard = get_game("yatzy"), []
    play_match(game, [lambda _s: RandomBot(game)] * 2, SEEDS, 2, progress=heard.append)
    counts = [standing.games for standing in heard]
    assert counts == sorted(counts)
    assert counts[-1] == 2 * SEEDS.size


def test_progress_knows_how_it_stands():
    game, heard = get_game("yatzy"), []
    match = play_match(game, [lambda _s: RandomBot(game)] * 2, SEEDS, 2, progress=heard.append)
    assert heard[-1].score == match.scores(0).sum()
    totals = match.finals["total"][np.arange(match.seeds.size), match.seat_of(0)]
    assert heard[-1].mean_points == pytest.approx(totals.mean())


def test_joined_matches_are_one_match():
    game = get_game("connect_four")
    makers = [lambda _s: RandomBot(game)] * 2
    halves = [play_match(game, makers, part) for part in (SEEDS[:15], SEEDS[15:])]
    assert columns(Match.join(halves)) == columns(play_match(game, makers, SEEDS))


def test_a_match_needs_two_bots():
    with pytest.raises(UsageError, match="two bots"):
        play_match(get_game("tictactoe"), [lambda _s: Stubborn()], SEEDS)


@pytest.mark.parametrize(("games", "size"), [(2, 2), (62, 62), (64, 32), (80, 40), (400, 50), (1000, 126), (10_000, 128)])
def test_blocks_are_of_like_size_and_hold_whole_pairs(games, size):
    assert block_size(games) == size
