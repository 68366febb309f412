"""Mining as a whole: same bytes for any workers and any kills, one line for what is wrong, and puzzles that hold."""

import json
import os
import random
import re
import signal
import time

import pytest

from cli.invoking import invoke
from playmill.core.errors import UsageError
from playmill.puzzles.mining.conveyor import mine_folder
from playmill.puzzles.mining.mine_files import progress_path, proofs_folder, rejects_path
from playmill.puzzles.mining.rechecking import recheck
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.puzzle_file import read_puzzles
from playmill.puzzles.solution_tree import SolutionTree, read_solution, write_solution
from playmill.puzzles.solver.checker import check_proof
from playmill.puzzles.solver.classics import CLASSICS
from playmill.puzzles.solver.sgf_problem import parse_problem
from puzzles.mining.drawn_records import contents, write_records

pytestmark = pytest.mark.jit
SETTINGS = MiningSettings(nodes=50_000)
NAMES = ("bulky five", "rabbity six", "rectangular six in the corner, no liberty outside", "straight four", "pyramid four")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Some records that yield puzzles, some that yield rejects, one that is no record, and one that can't be parsed."""
    found = write_records(
        tmp_path_factory.mktemp("games"), {one.name.replace(",", ""): one.drawing for one in CLASSICS if one.name in NAMES}
    )
    (found / "broken.sgf").write_text("this is no game")
    (found / "again.sgf").write_text((found / "bulky five.sgf").read_text())
    return found


@pytest.fixture(scope="module")
def mined(folder, tmp_path_factory):
    out = tmp_path_factory.mktemp("mined") / "puzzles.jsonl"
    return out, mine_folder(folder, out, SETTINGS)


def test_puzzles_hold_what_they_promise(mined):
    out, result = mined
    puzzles = read_puzzles(out)
    assert not puzzles.problems
    assert len(puzzles.puzzles) == result.funnel.accepted >= 3
    for puzzle in puzzles.puzzles:
        problem = parse_problem(puzzle.initial_state_sgf.encode(), puzzle.name)
        tree, size = read_solution(puzzle.solution_sgf, puzzle.name)
        checked = check_proof((proofs_folder(out) / puzzle.metadata.proof).read_text())
        assert (problem.size, len(checked.moves)) == (size, 1)
        assert len(tree.wrong) >= 3
        assert all(wrong.replies for wrong in tree.wrong)
        assert len(tree.right.main_line) >= SETTINGS.min_plies


def test_a_puzzle_tells_what_the_game_did_not_have(folder, mined):
    """Added stones are named, and all others stood in the game; a stone that was left out is the game's and not there."""
    puzzles = read_puzzles(mined[0]).puzzles
    for puzzle in puzzles:
        facts, shown = puzzle.metadata, stones_of(puzzle.initial_state_sgf)
        game = stones_of((folder / facts.source).read_text())
        assert {point for _, point in shown - game} == set(facts.added)
        if facts.left_out is not None:
            assert facts.left_out in {point for _, point in game}
            assert facts.left_out not in {point for _, point in shown}
    assert any(puzzle.metadata.left_out for puzzle in puzzles)


def stones_of(sgf):
    """The colours and points of all stones set up or played; nothing is captured in these games."""
    lists = re.findall(r"(?:A?([BW]))((?:\[[a-z]{2}\])+)", sgf)
    return {(colour, point) for colour, points in lists for point in re.findall("[a-z]{2}", points)}


def test_the_same_puzzle_comes_once(mined):
    out, result = mined
    assert result.funnel.rejected["duplicate"] >= 1
    ids = [puzzle.metadata.puzzle_id for puzzle in read_puzzles(out).puzzles]
    assert len(ids) == len(set(ids))


def test_every_candidate_is_accepted_or_has_one_reason(mined):
    out, result = mined
    rejects = [json.loads(line) for line in rejects_path(out).read_text().splitlines()]
    assert len(rejects) + result.funnel.accepted == result.funnel.candidates
    assert all(one["reason"] and one["source"]["name"] for one in rejects)


def test_a_file_that_is_no_record_is_counted_and_no_error(mined):
    out, result = mined
    assert result.funnel.unusable == 1
    rows = [json.loads(line) for line in progress_path(out).read_text().splitlines()[1:]]
    assert [row["source"] for row in rows if row["unusable"]] == ["broken.sgf"]


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_change_no_byte(folder, mined, tmp_path, workers):
    mine_folder(folder, tmp_path / "puzzles.jsonl", SETTINGS, workers=workers)
    assert contents(tmp_path / "puzzles.jsonl") == contents(mined[0])


def test_killed_at_twenty_moments_it_ends_with_the_same_bytes(folder, mined, tmp_path):
    rng = random.Random(5)
    began = time.perf_counter()
    mine_folder(folder, tmp_path / "timed" / "puzzles.jsonl", SETTINGS)
    whole_s = time.perf_counter() - began
    kills = runs = 0
    while kills < 20:
        out = tmp_path / str(runs) / "puzzles.jsonl"
        was_killed = _kill_soon(folder, out, rng.uniform(0, 0.5 * whole_s))
        kills += was_killed
        if not was_killed:  # it had ended before: the next kills are another run's
            assert contents(out) == contents(mined[0])
            runs += 1
    mine_folder(folder, out, SETTINGS)
    assert contents(out) == contents(mined[0])


def _kill_soon(folder, out, seconds):
    """Mine in a process of its own, and kill that; return False if it had ended by then."""
    child = os.fork()
    if child == 0:
        mine_folder(folder, out, SETTINGS)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_limit_is_a_beginning_that_can_be_gone_on_with(folder, mined, tmp_path):
    out = tmp_path / "puzzles.jsonl"
    assert mine_folder(folder, out, SETTINGS, limit=2).done_now == 2
    assert mine_folder(folder, out, SETTINGS).done_now == 5
    assert contents(out) == contents(mined[0])


def test_other_settings_are_refused_by_name(folder, mined, tmp_path):
    out = tmp_path / "puzzles.jsonl"
    mine_folder(folder, out, SETTINGS, limit=1)
    with pytest.raises(UsageError, match=r"begun with nodes 50000, and 60000 is asked for.*--force"):
        mine_folder(folder, out, MiningSettings(nodes=60_000))
    mine_folder(folder, out, MiningSettings(nodes=60_000), limit=1, force=True)


def test_a_changed_record_is_refused_by_name(folder, tmp_path):
    games, out = tmp_path / "games", tmp_path / "puzzles.jsonl"
    games.mkdir()
    (games / "a.sgf").write_text((folder / "bulky five.sgf").read_text())
    mine_folder(games, out, SETTINGS)
    (games / "a.sgf").write_text((folder / "rabbity six.sgf").read_text())
    with pytest.raises(UsageError, match=r"a\.sgf: it has changed"):
        mine_folder(games, out, SETTINGS)
    (games / "0.sgf").write_text("(;SZ[9];B[aa])")
    with pytest.raises(UsageError, match=r"0\.sgf stands where a\.sgf was mined"):
        mine_folder(games, out, SETTINGS)


def test_a_file_of_someone_else_is_not_touched(folder, tmp_path):
    (tmp_path / "puzzles.jsonl").write_text("mine\n")
    with pytest.raises(UsageError, match="there is a file already"):
        mine_folder(folder, tmp_path / "puzzles.jsonl", SETTINGS)
    assert (tmp_path / "puzzles.jsonl").read_text() == "mine\n"


def test_a_puzzle_that_says_another_move_is_overturned(mined, tmp_path):
    out, _ = mined
    assert recheck(out, 2).fields()["overturned"] == 0
    puzzle = json.loads(out.read_text().splitlines()[0])
    tree, size = read_solution(puzzle["solution_sgf"], "first")
    puzzle["solution_sgf"] = write_solution(SolutionTree(tree.side, tree.wrong[0], (tree.right,)), size)
    other = tmp_path / "puzzles.jsonl"
    puzzle["metadata"]["proof"] = None
    other.write_text(json.dumps(puzzle) + "\n")
    report = recheck(other, 2)
    assert (report.count("overturned"), report.count("confirmed")) == (1, 0)


def test_a_wrong_proof_overturns_a_puzzle_and_a_missing_one_leaves_it_undecided(mined, tmp_path):
    out = tmp_path / "puzzles.jsonl"
    out.write_text(mined[0].read_text().splitlines()[0] + "\n")
    [found] = recheck(out, 2).found
    assert found.verdict == "undecided"
    assert "No such file" in found.detail
    [puzzle] = read_puzzles(out).puzzles
    proof = (proofs_folder(mined[0]) / puzzle.metadata.proof).read_text().splitlines()
    proofs_folder(out).mkdir()
    (proofs_folder(out) / puzzle.metadata.proof).write_text("\n".join(proof[:-1]) + "\n")
    [found] = recheck(out, 2).found
    assert (found.verdict, found.detail[:9]) == ("overturned", "its proof")


def test_a_folder_that_can_not_be_read_is_told(folder, tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)  # root may read anything, so a folder's rights would prove nothing
    with pytest.raises(UsageError, match=r"can't be read \(Permission denied\)"):
        mine_folder(folder, tmp_path / "puzzles.jsonl", SETTINGS)
    assert not (tmp_path / "puzzles.jsonl").exists()


def test_the_commands(folder, tmp_path):
    words = ["puzzles", "mine", str(folder), "--out", "p.jsonl", "--limit", "2", "--json", "--workers", "1"]
    ended = invoke(words, tmp_path)
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert (found["records"], found["done_now"], found["engine"]) == (2, 2, "solver")
    ended = invoke(["puzzles", "recheck", "p.jsonl", "--budget", "2x", "--json"], tmp_path)
    assert (json.loads(ended.out)["overturned"], ended.code) == (0, 0)


@pytest.mark.parametrize(
    ("words", "part"),
    [(["mine", "nowhere", "--out", "p.jsonl"], "nowhere"), (["mine", ".", "--out", "p.jsonl"], "game records"),
     (["mine", "a.sgf", "--out", "p.jsonl", "--engine", "luck"], "luck"),
     (["mine", "a.sgf", "--out", "p.jsonl", "--settings", "s.yaml"], "nodse"), (["recheck", "p.jsonl"], "p.jsonl"),
     (["recheck", "a.sgf", "--budget", "ten"], "10x")],
)  # fmt: skip
def test_bad_words_are_one_line(tmp_path, words, part):
    if words[1] != ".":
        (tmp_path / "a.sgf").write_text("(;SZ[9];B[aa])")
    (tmp_path / "s.yaml").write_text("nodse: 3\n")
    ended = invoke(["puzzles", *words], tmp_path)
    assert (ended.code, ended.err.count("\n")) == (2, 1), ended.err
    assert part in ended.err
