"""One-ply expectations: exact on the solved game, on small dice, and at the end of a game."""

import numpy as np
import pytest

from dice_game import GOAL, HOLD, PIG, ROLL
from playmill.core.errors import UsageError
from playmill.core.evaluation import LocalEvaluator
from playmill.games.game import Game
from playmill.games.registry import get_game
from playmill.games.yatzy.oracle import Oracle
from playmill.search.expectation import expect_actions, judge_of
from playmill.sim import PlayoutOptions, Simulator, uniform_random

YATZY = get_game("yatzy")


@pytest.fixture(scope="module")
def oracle():
    return Oracle.load()


def final_scores(oracle):
    """Judges Yatzy by what best solitaire play makes of each board in the end."""

    def judge(records):
        return np.array([[worth(oracle, record, player) for player in range(2)] for record in records])

    return judge


def worth(oracle, record, player):
    avail, upper, total = int(record["avail"][player]), int(record["upper"][player]), float(record["total"][player])
    if player != record["mover"]:
        return total + oracle.value(avail, upper)
    return total + np.nanmax(oracle.action_values(avail, upper, record["dice"].tolist(), int(record["rerolls"])))


@pytest.mark.parametrize("plies", [0, 1, 30])
def test_expectations_over_yatzys_outcomes_are_the_oracles(oracle, plies):
    options = PlayoutOptions(max_events=plies) if plies else None
    state = Simulator(uniform_random, options).playout(YATZY.new(5)).final if options else YATZY.new(5)
    record, mover = state.record, state.to_move
    found = expect_actions(YATZY, record, final_scores(oracle))
    board = int(record.avail[mover]), int(record.upper[mover])
    values = oracle.action_values(*board, record.dice.tolist(), int(record.rerolls))
    expected = int(record.total[mover]) + values[found.actions]
    assert found.utilities[:, mover] == pytest.approx(expected, abs=1e-9)
    assert found.best == oracle.best_action(*board, record.dice.tolist(), int(record.rerolls))


def test_pig_by_hand():
    state = PIG.new(0)
    found = expect_actions(PIG, state.record, lambda records: np.stack([records["pot"], -1.0 * records["pot"]], axis=1))
    assert found.actions.tolist() == [ROLL, HOLD]
    assert found.utilities[:, 0] == pytest.approx([(2 + 3 + 4 + 5 + 6) / 6, 0])


def test_what_ends_the_game_counts_as_it_ended_and_nobody_is_asked_about_it():
    records = PIG.records(1)
    records["pot"] = GOAL
    found = expect_actions(PIG, records[0], lambda asked: np.full((len(asked), 2), -0.25))
    assert found.utilities[HOLD].tolist() == [1, -1]
    assert found.utilities[ROLL] == pytest.approx([-0.25, -0.25])
    assert found.best == HOLD


class Lead(LocalEvaluator):
    """Thinks that who has kept more wins; says it from the mover's side."""

    heads = ("win",)

    def evaluate_values(self, features, values):
        values[:, 0] = features[:, 0] - features[:, 1] + features[:, 2]


@pytest.mark.parametrize("rows", [1, 4, 100])
def test_a_networks_answers_are_turned_to_the_seats(rows):
    records = PIG.records(1)
    records["kept"], records["pot"], records["mover"] = [[3, 6]], 4, 1
    found = expect_actions(PIG, records[0], judge_of(PIG, Lead(), rows=rows))
    # Holding keeps 10 against 3, and the other one is to move; a roll adds 2, 3, 4, 5 or 6 to the pot, which holds 12 at most.
    hold = (10 - 3) / GOAL
    roll = np.mean([(6 - 3) / GOAL, *((6 - 3 + min(4 + die, GOAL)) / GOAL for die in range(2, 7))])
    assert found.utilities[:, 1] == pytest.approx([roll, hold])
    assert found.utilities[:, 0] == pytest.approx([-roll, -hold])


def test_without_chance_an_action_is_worth_what_follows():
    game = get_game("connect_four")
    found = expect_actions(game, game.new().record, lambda records: np.arange(len(records))[:, None] * [1.0, -1.0])
    assert found.utilities[:, 0].tolist() == list(range(7))
    assert found.best == 6


def test_a_game_that_does_not_list_its_outcomes_is_refused():
    mute = Game("mute", state=PIG.state, players=2, logits=2)
    mute.kernels |= {name: found for name, found in PIG.kernels.items() if name != "outcomes"}
    with pytest.raises(UsageError, match="mute: exact expectations need a game that lists its outcomes"):
        expect_actions(mute, mute.records(1)[0], lambda records: records)
