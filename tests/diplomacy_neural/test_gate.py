"""The gate seats the candidate everywhere equally often and judges by the share of the outcome."""

from functools import partial

import numpy as np
import pytest
from pydantic import ValidationError

from diplomacy_neural.playing import new_evaluator
from playmill.packs.diplomacy.neural.gate import SeatGateSettings, judge, run_gate
from playmill.packs.diplomacy.neural.guidance import GuidanceSettings
from playmill.packs.diplomacy.neural.phases import gate_entry
from playmill.packs.diplomacy.neural.players import make_guided_player, make_guided_team
from playmill.packs.diplomacy.players.matches import Ending
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.packs.diplomacy.selfplay.settings import SearchBudget

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled

SETTINGS = SeatGateSettings(games=14, max_year=1902, budget=SearchBudget(amount=3))
NARROW = OrderSearchSettings(candidates=3)


POLISHED = OrderSearchSettings(candidates=3, levels=2).with_polish(50)


def rm_plus():
    return make_player("rm_plus", settings=POLISHED)


def guided():
    return make_guided_player(new_evaluator(), NARROW)


def ending(game, centres, winner=-1):
    return Ending(np.array(centres), winner, 1910, 20, 0, key=bytes([game]))


def test_a_gate_gives_the_same_report_with_any_number_of_threads():
    reports = [run_gate(guided, lambda: make_player("heuristic"), SETTINGS, seed=5, threads=n) for n in (1, 2)]
    assert reports[0] == reports[1]
    assert 0 <= reports[0].rung.share.mean <= 1
    assert reports[0].rung.games == 14


@pytest.mark.parametrize("values", ["off", "leaves"])
def test_games_side_by_side_are_those_that_are_played_one_at_a_time(values):
    evaluators, guidance = (new_evaluator(), new_evaluator(seed=2)), GuidanceSettings(values=values)
    alone = [partial(make_guided_player, evaluator, POLISHED, guidance) for evaluator in evaluators]
    one_by_one = run_gate(*alone, SETTINGS, seed=5)
    for lanes, threads in ((3, 1), (5, 2)):
        teams = [partial(make_guided_team, evaluator, POLISHED, guidance, lanes) for evaluator in evaluators]
        assert run_gate(*teams, SETTINGS, seed=5, threads=threads, lanes=lanes) == one_by_one
    beside = partial(make_guided_team, evaluators[0], POLISHED, guidance, 3)
    against = [run_gate(one, rm_plus, SETTINGS, 5, lanes=lanes) for one, lanes in ((alone[0], 1), (beside, 3))]
    assert against[0] == against[1] != one_by_one


def test_games_side_by_side_share_the_passes_of_the_network():
    evaluator, sizes = new_evaluator(), []
    team = make_guided_team(evaluator, NARROW, GuidanceSettings(), lanes=7)
    shared = team.players[0].search.evaluator
    answer = shared.answer
    shared.answer = lambda states: sizes.append(len(states)) or answer(states)
    run_gate(lambda: team, lambda: make_player("heuristic"), SETTINGS, seed=5, lanes=7)
    assert sizes[0] == 7
    assert np.mean(sizes) > 3


def test_the_candidates_seat_goes_round():
    """In game g it sits at power g mod 7, and only what that seat got counts."""
    won = [ending(game, np.eye(7, dtype=int)[game % 7] * 34) for game in range(14)]
    report = judge(won, SETTINGS)
    assert (report.rung.share.mean, report.rung.share.trials, report.rung.distinct_games) == (1, 2, 14)
    assert report.promote
    lost = judge(won[1:] + won[:1], SETTINGS)
    assert lost.rung.share.mean == 0
    assert not lost.promote
    assert lost.reason == "against six of the opponents, share 0.0000 is below 0.1429"


def test_a_run_keeps_an_interval_of_shares():
    """Two rotations that differ leave Student's interval wider than a share can be."""
    mixed = [ending(game, np.eye(7, dtype=int)[(game + game // 7) % 7] * 34) for game in range(14)]
    entry = gate_entry(judge(mixed, SETTINGS), seed=1)
    assert (entry.win_rate, entry.interval) == (0.5, (0.0, 1.0))


def test_games_that_do_not_fit_the_seats_are_refused():
    with pytest.raises(ValidationError, match="multiple of 7"):
        SeatGateSettings(games=20)


def test_an_opening_that_leaves_nothing_to_play_is_refused():
    with pytest.raises(ValidationError, match="opening_phases: expected at most 1 through 1901, got 2"):
        SeatGateSettings(max_year=1901, opening_phases=2)
