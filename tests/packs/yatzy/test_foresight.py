"""Nobody foresees the dice: what a player would gain by it, and that a search can't."""

import numpy as np
import pytest

from arena.players import UniformEvaluator
from playmill.arena.match import play_match
from playmill.arena.seeds import derive_seeds
from playmill.arena.statistics import estimate, pair_means
from playmill.core.seeds import SEARCH, mix
from playmill.games.yatzy.rules import FIRST_MARK, YATZY
from playmill.packs.yatzy.luck import keep_ledger
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.play.bots import RandomBot, SearchBot
from playmill.play.player import Ask
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings

SEEDS = derive_seeds(16, seed=11).array()  # 32 games are one block, in which game i stands in lane i


class Imagining(OracleBot):
    """Rolls every action out once and takes the one that leads to the best board, in the oracle's eyes."""

    name = "imagining"

    def pick(self, ask):
        lanes, records, streams = ask.lanes, ask.records, ask.streams
        legal = ~np.isnan(self.action_values(records))
        rows, actions = np.nonzero(legal)
        after = records[rows]
        for i, (row, action) in enumerate(zip(rows.tolist(), actions.tolist(), strict=True)):
            YATZY.kernels["play"](after[i], action, np.uint64(self.word(lanes[row], records[row], streams[row], action)))
        values = np.full(legal.shape, -np.inf)
        values[rows, actions] = self.worth(records["mover"][rows], actions, after)
        return values.argmax(axis=1).astype(np.int32)

    def worth(self, own, actions, after):
        """Points of the mover so far, and what the oracle expects to come."""
        rows = np.arange(after.size)
        is_mark = actions >= FIRST_MARK
        to_come = self.oracle.table[after["avail"][rows, own], after["upper"][rows, own]].copy()
        to_come[~is_mark] = np.nanmax(self.action_values(after[~is_mark]), axis=1)
        return after["total"][rows, own] + to_come

    def word(self, lane, record, stream, action):
        """What it imagines: words of the search's own stream."""
        return mix(int(stream), action)


class Peeking(Imagining):
    """The same, but it has got hold of the episodes' seeds."""

    name = "peeking"

    def __init__(self, oracle, seeds):
        super().__init__(oracle)
        self.seeds = np.repeat(seeds, 2)

    def word(self, lane, record, stream, action):
        return mix(int(self.seeds[lane]), int(record["turn"]))


def ledger_of(oracle, bot):
    match = play_match(YATZY, [lambda _s: bot, lambda _s: OracleBot(oracle)], SEEDS)
    return keep_ledger(oracle, match)


def test_a_player_who_sees_the_dice_scores_far_more_and_its_luck_gives_it_away(oracle):
    peeking, honest = ledger_of(oracle, Peeking(oracle, SEEDS)), ledger_of(oracle, Imagining(oracle))
    assert peeking.scores(0).mean() > oracle.expected_score() + 30 > honest.scores(0).mean() + 60
    luck = [estimate(pair_means(ledger.of(0, ledger.luck))) for ledger in (peeking, honest)]
    assert luck[0].mean > 10 * luck[0].se
    assert abs(luck[1].mean) < 3.5 * luck[1].se


@pytest.fixture(scope="module")
def searched():
    """A match of a search against random play, and the settings of that search."""
    settings = PuctSettings(budget=12, reuse=False)
    makers = [
        lambda lanes: SearchBot(PuctSearch(YATZY, settings, UniformEvaluator(), lanes)),
        lambda _lanes: RandomBot(YATZY),
    ]
    return play_match(YATZY, makers, SEEDS), settings


def test_a_searchs_choice_follows_from_the_position_and_its_own_stream_alone(searched):
    """Asked again by somebody who does not know the episode, it gives the same answer: any dice may follow."""
    match, settings = searched
    states, ply = match.states(), np.arange(match.actions.size) - match.offsets[match.game_of]
    own = np.flatnonzero(match.seat_of(0)[match.game_of] == states["mover"])[::7]
    seeds = match.seeds[match.game_of[own]].tolist()
    streams = np.array([mix(mix(seed, SEARCH), p) for seed, p in zip(seeds, ply[own].tolist(), strict=True)], np.uint64)
    bot = SearchBot(PuctSearch(YATZY, settings, UniformEvaluator(), own.size))
    ask = Ask(np.arange(own.size), states[own], ply[own].astype(np.int32), streams, streams)
    again = finish(bot.choose(ask)).actions
    assert own.size > 150
    assert again.tolist() == match.actions[own].tolist()


def test_a_search_is_neither_lucky_nor_unlucky(oracle, searched):
    ledger = keep_ledger(oracle, searched[0])
    luck = estimate(pair_means(ledger.of(0, ledger.luck)))
    assert abs(luck.mean) < 3.5 * luck.se


def test_the_words_of_the_search_are_not_those_of_the_dice():
    dice = {mix(int(seed), turn) for seed in SEEDS for turn in range(30)}
    imagined = {mix(mix(mix(int(seed), SEARCH), ply), k) for seed in SEEDS[:4] for ply in range(90) for k in range(200)}
    assert not dice & imagined
