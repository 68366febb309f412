"""`--engine katago` on the conveyor, with the real engine's answers on file: finds are proved if they can be, else judged."""

import json

import pytest

from playmill.core import files
from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.sgf.points import write_point
from playmill.puzzles.katago.frame import make_frame
from playmill.puzzles.mining import engine_katago, hunt_katago, judge_katago
from playmill.puzzles.mining.conveyor import mine_folder
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.katago_settings import HuntSettings, JudgeSettings, KataGoMining
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.puzzle_file import read_puzzles
from puzzles.katago.big_boards import on_19
from puzzles.katago.recorded import Recorded

pytestmark = pytest.mark.jit

SETTINGS = MiningSettings(
    katago=KataGoMining(
        hunt=HuntSettings(
            scan_every=2, scan_visits=4, confirm_visits=30, decided_winrate=0.999, unsettled_every=0, with_solver=False
        ),
        judge=JudgeSettings(first_visits=24, budget=100, tree_visits=16),
    )
)


@pytest.fixture
def records(tmp_path):
    """A folder with one game: White may kill a bulky five at D1, and plays C1."""
    frame = make_frame(on_19("bulky five", WHITE))
    setup = "".join(
        name + "".join(f"[{write_point(19, cell)}]" for stone, cell in frame.stones if stone == colour)
        for colour, name in ((BLACK, "AB"), (WHITE, "AW"))
    )
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "five.sgf").write_text(f"(;GM[1]FF[4]SZ[19]KM[{frame.komi}]{setup}PL[W];W[cs];B[ds])")
    return tmp_path / "games"


@pytest.fixture
def recorded(monkeypatch):
    analyst = Recorded("conveyor")
    for room in (hunt_katago, judge_katago, engine_katago):
        monkeypatch.setattr(room, "shared_analyst", lambda settings: analyst)
    return analyst


def mine(records, out):
    mined = mine_folder(records, out, SETTINGS, engine="katago")
    assert (mined.funnel.candidates, mined.funnel.accepted) == (2, 1)  # to punish it is no puzzle
    [puzzle] = read_puzzles(out).puzzles
    assert puzzle.solution_sgf.startswith("(;GM[1]FF[4]SZ[19](;W[ds]TE[1]")
    return puzzle


def test_a_blunder_becomes_a_puzzle_that_the_solver_proves(records, recorded, tmp_path):
    facts = mine(records, tmp_path / "puzzles.jsonl").metadata
    assert (facts.verification, facts.side, facts.goal, facts.original_move_number) == ("proved", "white", "kill", 0)
    assert (tmp_path / "puzzles.proofs" / facts.proof).exists()
    assert (facts.engine, facts.network) == ("katago 1.18.1", recorded.network)
    assert facts.katago_winrate_drop > 0.15
    assert facts.score_loss > 5
    assert {"effort", "hiddenness", "visits"} <= facts.difficulty_parts.keys()


def test_what_the_solver_can_not_prove_the_engine_judges(records, recorded, tmp_path, monkeypatch):
    monkeypatch.setattr(engine_katago.judge_solver, "judge", lambda candidate, settings: Rejection("too_deep"))
    facts = mine(records, tmp_path / "puzzles.jsonl").metadata
    assert (facts.verification, facts.proof, facts.budget) == ("engine", None, 100)
    assert facts.difficulty_parts.keys() >= {"hiddenness", "visits"}


def test_what_the_solver_refutes_is_not_asked_about(records, recorded, monkeypatch):
    refuted = Rejection("ambiguous")
    monkeypatch.setattr(engine_katago.judge_solver, "judge", lambda candidate, settings: refuted)
    monkeypatch.setattr(engine_katago.judge_katago, "judge", lambda *_: pytest.fail("the engine was asked"))
    assert engine_katago.KataGoEngine().judge(None, SETTINGS) is refuted


def test_the_solvers_hunter_looks_as_well_unless_told_not_to(monkeypatch):
    monkeypatch.setattr(engine_katago.hunt_katago, "hunt", lambda *_: iter(["the engine's"]))
    monkeypatch.setattr(engine_katago.hunt_solver, "hunt", lambda *_: iter(["the solver's"]))
    engine = engine_katago.KataGoEngine()
    assert list(engine.hunt(None, None, MiningSettings())) == ["the engine's", "the solver's"]
    assert list(engine.hunt(None, None, SETTINGS)) == ["the engine's"]


def test_without_an_engine_nothing_is_written(records, tmp_path, monkeypatch):
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path / "cache"))
    files._cache_root.cache_clear()
    with pytest.raises(UsageError, match="there is no KataGo here"):
        mine_folder(records, tmp_path / "out" / "puzzles.jsonl", SETTINGS, engine="katago")
    files._cache_root.cache_clear()
    assert not (tmp_path / "out").exists()


def test_a_second_run_changes_nothing(records, recorded, tmp_path):
    out = tmp_path / "puzzles.jsonl"
    mine_folder(records, out, SETTINGS, engine="katago")
    before = out.read_bytes()
    assert mine_folder(records, out, SETTINGS, engine="katago").done_now == 0
    assert out.read_bytes() == before
    assert json.loads(before)["tags"]
