"""A puzzle that an engine judged is asked of it again, with many times the visits, where the solver has no answer."""

from types import SimpleNamespace

import pytest

from playmill.puzzles.grading import GradingSettings
from playmill.puzzles.mining import engine_katago, judge_katago, rechecking
from playmill.puzzles.mining.crop_katago import GLANCE
from playmill.puzzles.mining.judge_katago import judge
from playmill.puzzles.mining.publish import make_puzzle
from playmill.puzzles.mining.rechecking import CONFIRMED, OVERTURNED, UNDECIDED, recheck
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.solver.solving import solve
from puzzles.katago.recorded import Scripted
from puzzles.mining.test_katago import OTHER, SETTINGS, VITAL, candidate, opinion

pytestmark = pytest.mark.jit
MINING = MiningSettings(katago=SETTINGS)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file with one puzzle that the engine judged; the solver is at a loss."""
    for room in (judge_katago, engine_katago):
        monkeypatch.setattr(room, "shared_analyst", lambda settings: Scripted(opinion()))
    judged = judge(candidate(), SETTINGS)
    path = tmp_path / "puzzles.jsonl"
    path.write_text(make_puzzle(judged, candidate(), GradingSettings()).line() + "\n")
    monkeypatch.setattr(rechecking, "solve", lambda *words: SimpleNamespace(proved=False, reason="too_deep"))
    monkeypatch.setattr(rechecking, "is_there", lambda settings: True)
    return path


def again(file, monkeypatch, answer):
    """The one puzzle's verdict, and what the engine was asked."""
    analyst = Scripted(answer)
    for room in (judge_katago, engine_katago):
        monkeypatch.setattr(room, "shared_analyst", lambda settings: analyst)
    [found] = recheck(file, 10, settings=MINING).found
    return found, analyst.asked


def test_the_same_answer_at_ten_times_the_visits_confirms_it(file, monkeypatch):
    found, asked = again(file, monkeypatch, opinion())
    assert found.verdict == CONFIRMED
    assert {query.visits for query in asked} == {GLANCE, 10 * SETTINGS.judge.first_visits}


@pytest.mark.parametrize(
    ("answer", "verdict", "detail"),
    [
        (opinion(right=(OTHER,)), OVERTURNED, "the engine plays C1, not D1"),
        (opinion(right=(VITAL, OTHER)), OVERTURNED, "D1 succeeds, but C1 does not fail"),
        (opinion(in_crop=False), OVERTURNED, "fails in the cropped position"),
        (lambda query: (0.5, 0.0, [(VITAL, 0.5)], 0.0), UNDECIDED, "not clear after 4,000 visits"),
    ],
)
def test_another_answer_overturns_it_and_none_leaves_it_undecided(file, monkeypatch, answer, verdict, detail):
    found, _ = again(file, monkeypatch, answer)
    assert found.verdict == verdict
    assert detail in found.detail


def test_without_an_engine_it_is_undecided(file, monkeypatch):
    monkeypatch.setattr(rechecking, "is_there", lambda settings: False)
    found, asked = again(file, monkeypatch, opinion())
    assert (found.verdict, found.detail, asked) == (UNDECIDED, "an engine judged it, and there is none here", [])


def test_what_the_solver_can_say_now_needs_no_engine(file, monkeypatch):
    monkeypatch.setattr(rechecking, "solve", solve)
    found, asked = again(file, monkeypatch, opinion())
    assert (found.verdict, asked) == (CONFIRMED, [])
