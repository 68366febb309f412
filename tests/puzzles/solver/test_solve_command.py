"""`playmill solve` as typed: answers, proofs, and one line for whatever is wrong."""

import json

import pytest

from cli.invoking import invoke

CORNER = "(;GM[1]FF[4]SZ[9]AB[ag][bg][bh][ch][ci]AW[af][bf][cf][cg][dg][dh][di]{marks}{side})"
GOOD = CORNER.format(marks="MA[ag]", side="PL[W]")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.sgf").write_text(GOOD)
    return tmp_path


@pytest.mark.jit
@pytest.mark.parametrize("mark", ["MA", "TR"])
@pytest.mark.parametrize(("side", "status", "goal"), [("W", "dead", "kill"), ("B", "alive", "live")])
def test_one_object_tells_the_status_and_the_right_moves(folder, mark, side, status, goal):
    (folder / "one.sgf").write_text(CORNER.format(marks=f"{mark}[ci]", side=f"PL[{side}]"))
    ended = invoke(["solve", "one.sgf", "--json"], folder)
    found = json.loads(ended.out)
    assert (found["proved"], found["status"], found["goal"], found["moves"]) == (True, status, goal, ["a1"])
    assert found["nodes"] > 0
    assert found["seconds"] >= 0
    assert found["undecided"] == []


@pytest.mark.jit
def test_people_get_a_sentence(folder):
    ended = invoke(["solve", "good.sgf"], folder)
    assert ended.out.startswith("good.sgf: White to play and kill: dead, proved; right moves: a1 (")


@pytest.mark.jit
def test_many_files_are_answered_in_order_whatever_the_threads(folder):
    names = [f"{number}.sgf" for number in range(6)]
    for number, name in enumerate(names):
        (folder / name).write_text(CORNER.format(marks="MA[ag]", side=f"PL[{'BW'[number % 2]}]"))
    answers = []
    for workers in ("1", "3"):
        lines = invoke(["solve", *names, "--json", "--workers", workers], folder).out.splitlines()
        answers.append([{**json.loads(line), "seconds": 0} for line in lines])
        assert [answer["file"] for answer in answers[-1]] == names
    assert answers[0] == answers[1]


@pytest.mark.jit
def test_a_proof_is_written_checked_and_compared_with_its_problem(folder):
    assert invoke(["solve", "good.sgf", "--proof", "good.proof"], folder).code == 0
    ended = invoke(["solve", "--check", "good.proof", "--json"], folder)
    assert json.loads(ended.out)["valid"] is True
    assert json.loads(ended.out)["moves"] == ["a1"]
    assert "dead, proved" in invoke(["solve", "good.sgf", "--check", "good.proof"], folder).out
    (folder / "other.sgf").write_text(GOOD.replace("PL[W]", "PL[B]"))
    ended = invoke(["solve", "other.sgf", "--check", "good.proof"], folder)
    assert (ended.code, "another problem" in ended.err) == (1, True)
    text = (folder / "good.proof").read_text()
    (folder / "bad.proof").write_text(text.replace('"dead"', '"alive"'))
    ended = invoke(["solve", "--check", "bad.proof"], folder)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "no proof" in ended.err
    ended = invoke(["solve", "good.sgf", "--proof", "good.proof"], folder)
    assert (ended.code, "--force" in ended.err) == (2, True)


@pytest.mark.jit
def test_an_open_group_and_a_weak_wall_are_unknown(folder):
    (folder / "open.sgf").write_text("(;SZ[9]AB[ee]AW[aa]MA[ee]PL[B])")
    found = json.loads(invoke(["solve", "open.sgf", "--json"], folder).out)
    assert (found["proved"], found["status"], found["moves"]) == (False, "unknown", [])
    assert "not enclosed" in found["reason"]
    found = json.loads(invoke(["solve", "good.sgf", "--json", "--wall-liberties", "9"], folder).out)
    assert found["status"] == "unknown"
    assert "might be captured" in found["reason"]


BAD = {
    "no marks": (CORNER.format(marks="", side="PL[W]"), "MA or TR"),
    "no side to play": (CORNER.format(marks="MA[ag]", side=""), "PL"),
    "a marked empty point": (CORNER.format(marks="MA[ai]", side="PL[W]"), "empty point A1"),
    "marks of both colours": (CORNER.format(marks="MA[ag]TR[af]", side="PL[W]"), "one colour"),
    "no SGF": ("no game at all", "expected an SGF file"),
    "half a file": ("(;SZ[9]AB[aa", "expected an SGF file"),
    "another game's point": (CORNER.format(marks="MA[zz]", side="PL[W]"), "expected an SGF file"),
    "a wrong side": (CORNER.format(marks="MA[ag]", side="PL[X]"), "expected an SGF file"),
    "a board too large": ("(;SZ[25]AB[aa]MA[aa]PL[B])", "2 to 19"),
    "a mark on a captured stone": ("(;SZ[9]AB[aa]AW[ab][ba]MA[aa]PL[B])", "empty point A9"),
    "nothing": ("", "expected an SGF file"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line(folder, name):
    text, part = BAD[name]
    (folder / "bad.sgf").write_text(text)
    ended = invoke(["solve", "bad.sgf"], folder)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1), ended.err
    assert "bad.sgf" in ended.err
    assert part in ended.err


@pytest.mark.parametrize(
    "words",
    [["solve"], ["solve", "missing.sgf"], ["solve", "good.sgf", "--ko", "luck"], ["solve", "good.sgf", "--workers", "0"],
     ["solve", "good.sgf", "good.sgf", "--proof", "new"], ["solve", "good.sgf", "--proof", "good.sgf", "--force"],
     ["solve", "--check", "missing"], ["solve", "good.sgf", "good.sgf", "--check", "good.sgf"],
     ["solve", "good.sgf", "--nodes", "0"]],
)  # fmt: skip
def test_bad_words_are_one_line(folder, words):
    ended = invoke(words, folder)
    assert (ended.code, ended.err.count("\n")) == (2, 1), ended.err
