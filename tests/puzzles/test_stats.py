"""`puzzles stats` and `puzzles permute`: counts, pictures, rank correlations, and what is refused."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.invoking import assert_refused, invoke
from playmill.core.errors import UsageError
from playmill.puzzles.levels import level_number, read_levels, spearman
from playmill.puzzles.puzzle_file import proofs_folder, read_puzzles
from playmill.puzzles.review import Review
from playmill.puzzles.solver.checker import check_proof
from puzzles.test_puzzle_files import some_puzzle
from solved_puzzles import solved_classics

# Of the classics with one right first move, for White to kill, in the order in which books on life and death teach them.
LEVELS = {
    "straight three": "25k",
    "bent three in the corner": "25k",
    "pyramid four": "20k",
    "bulky five": "15k",
    "crossed five": "15k",
    "rabbity six": "10k",
    "rectangular six in the corner, no liberty outside": "5k",
}


@pytest.fixture
def classics(tmp_path):
    """The solved classics as a file, their proofs beside it, two of them decided on, a broken line among them."""
    path = tmp_path / "puzzles.jsonl"
    lines = [one.puzzle.line() for one in solved_classics()]
    path.write_text("\n".join([lines[0], '{"difficulty": "6k"}', *lines[1:]]) + "\n")
    proofs_folder(path).mkdir()
    for one in solved_classics():
        (proofs_folder(path) / one.puzzle.metadata.proof).write_text(one.proof)
    review = Review(path)
    review.decide(solved_classics()[0].puzzle.name, "approved")
    review.decide(solved_classics()[1].puzzle.name, "deleted")
    review.close()
    return path


# ------------------------------------------------------------------ stats


@pytest.mark.jit
def test_counts_add_up_and_a_broken_line_is_named(classics, tmp_path):
    ended = invoke(["puzzles", "stats", classics, "--json"], tmp_path)
    facts, count = json.loads(ended.out), len(solved_classics())
    assert "line 2" in ended.err
    assert len(facts["problems"]) == 1
    assert facts["puzzles"] == count
    for name in ("difficulty", "verification", "side", "goal", "source", "review"):
        assert sum(facts[name].values()) == count
    assert facts["review"] == {"approved": 1, "deleted": 1, "open": count - 2}
    assert facts["tag"]["death"] + facts["tag"]["life"] == count
    assert facts["verification"] == {"proved": count}
    assert facts["against"] is None
    assert facts["score"]["min"] == min(one.puzzle.metadata.difficulty_score for one in solved_classics())
    assert facts["parts"]["depth"]["puzzles"] == count


@pytest.mark.jit
def test_people_get_a_histogram_and_tables(classics, tmp_path):
    told = invoke(["puzzles", "stats", classics], tmp_path).out
    for words in (f"{len(solved_classics())} puzzles", "difficulty, 0 to 100", "25k", "eye-stealing", "proved", "█"):
        assert words in told


@pytest.mark.jit
def test_a_plot_is_one_svg_with_every_rank_and_tag(classics, tmp_path):
    assert invoke(["puzzles", "stats", classics, "--plot", "a.svg"], tmp_path).code == 0
    words = "".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    for word in ("25k", "9d", "eye-stealing", "Verification", f"{len(solved_classics())} puzzles"):
        assert word in words


def test_a_file_without_puzzles_is_counted_and_drawn(tmp_path):
    (tmp_path / "none.jsonl").write_text("")
    ended = invoke(["puzzles", "stats", "none.jsonl", "--plot", "none.svg"], tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert "0 puzzles" in ended.out
    ElementTree.parse(tmp_path / "none.svg")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("nothing.jsonl", "can't be read"),
        ("puzzles.jsonl --plot a.png", "expected a name that ends in .svg"),
        ("puzzles.jsonl --plot there.svg", "there is a file already"),
        ("puzzles.jsonl --against nothing.csv", "can't be read"),
        (
            "puzzles.jsonl --against unknown_rank.csv",
            "line 3: level: expected a rank such as 15k or 3d, or a number, got '30z'",
        ),
        ("puzzles.jsonl --against others.jsonl", "expected levels of at least 3 of the puzzles"),
        ("puzzles.jsonl --against twice.jsonl", "line 2: the puzzle a has a level already"),
        ("puzzles.jsonl --against broken.jsonl", "line 1: expected one JSON object"),
        ("puzzles.jsonl --against columns.csv", "line 2: "),
    ],
)
def test_what_can_not_be_counted_is_refused_in_a_line(tmp_path, words, line):
    for name, text in {
        "puzzles.jsonl": some_puzzle().line() + "\n",
        "there.svg": "mine",
        "unknown_rank.csv": "puzzle,level\na,15k\nb,30z\n",
        "others.jsonl": '{"puzzle": "a", "level": 3}\n',
        "twice.jsonl": '{"puzzle": "a", "level": 3}\n{"puzzle": "a", "level": "3d"}\n',
        "broken.jsonl": "{\n",
        "columns.csv": "name,rank\na,15k\n",
    }.items():
        (tmp_path / name).write_text(text)
    ended = invoke(["puzzles", "stats", *words.split()], tmp_path)
    assert_refused(ended, codes=(2,))
    assert line in ended.err
    assert (tmp_path / "there.svg").read_text() == "mine"


# ------------------------------------------------------------------ known levels


@pytest.mark.jit
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_the_classics_are_graded_in_the_order_that_books_teach_them(classics, tmp_path, ending):
    known = {f"{name}, white first.sgf": level for name, level in LEVELS.items()}
    csv = "puzzle,level\n" + "".join(f'"{name}",{level}\n' for name, level in known.items())
    jsonl = "".join(json.dumps({"puzzle": name, "level": level}) + "\n" for name, level in known.items())
    (tmp_path / f"levels.{ending}").write_text(csv if ending == "csv" else jsonl)
    words = ["puzzles", "stats", classics, "--against", f"levels.{ending}"]
    found = json.loads(invoke([*words, "--json"], tmp_path).out)["against"]
    assert found["puzzles"] == len(LEVELS)
    assert found["score"] > 0.9
    assert found["parts"]["effort"] > 0.9
    assert f"known levels of {len(LEVELS)} puzzles" in invoke(words, tmp_path).out


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=20))
def test_spearman_is_pearson_of_mean_ranks(pairs):
    """Against the definition, ranks counted one by one."""
    one, other = ([a for a, _ in pairs], [b for _, b in pairs])
    found = spearman(one, other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert found is None
        return
    ranks = [[sum(y < x for y in side) + (sum(y == x for y in side) + 1) / 2 for x in side] for side in (one, other)]
    assert found == pytest.approx(np.corrcoef(*ranks)[0, 1], abs=1e-4)


def test_spearman_of_an_order_and_its_reverse():
    assert spearman([1, 2, 3, 40], [5, 6, 7, 8]) == 1
    assert spearman([1, 2, 3, 40], [8, 7, 6, 5]) == -1


def test_ranks_are_in_order():
    ranks = ["30k", "25k", "2K", "1k", "1d", "9d"]
    numbers = [level_number(rank, "here") for rank in ranks]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == len(ranks)


@pytest.mark.parametrize("level", ["", "k", "0k", "3p", "k15", "nan?", "100k"])
def test_an_unknown_rank_is_refused(level):
    with pytest.raises(UsageError, match=r"^here: level: expected a rank"):
        level_number(level, "here")


def test_a_level_that_is_no_finite_number_is_refused(tmp_path):
    (tmp_path / "levels.csv").write_text("puzzle,level\na,nan\n")
    with pytest.raises(UsageError, match="line 2: level"):
        read_levels(tmp_path / "levels.csv")


# ------------------------------------------------------------------ permute


@pytest.mark.jit
def test_permute_writes_every_orientation_and_its_proof(classics, tmp_path):
    ended = invoke(["puzzles", "permute", classics, "all.jsonl", "--json"], tmp_path)
    facts, count = json.loads(ended.out), len(solved_classics())
    assert "line 2" in ended.err
    assert facts["puzzles"] == count
    written = read_puzzles(tmp_path / "all.jsonl")
    assert not written.problems
    assert len(written.puzzles) == facts["written"] == facts["proofs"] == 8 * (count - 2) + 4 * 2  # two bent threes
    folder = proofs_folder(tmp_path / "all.jsonl")
    for puzzle in written.puzzles[:10]:
        assert check_proof((folder / puzzle.metadata.proof).read_text()).moves


@pytest.mark.jit
def test_permuting_twice_adds_nothing(classics, tmp_path):
    invoke(["puzzles", "permute", classics, "one.jsonl"], tmp_path)
    assert invoke(["puzzles", "permute", "one.jsonl", "two.jsonl"], tmp_path).err == ""
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    for proof in proofs_folder(tmp_path / "one.jsonl").iterdir():
        assert proof.read_bytes() == (proofs_folder(tmp_path / "two.jsonl") / proof.name).read_bytes()


@pytest.mark.jit
@pytest.mark.parametrize("damage", [None, "", "[]\n[]\n", "{}\n", "{"])
def test_a_proof_that_is_missing_or_broken_is_told_and_the_puzzles_are_written(classics, tmp_path, damage):
    proof = proofs_folder(classics) / solved_classics()[0].puzzle.metadata.proof
    proof.unlink() if damage is None else proof.write_text(damage)
    ended = invoke(["puzzles", "permute", classics, "all.jsonl", "--json"], tmp_path)
    assert ended.code == 0
    assert "expected the proof of the puzzle" in ended.err
    facts = json.loads(ended.out)
    assert facts["proofs"] == facts["written"] - 8
    turned = [p for p in read_puzzles(tmp_path / "all.jsonl").puzzles if p.name.startswith(proof.stem)]
    assert [p.metadata.proof for p in turned] == [None] * 8


def test_a_puzzle_that_can_not_be_turned_is_left_out(tmp_path):
    (tmp_path / "puzzles.jsonl").write_text(some_puzzle(initial_state_sgf="nothing").line() + "\n")
    ended = invoke(["puzzles", "permute", "puzzles.jsonl", "all.jsonl"], tmp_path)
    assert (ended.code, (tmp_path / "all.jsonl").read_text()) == (0, "")
    assert "expected SGF with a board's size" in ended.err


def test_permute_never_replaces_what_it_reads(tmp_path):
    (tmp_path / "puzzles.jsonl").write_text(some_puzzle().line() + "\n")
    assert_refused(invoke(["puzzles", "permute", "puzzles.jsonl", "puzzles.jsonl", "--force"], tmp_path), codes=(2,))
