"""A record comes back as it was written, and a bad one is refused in one line that says where and why."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diplomacy_selfplay.examples import game, phase
from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import POWERS
from playmill.packs.diplomacy.selfplay.records import GameRecord, describe_phase, powers_dict, read_record, read_records


def write(path, *records):
    path.write_bytes(b"".join(record.line() for record in records))
    return path


def test_a_record_comes_back_as_it_was_written(tmp_path):
    records = [game(0), game(3), game(4)]
    assert list(read_records(write(tmp_path / "games.jsonl", *records))) == records


@given(st.lists(st.floats(0, 1), min_size=7, max_size=7), st.integers(0, 2**53 - 1), st.sampled_from([*POWERS, None]))
def test_any_values_come_back_exactly(values, seed, winner):
    record = game().model_copy(update={"phases": [phase(values=powers_dict(values))], "seed": seed, "winner": winner})
    assert read_record(record.line(), "here") == record


def test_a_plain_json_reader_reads_it():
    row = json.loads(game(5).line())
    assert row["game_id"] == 5
    assert row["phases"][0]["orders"] == {"france": "A par - bur ; F bre H"}
    assert row["settings"]["budget"] == {"kind": "iterations", "amount": 200}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["game_id"], "0", r"game_id: expected a whole number, got '0'"),
        (["winner"], "spain", r"winner: expected one of austria, .*turkey, got 'spain'"),
        (["ended_by"], "boredom", r"ended_by: expected 'solo', .* or 'unfinished', got 'boredom'"),
        (["quality", "stalemate"], 1, r"quality\.stalemate: expected true or false, got 1"),
        (["phases", 0, "sc_counts", "france"], 35, r"phases\.0\.sc_counts\.france: expected at most 34, got 35"),
        (["phases", 0, "values", "italy"], -0.1, r"phases\.0\.values\.italy: expected at least 0, got -0\.1"),
        (["phases", 0, "values", "italy"], math.nan, r"phases\.0\.values\.italy: expected .* got nan"),
        (["phases", 0, "orders", "spain"], "A par H", r"phases\.0\.orders\.spain: expected one of austria"),
        (["phases", 0, "season"], "winter", r"phases\.0\.season: expected 'spring' or 'fall', got 'winter'"),
        (["phases"], [], r"phases: .*at least 1 item"),
        (["format"], 2, r"format: expected 1, got 2"),
        (["extra"], 1, r"extra: unknown key"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(tmp_path, path, value, message):
    row = json.loads(game().line())
    part = row
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    file = tmp_path / "games.jsonl"
    file.write_bytes(game().line() + json.dumps(row).encode() + b"\n")
    with pytest.raises(UsageError, match=r"games\.jsonl: line 2: " + message) as caught:
        list(read_records(file))
    assert "\n" not in str(caught.value)


REQUIRED = [name for name, field in GameRecord.model_fields.items() if field.is_required()]


@given(st.sampled_from(REQUIRED))
def test_a_missing_field_is_named(name):
    row = json.loads(game().line())
    del row[name]
    with pytest.raises(UsageError, match=f"here: {name}: expected a value, got none"):
        read_record(json.dumps(row).encode(), "here")


def test_a_missing_power_is_named():
    row = json.loads(game().line())
    del row["final_sc_counts"]["turkey"]
    with pytest.raises(UsageError, match="final_sc_counts: expected all seven powers, but turkey is missing"):
        read_record(json.dumps(row).encode(), "here")


@given(st.integers(1, len(game().line()) - 2))
def test_a_line_cut_anywhere_is_refused(length):
    with pytest.raises(UsageError, match="here: expected a JSON object"):
        read_record(game().line()[:length], "here")


def test_a_torn_last_line_is_refused_or_skipped(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_bytes(game(0).line() + game(1).line()[:-1])
    with pytest.raises(UsageError, match=r"line 2: expected a whole line, got \d+ bytes without an end"):
        list(read_records(file))
    assert [record.game_id for record in read_records(file, skip_torn=True)] == [0]


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(UsageError, match=r"none\.jsonl: can't be read"):
        list(read_records(tmp_path / "none.jsonl"))


def test_a_phase_is_described_by_its_dfen():
    assert describe_phase("1903fb/-/-/-") == (1903, "fall", "build")
