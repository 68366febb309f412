"""`playmill puzzles clean`: a folder of records becomes a folder of clean games and a report, whatever happens on the way."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.invoking import assert_refused, contents, invoke
from playmill.core.errors import UsageError
from playmill.games.go.sgf import clean as sgf_clean
from playmill.games.go.sgf.record import read_record
from playmill.games.go.sgf.replay import new_board
from playmill.games.go.sgf.tree import parse_sgf
from playmill.puzzles import cleaning, sources
from playmill.puzzles.clean_report import read_rows
from playmill.puzzles.cleaning import clean_folder
from playmill.puzzles.sources import find_sources
from sgf_files import ALL, REJECTED

GOBAN = Path("/usr/share/goban")  # of Debian's goban-original-games
GAME = "(;GM[1]SZ[19];B[pd];W[dd])"


@pytest.fixture
def folder(tmp_path):
    """All broken files, some of them in folders of their own."""
    root = tmp_path / "in"
    for number, case in enumerate(ALL):
        path = root / ("deep/er" if number % 3 else ".") / f"{case.name}.{'mgt' if number % 5 == 0 else 'sgf'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.data)
    (root / "readme.txt").write_text("no game")
    return root


def rows_of(out):
    return [row for number, row in read_rows(out / "clean.jsonl") if number > 1]


def test_every_file_has_a_row_and_every_game_a_file(folder, tmp_path):
    out = tmp_path / "out"
    cleaned = clean_folder(folder, out, workers=2)
    rows = {Path(row["source"]).stem: row for row in rows_of(out)}
    assert set(rows) == {case.name for case in ALL}
    for case in ALL:
        games = [game for game in rows[case.name]["games"] if game["reason"] is None]
        assert [game["moves"] for game in games] == ([] if case.reason else list(case.moves)), case.name
        assert all((out / game["output"]).read_text().startswith("(;FF[4]") for game in games)
    reasons = {name: row["reason"] or row["games"][0]["reason"] for name, row in rows.items()}
    assert {case.name: case.reason for case in REJECTED}.items() <= reasons.items()
    assert len(list(out.rglob("*.sgf"))) == cleaned.tally.cleaned
    assert cleaned.tally.files == len(ALL)
    assert cleaned.tally.rejected == len(REJECTED)


def test_workers_and_stops_change_nothing(folder, tmp_path, monkeypatch):
    clean_folder(folder, tmp_path / "one", workers=1)
    clean_folder(folder, tmp_path / "three", workers=3)
    assert contents(tmp_path / "one") == contents(tmp_path / "three")
    stop_after(monkeypatch, 7)
    with pytest.raises(KeyboardInterrupt):
        clean_folder(folder, tmp_path / "stopped", workers=1)
    monkeypatch.undo()
    report = tmp_path / "stopped" / "clean.jsonl"
    assert 0 < len(rows_of(tmp_path / "stopped")) < len(ALL)
    report.write_bytes(report.read_bytes()[:-20])  # and a torn line
    cleaned = clean_folder(folder, tmp_path / "stopped", workers=2)
    assert 0 < cleaned.done_now < cleaned.tally.files
    assert contents(tmp_path / "stopped") == contents(tmp_path / "one")
    assert clean_folder(folder, tmp_path / "stopped").done_now == 0


def stop_after(monkeypatch, count):
    real, seen = cleaning.clean_sgf, []

    def clean(*words):
        seen.append(1)
        if len(seen) > count:
            raise KeyboardInterrupt
        return real(*words)

    monkeypatch.setattr(cleaning, "clean_sgf", clean)


def test_a_file_of_somebody_else_is_never_replaced_but_by_force(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.sgf").write_text(GAME)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.sgf").write_text("mine")
    with pytest.raises(UsageError, match=r"a\.sgf: there is another file already"):
        clean_folder(tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out" / "a.sgf").read_text() == "mine"
    clean_folder(tmp_path / "in", tmp_path / "out", force=True)
    assert (tmp_path / "out" / "a.sgf").read_text().startswith("(;FF[4]")


def test_a_record_that_changed_is_told_and_force_begins_anew(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.sgf").write_text(GAME)
    (tmp_path / "in" / "b.sgf").write_text(GAME + GAME)
    clean_folder(tmp_path / "in", tmp_path / "out")
    (tmp_path / "in" / "b.sgf").write_text(GAME)
    with pytest.raises(UsageError, match=r"b\.sgf: it has changed since it was cleaned"):
        clean_folder(tmp_path / "in", tmp_path / "out")
    with pytest.raises(UsageError, match="line 1: expected"):
        clean_folder(tmp_path / "in", tmp_path / "out", keep_comments=True)
    clean_folder(tmp_path / "in", tmp_path / "out", force=True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.sgf", "b.sgf", "clean.jsonl"]


def test_no_two_files_write_the_same_output(tmp_path):
    names = ["a.sgf", "a.mgt", "a.1.sgf", "A.sgf", "a.mgt.sgf", "a.mgt_1.sgf", "b/a.sgf"]
    for name in names:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(GAME + GAME)
    cleaned = clean_folder(tmp_path / "in", tmp_path / "out")
    assert cleaned.tally.cleaned == 2 * len(names) == len(list((tmp_path / "out").rglob("*.sgf")))
    stems = [source.stem.lower() for source in find_sources(tmp_path / "in")]
    assert len(set(stems)) == len(names)


def test_files_that_cannot_be_read_are_rows_and_the_run_goes_on(tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.sgf").symlink_to(tmp_path / "gone")
    (tmp_path / "in" / "b.sgf").write_text(GAME + " " * 50)
    (tmp_path / "in" / "c.sgf").write_text(GAME)
    monkeypatch.setattr(sources, "MAX_BYTES", 40)
    monkeypatch.setattr(sgf_clean, "MAX_BYTES", 40)
    clean_folder(tmp_path / "in", tmp_path / "out")
    assert [row["reason"] for row in rows_of(tmp_path / "out")] == ["unreadable", "too_large", None]
    assert clean_folder(tmp_path / "in", tmp_path / "out").done_now == 0


# ------------------------------------------------------------------ the command


def test_the_command_tells_what_it_did(folder, tmp_path):
    ended = invoke(["puzzles", "clean", folder, "out"], tmp_path)
    assert ended.code == 0, ended.err
    first, *rest = ended.out.splitlines()
    assert first.startswith(f"out: {len(ALL)} files: ")
    assert [line.split(":")[0] for line in rest] == ["encodings", "repairs", "rejected", "report"]
    facts = json.loads(invoke(["puzzles", "clean", folder, "out", "--json"], tmp_path).out)
    assert (facts["files"], facts["done_now"], facts["report"]) == (len(ALL), 0, "out/clean.jsonl")
    assert facts["reasons"]["illegal_move"] == 3


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["missing", "out"], "missing: expected a folder of game records"),
        (["empty", "out"], "expected game records (.sgf, .mgt) in it, got none"),
        (["in", "in"], "expected a place apart"),
        (["in", "in/out"], "expected a place apart"),
        (["in", "."], "expected a place apart"),
        (["in", "file"], "expected a folder, got a file"),
        (["in", "out", "--workers", "0"], "workers"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(words, part, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.sgf").write_text(GAME)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    before = contents(tmp_path)
    ended = invoke(["puzzles", "clean", *words], tmp_path)
    assert_refused(ended)
    assert part in ended.err
    assert contents(tmp_path) == before


def test_a_report_that_is_none_is_told_by_its_line(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.sgf").write_text(GAME)
    clean_folder(tmp_path / "in", tmp_path / "out")
    with (tmp_path / "out" / "clean.jsonl").open("a") as file:
        file.write('{"source": 3}\n')
    with pytest.raises(UsageError, match="line 3: expected a row of a report"):
        clean_folder(tmp_path / "in", tmp_path / "out")


# ------------------------------------------------------------------ professional games

# Moves that say nothing: at the end of a ko the recorders wrote stones that stood there already.
REPEATED = {"M-65-5.sgf": 1, "M-77-2.mgt": 1, "M-77-4.mgt": 2, "T-22-4.mgt": 1}
# White plays on a black stone at move 177 of 183: what follows can't be played.
CUT = {"M-77-1.mgt": 176}


@pytest.mark.jit
@pytest.mark.skipif(not GOBAN.is_dir(), reason="needs Debian's goban-original-games (apt-get install goban-original-games)")
def test_all_professional_games_are_cleaned_and_replayed_without_loss(tmp_path):
    from sgfmill import boards, sgf

    cleaned = clean_folder(GOBAN, tmp_path / "out", workers=2)
    assert (cleaned.tally.files, cleaned.tally.cleaned, cleaned.tally.rejected) == (596, 596, 0)
    rows = rows_of(tmp_path / "out")
    assert {row["source"] for row in rows if "stone_repeated" in row["games"][0]["repairs"]} == set(REPEATED)
    assert {row["source"] for row in rows if "end_cut" in row["games"][0]["repairs"]} == set(CUT)
    for row in rows:
        theirs = _moves(sgf.Sgf_game.from_bytes((GOBAN / row["source"]).read_bytes()))[: CUT.get(row["source"])]
        path = tmp_path / "out" / row["games"][0]["output"]
        board, kept = boards.Board(19), []
        for colour, place in theirs:
            if place is None or board.get(*place) is None:
                kept.append((colour, place))
                if place is not None:
                    board.play(*place, colour)
        assert len(theirs) - len(kept) == REPEATED.get(row["source"], 0)
        assert _moves(sgf.Sgf_game.from_bytes(path.read_bytes())) == kept, row["source"]
        assert _stones(parse_sgf(path.read_text())) == {(c, p) for c, p in board.list_occupied_points()}, row["source"]


def _moves(game):
    """What sgfmill reads as the main line; a root may have a move, and a line may end inside a point."""
    from sgfmill.sgf_properties import interpret_go_point

    found = [(name, node) for node in game.get_main_sequence() for name in "BW" if node.has_property(name)]
    return [(name.lower(), interpret_go_point(b"".join(node.get_raw(name).split()), 19)) for name, node in found]


def _stones(root):
    """The final position on our board, as sgfmill names it."""
    import numpy as np

    from playmill.games.go.geometry import place_of
    from playmill.games.go.replay import play_line

    record, board = read_record(root), new_board(19)
    colours, cells = (np.array([move[axis] for move in record.moves]) for axis in (0, 1))
    played, _ = play_line(board, cells, colours, np.zeros((2, board["empty"].shape[1]), np.uint64), False)
    assert played == len(record.moves)
    found = [(cell, int(board[0].colour[cell])) for cell in np.flatnonzero(board[0].colour % 3)]
    return {("bw"[colour - 1], (18 - place_of(19, int(cell))[0], place_of(19, int(cell))[1])) for cell, colour in found}


@pytest.mark.slow
@pytest.mark.skipif(not GOBAN.is_dir(), reason="needs Debian's goban-original-games (apt-get install goban-original-games)")
def test_killed_and_begun_again_it_ends_with_the_same_bytes(tmp_path):
    clean_folder(GOBAN, tmp_path / "whole", workers=2)
    command = [sys.executable, "-m", "playmill", "puzzles", "clean", str(GOBAN), str(tmp_path / "killed"), "--workers", "2"]
    for seconds in (3, 4, 5):
        process = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    assert subprocess.run(command, env=os.environ, capture_output=True).returncode == 0
    left = {path: data for path, data in contents(tmp_path / "killed").items() if not path.name.endswith(".tmp")}
    assert left == contents(tmp_path / "whole")
