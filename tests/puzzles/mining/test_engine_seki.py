"""A seki is told from two eyes by what the engine gives to whom, with the real engine's answers on file."""

import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.puzzles.katago.frame import make_frame
from playmill.puzzles.mining import judge_katago
from playmill.puzzles.mining.judge_katago import judge_problem
from playmill.puzzles.mining.judged import JudgedProblem
from playmill.puzzles.mining.katago_settings import JudgeSettings, KataGoMining
from playmill.puzzles.mining.seki import seems_seki
from puzzles.katago.big_boards import on_19
from puzzles.katago.recorded import Recorded

pytestmark = pytest.mark.jit
CLEAR, VISITS = JudgeSettings().clear_fate, 40


@pytest.fixture(scope="module")
def analyst():
    return Recorded("seki")


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("name", "is_seki"),
    [("seki around three", True), ("two eyes in the corner", False), ("straight four", False)],
)
def test_a_group_that_lives_without_a_point_is_a_seki(analyst, name, is_seki, to_play):
    problem = on_19(name, to_play)
    frame = make_frame(problem)
    looked = analyst.analyse(frame.query(VISITS, name))
    assert all(looked.owns(cell, BLACK) > CLEAR for cell in problem.marked)
    assert seems_seki(problem, (), looked, frame.inside, CLEAR) == is_seki


@pytest.mark.parametrize("allowed", [False, True])
def test_a_problem_whose_best_result_is_a_seki_is_rejected_unless_asked_for(monkeypatch, allowed):
    """A problem of two eyes that is taken for a seki, since the engine is unsure of the sekis that can be drawn small."""
    recorded, asked = Recorded("judge"), []
    monkeypatch.setattr(judge_katago, "shared_analyst", lambda settings: recorded)
    monkeypatch.setattr(judge_katago, "seems_seki", lambda problem, line, *rest: asked.append(line) or True)
    settings = JudgeSettings(first_visits=24, budget=400, tree_visits=16, min_plies=1, allow_seki=allowed)
    found = judge_problem(on_19("bent three in the corner", BLACK), KataGoMining(judge=settings))
    if allowed:
        assert (isinstance(found, JudgedProblem), asked) == (True, [])
    else:
        assert (found.reason, len(asked), len(asked[0]) % 2) == ("seki", 1, 1)  # at the end of a line that Black ends


def test_who_has_to_kill_is_not_asked_about_a_seki(monkeypatch):
    recorded = Recorded("judge")
    monkeypatch.setattr(judge_katago, "shared_analyst", lambda settings: recorded)
    monkeypatch.setattr(judge_katago, "seems_seki", lambda *rest: True)
    settings = JudgeSettings(first_visits=24, budget=400, tree_visits=16, min_plies=1)
    assert isinstance(judge_problem(on_19("bent three in the corner", WHITE), KataGoMining(judge=settings)), JudgedProblem)
