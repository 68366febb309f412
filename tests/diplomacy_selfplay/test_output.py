"""What a kill, an editor or a full disk leaves behind, and how a run goes on from there."""

import json
import resource
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diplomacy_selfplay.examples import SETTINGS, game
from playmill.core.errors import PlaymillError, UsageError
from playmill.packs.diplomacy.selfplay.output import Output
from playmill.packs.diplomacy.selfplay.records import read_records
from playmill.packs.diplomacy.selfplay.resume import side_path
from playmill.packs.diplomacy.selfplay.settings import make_settings

REJECTED = {2, 3, 5, 8, 9}
GAMES = 10


def write(path, numbers=range(GAMES), rejects=None):
    with Output(path, SETTINGS, rejects) as files:
        for number in numbers:
            if number >= files.next_game:
                files.add(game(number, rejected=number in REJECTED))
    return path


def ids(path):
    return [record.game_id for record in read_records(path)]


def snapshot(path):
    return path.read_bytes(), side_path(path).read_bytes()


@pytest.fixture
def whole(tmp_path):
    """The files of a run that nobody disturbed."""
    return snapshot(write(tmp_path / "whole.jsonl"))


def test_kept_and_rejected_games_go_apart(tmp_path):
    path = write(tmp_path / "a.jsonl", rejects=tmp_path / "out.jsonl")
    assert ids(path) == [0, 1, 4, 6, 7]
    assert ids(tmp_path / "out.jsonl") == sorted(REJECTED)
    rows = [json.loads(line) for line in side_path(path).read_text().splitlines()]
    assert rows[0] == {"settings": SETTINGS.as_json()}
    assert rows[1:] == [{"game_id": number, "reasons": ["early_stalemate"]} for number in sorted(REJECTED)]


@settings(max_examples=25, deadline=None)  # each example waits for the disk
@given(st.permutations(range(GAMES)))
def test_games_are_written_in_order_however_they_end(tmp_path_factory, order):
    folder = tmp_path_factory.mktemp("order")
    with Output(folder / "a.jsonl", SETTINGS) as files:
        for number in order:
            files.add(game(number, rejected=number in REJECTED))
    assert snapshot(folder / "a.jsonl") == snapshot(write(folder / "b.jsonl"))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_files_cut_anywhere_are_completed_to_the_same_bytes(tmp_path_factory, data):
    """The files need not even fit together: whatever is cut off is played again."""
    path = write(tmp_path_factory.mktemp("cut") / "a.jsonl")
    before = snapshot(path)
    path.write_bytes(before[0][: data.draw(st.integers(0, len(before[0])))])
    side_path(path).write_bytes(before[1][: data.draw(st.integers(len(before[1].splitlines()[0]) + 1, len(before[1])))])
    with Output(path, SETTINGS) as files:
        unrecorded = files.standing.tally.reasons["unrecorded"]
    write(path)
    assert path.read_bytes() == before[0]
    if not unrecorded:
        assert side_path(path).read_bytes() == before[1]


def test_a_torn_line_is_dropped_and_reported(tmp_path, whole):
    path = tmp_path / "a.jsonl"
    path.write_bytes(whole[0][:-10])
    side_path(path).write_bytes(whole[1])
    with Output(path, SETTINGS) as files:
        (note,) = files.standing.notes
        assert note.startswith(f"{path}: line 5: dropped a torn line of ")
        assert files.next_game == 7
    write(path)
    assert snapshot(path) == whole


def test_a_torn_line_that_an_editor_ended_is_dropped_too(tmp_path, whole):
    path = tmp_path / "a.jsonl"
    path.write_bytes(whole[0][:-10] + b"\n")
    with Output(path, SETTINGS) as files:
        assert "line 5: dropped a torn line" in files.standing.notes[0]


def test_rejected_games_are_not_played_again(tmp_path):
    path = write(tmp_path / "a.jsonl")
    with Output(path, SETTINGS) as files:
        assert files.next_game == GAMES
        assert (files.standing.tally.kept, files.standing.tally.rejected) == (5, 5)
        assert files.standing.tally.reasons == {"early_stalemate": 5}


def test_a_run_whose_games_were_all_rejected_goes_on(tmp_path):
    with Output(tmp_path / "a.jsonl", SETTINGS) as files:
        for number in range(3):
            files.add(game(number, rejected=True))
    with Output(tmp_path / "a.jsonl", SETTINGS) as files:
        assert files.next_game == 3


def test_without_the_side_file_gaps_tell_which_games_were_rejected(tmp_path):
    path = write(tmp_path / "a.jsonl")
    side_path(path).unlink()
    with Output(path, SETTINGS) as files:
        assert files.next_game == 8  # the two at the end are played again
        assert files.standing.tally.reasons == {"unrecorded": 3}


def test_a_removed_output_is_begun_again(tmp_path, whole):
    path = write(tmp_path / "a.jsonl")
    path.unlink()
    with Output(path, SETTINGS) as files:
        assert files.next_game == 0
    assert snapshot(write(path)) == whole


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"strength": 90}, "made with strength 100, now asked for 90"),
        ({"budget": {"kind": "nodes", "amount": 9}}, "made with budget iterations 200, now asked for nodes 9"),
        ({"seed": 8}, "made with seed 7, now asked for 8"),
        ({"version": "99.0"}, r"made with version .*, now asked for 99\.0"),
    ],
)
@pytest.mark.parametrize("numbers", [range(GAMES), []])
def test_other_settings_are_refused_by_name(tmp_path, changes, text, numbers):
    path = write(tmp_path / "a.jsonl", numbers)
    before = snapshot(path)
    with pytest.raises(UsageError, match=f"{text}; ask for the same, or choose a new output file"):
        Output(path, make_settings(**{**SETTINGS.as_json(), **changes}))
    assert snapshot(path) == before


def test_a_game_that_is_there_twice_is_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(game(4).line() + game(4).line())
    with pytest.raises(UsageError, match=r"line 2: game_id: expected above 4, got 4"):
        Output(path, SETTINGS)


@pytest.mark.parametrize("text", ['{"hello": 1}\n{"hello": 2}\n', "one line", "one line\n", "[1, 2]\n", "a: 1\nb: 2\n"])
def test_a_file_of_something_else_is_left_alone(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"notes\.txt: line 1: "):
        Output(path, SETTINGS)
    assert path.read_text() == text
    assert not side_path(path).exists()


def test_zeros_after_a_power_cut_are_dropped(tmp_path):
    path = write(tmp_path / "a.jsonl", range(2))
    with path.open("ab") as file:
        file.write(bytes(512))
    with Output(path, SETTINGS) as files:
        assert files.standing.notes == [f"{path}: line 3: dropped a torn line of 512 bytes; its game is played again"]
        assert files.next_game == 2


def test_a_broken_side_file_is_refused_with_the_way_out(tmp_path):
    path = write(tmp_path / "a.jsonl")
    side_path(path).write_text('{"settings": 3}\n{"x": 1}\n')
    with pytest.raises(UsageError, match=r"rejected: line 1: expected settings, got .*; remove the file"):
        Output(path, SETTINGS)


def test_two_processes_never_write_one_file(tmp_path):
    with Output(tmp_path / "a.jsonl", SETTINGS), pytest.raises(PlaymillError, match="another process is writing to it"):
        Output(tmp_path / "a.jsonl", SETTINGS)
    Output(tmp_path / "a.jsonl", SETTINGS).close()


def test_rejects_go_on_without_doubles(tmp_path):
    path, rejects = tmp_path / "a.jsonl", tmp_path / "out.jsonl"
    write(path, range(9), rejects)
    # A kill between the full record and the short line: the record is there, the game isn't finished.
    with rejects.open("ab") as file:
        file.write(game(9, rejected=True).line())
    write(path, range(GAMES), rejects)
    assert ids(rejects) == sorted(REJECTED)


def test_rejects_wanted_late_say_what_they_lack(tmp_path):
    path = write(tmp_path / "a.jsonl", range(6))
    with Output(path, SETTINGS, tmp_path / "late.jsonl") as files:
        assert files.standing.notes == [f"{tmp_path / 'late.jsonl'}: 3 games rejected before are not in it"]


def test_rejects_of_another_run_are_left_alone(tmp_path):
    rejects = tmp_path / "out.jsonl"
    write(tmp_path / "a.jsonl", range(6), rejects)
    before = rejects.read_bytes()
    with pytest.raises(UsageError, match=r"out\.jsonl: line 1: made with seed 7, now asked for 8"):
        Output(tmp_path / "b.jsonl", make_settings(**{**SETTINGS.as_json(), "seed": 8}), rejects)
    assert rejects.read_bytes() == before


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.rejected"])
def test_rejects_need_a_file_of_their_own(tmp_path, name):
    with pytest.raises(UsageError, match="--rejects: expected a file of its own"):
        Output(tmp_path / "a.jsonl", SETTINGS, tmp_path / name)


def test_a_folder_is_no_output(tmp_path):
    with pytest.raises(UsageError, match="expected an ordinary file"):
        Output(tmp_path, SETTINGS)


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path, whole):
    path = tmp_path / "a.jsonl"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole[0]) // 2, limits[1]))
    try:
        with pytest.raises(PlaymillError, match=r"a\.jsonl: can't be written .* start the same command again"):
            write(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert snapshot(write(path)) == whole


def test_leftovers_of_killed_writers_are_swept(tmp_path):
    left = tmp_path / ".a.jsonl.rejected.abc.tmp"
    left.write_bytes(b"half")
    write(tmp_path / "a.jsonl")
    assert not left.exists()


def test_threads_may_hand_in_games_under_a_lock(tmp_path, whole):
    lock = threading.Lock()
    with Output(tmp_path / "a.jsonl", SETTINGS) as files:

        def hand_in(number):
            with lock:
                files.add(game(number, rejected=number in REJECTED))

        threads = [threading.Thread(target=hand_in, args=(number,)) for number in range(GAMES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert snapshot(tmp_path / "a.jsonl") == whole
