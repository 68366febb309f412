"""Event logs: whole lines only, whoever is killed while writing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from playmill.core.events import EventLog, read_events
from waiting import wait_for

WRITE_FOREVER = """
import sys
from pathlib import Path
from playmill.core.events import EventLog
log = EventLog(Path(sys.argv[1]))
for number in range(1_000_000_000):
    log.write("tick", number=number, text="x" * 5000)
"""


def test_events_are_read_in_the_order_in_which_they_were_written(tmp_path):
    path = tmp_path / "logs" / "metrics.ndjson"
    with EventLog(path) as log:
        log.write("first", games=1)
        log.write("second", name="größer", parts=[1, None])
    events = list(read_events(path))
    assert [event["event"] for event in events] == ["first", "second"]
    assert events[1]["parts"] == [1, None]
    assert events[0]["ts_ms"] <= events[1]["ts_ms"]


def test_a_second_writer_appends(tmp_path):
    for number in range(3):
        with EventLog(tmp_path / "log") as log:
            log.write("run", number=number)
    assert [event["number"] for event in read_events(tmp_path / "log")] == [0, 1, 2]


def test_no_file_no_events(tmp_path):
    assert list(read_events(tmp_path / "missing")) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object()])
def test_what_json_can_not_hold_is_an_error_and_writes_nothing(tmp_path, value):
    with EventLog(tmp_path / "log") as log:
        with pytest.raises((ValueError, TypeError)):
            log.write("bad", value=value)
        log.write("good")
    assert [event["event"] for event in read_events(tmp_path / "log")] == ["good"]


@pytest.mark.parametrize("torn", ['{"event": "torn", "te', "{", "x" * 200_000])
@pytest.mark.parametrize("whole", [0, 3])
def test_a_torn_last_line_is_left_out_and_dropped_by_the_next_writer(tmp_path, torn, whole):
    path = tmp_path / "log"
    path.write_text("".join(json.dumps({"event": "whole", "number": n}) + "\n" for n in range(whole)) + torn)
    assert len(list(read_events(path))) == whole
    with EventLog(path) as log:
        log.write("next")
    assert [event["event"] for event in read_events(path)] == ["whole"] * whole + ["next"]


def test_a_killed_writer_leaves_only_whole_lines(tmp_path):
    path = tmp_path / "log"
    writer = subprocess.Popen([sys.executable, "-c", WRITE_FOREVER, str(path)])
    wait_for(lambda: path.exists() and path.stat().st_size > 200_000)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    numbers = [event["number"] for event in read_events(path)]
    assert len(numbers) > 20
    assert numbers == list(range(len(numbers)))
