"""`playmill puzzles browse` as a process: its one line, Ctrl-C, and what it refuses."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from puzzle_samples import sample_puzzles, write_puzzles
from web.serving import served

pytestmark = pytest.mark.jit


@pytest.fixture
def path(tmp_path):
    return write_puzzles(tmp_path / "puzzles.jsonl", sample_puzzles()[:3])


def browse(*words):
    command = [sys.executable, "-m", "playmill.cli.main", "puzzles", "browse", *map(str, words), "--no-open"]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_it_prints_an_address_that_works_and_ctrl_c_ends_it_in_a_line(path):
    with served(path) as (address, process):
        assert b"<div id=" in urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(address).read()
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(address.split("?")[0])
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=300)
    assert process.returncode == 130
    assert told == "playmill: interrupted; start the same command again to go on\n"


def test_it_listens_on_this_machine_alone(path):
    with served(path) as (address, _):
        port = int(re.search(r":(\d+)/", address)[1])
        listening = [row[1] for row in map(str.split, Path("/proc/net/tcp").read_text().splitlines()) if row[3] == "0A"]
        assert [place for place in listening if place.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]


def test_a_port_in_use_is_one_line(path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = browse(path, "--port", port)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"playmill: port {port} of 127.0.0.1 is in use; choose another with --port\n"


def test_two_reviews_of_one_file_are_refused_and_two_files_get_two_ports(path, tmp_path):
    other = write_puzzles(tmp_path / "other.jsonl", sample_puzzles()[:1])
    with served(path) as (first, _), served(other) as (second, _):
        assert first.split("?")[0] != second.split("?")[0]
        done = browse(path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "another process is writing to it" in done.stderr


@pytest.mark.parametrize(
    "words", [["missing.jsonl"], ["."], ["puzzles.jsonl", "--port", "0"], ["puzzles.jsonl", "--port", "99999"]]
)
def test_what_can_not_be_browsed_is_refused_in_a_line_and_nothing_is_left(path, words, monkeypatch):
    monkeypatch.chdir(path.parent)
    done = browse(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert os.listdir() == ["puzzles.jsonl"]


def test_without_the_extra_the_way_to_get_it_is_told(path):
    probe = "import sys; sys.modules['fastapi'] = None; from playmill.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", probe, "puzzles", "browse", path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "puzzles browse needs fastapi" in done.stderr
    assert "playmill[web]" in done.stderr
