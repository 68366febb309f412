"""Win rates against named bots: counted as a plain count of the match says, the same for any number of threads."""

import numpy as np
import pytest

from playmill.arena.entrants import NetworkMaker
from playmill.arena.gate import usual_opening
from playmill.arena.match import play_match
from playmill.arena.rivals import HEAD_TO_HEAD, Rivals, see_meeting
from playmill.arena.rivals_measure import rivals_measure
from playmill.arena.seeds import derive_seeds
from playmill.arena.statistics import rate_estimate, wilson
from playmill.core.errors import UsageError
from playmill.games.connect_four import CONNECT_FOUR
from playmill.nets.checkpoint import make_checkpoint
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec
from playmill.play.bots import RandomBot
from playmill.search.settings import PuctSettings, SearchSettings

SPEC = NetSpec(kind="mlp", hidden=16, blocks=0)
GAMES = 20


def open_random(game, workers):
    return lambda _lanes: RandomBot(game)


RIVALS = Rivals({"random": open_random, "other": open_random}, student="one_ply")


@pytest.fixture(scope="module")
def network():
    checkpoint = make_checkpoint(CONNECT_FOUR, SPEC, build_net(CONNECT_FOUR, SPEC, 3))
    return NetworkMaker(checkpoint, CONNECT_FOUR, SearchSettings(puct=PuctSettings(budget=12)), "torch")


@pytest.fixture(scope="module")
def fields(network):
    heard = []
    (found,) = RIVALS(CONNECT_FOUR, [network], GAMES, 5, 2, heard.append)
    return found, heard


pytestmark = pytest.mark.jit


def test_every_meeting_is_there_and_counts_its_games(fields):
    found, heard = fields
    meetings = [*found["teacher"].values(), *found["student"].values(), found[HEAD_TO_HEAD]]
    assert len(meetings) == RIVALS.matches == 5
    for meeting in meetings:
        assert meeting["wins"] + meeting["losses"] + meeting["draws"] == meeting["games"] == GAMES
        assert 0 <= meeting["rate"]["low"] <= meeting["rate"]["mean"] <= meeting["rate"]["high"] <= 1
        assert meeting["mean_plies"] >= 7
    assert max(standing.done for standing in heard) == RIVALS.matches * GAMES


def test_a_meeting_is_what_a_plain_count_of_the_match_says(network, fields):
    """By the records themselves: who sat where, and who had more."""
    seeds = derive_seeds(GAMES // 2, 5)
    student = network.with_search("one_ply")
    match = play_match(CONNECT_FOUR, (student, network), seeds.array(), 1, opening=usual_opening(CONNECT_FOUR, GAMES // 2))
    won = drawn = 0
    for seats, returns in zip(match.seats, match.returns, strict=True):
        own = returns[list(seats).index(0)]
        won, drawn = won + (own > 0), drawn + (own == 0)
    meeting = fields[0][HEAD_TO_HEAD]
    assert (meeting["wins"], meeting["draws"]) == (won, drawn)
    assert meeting["draw_share"] == drawn / GAMES
    assert meeting["mean_plies"] == match.plies.mean()


def test_the_fields_do_not_depend_on_the_number_of_threads(network, fields):
    assert RIVALS(CONNECT_FOUR, [network], GAMES, 5, 1, None) == [fields[0]]


def test_the_student_is_the_same_network_with_another_search(network):
    student = network.with_search("one_ply")
    assert student.search.kind == "one_ply"
    assert student.checkpoint is network.checkpoint
    assert (student.backend, student.heat) == (network.backend, None)


def test_pairs_that_repeat_others_narrow_no_interval(network):
    """Two bots that draw nothing, from the same opening: one pair, however often it is played."""
    match = play_match(CONNECT_FOUR, (network, network), derive_seeds(6, 1).array(), 1, opening=0)
    meeting = see_meeting(match)
    assert (meeting.games, meeting.distinct_games, meeting.rate.trials) == (12, 2, 1)
    assert meeting.rate.low is None


def test_a_bot_without_a_network_has_no_student():
    with pytest.raises(UsageError, match="need a network"):
        RIVALS(CONNECT_FOUR, [lambda _lanes: RandomBot(CONNECT_FOUR)], 4, 0, 1, None)


def test_an_interval_where_all_pairs_came_out_alike_is_not_empty():
    assert rate_estimate(np.ones(8)).low == pytest.approx(wilson(8, 8)[0])
    assert rate_estimate(np.ones(8)).high == 1
    wide = rate_estimate(np.array([1.0, 0.5, 1.0]))
    assert (wide.mean, wide.high) == (pytest.approx(5 / 6), 1.0)


def test_the_measure_shows_all_meetings(fields):
    measure, found = rivals_measure("bots", RIVALS.bots, "one_ply"), fields[0]
    assert measure.is_of_best
    assert measure.matches == 5
    assert [column.header for column in measure.columns] == ["vs random", "vs other", "student vs teacher"]
    teacher, student = (found[who]["random"]["rate"]["mean"] for who in ("teacher", "student"))
    assert measure.columns[0].cell(found) == f"{100 * teacher:.0f}/{100 * student:.0f} %"
    points = [curve.point(found) for curve in measure.curves]
    assert points[0] == (teacher, found["teacher"]["random"]["rate"]["low"], found["teacher"]["random"]["rate"]["high"])
    assert len(measure.breakdowns(found)[0].rows) == len(points) == 5
    low, high = (100 * found["teacher"]["random"]["rate"][end] for end in ("low", "high"))
    assert f"teacher {teacher:.1%} ({low:.0f} to {high:.0f}) against random" in measure.words(found)
