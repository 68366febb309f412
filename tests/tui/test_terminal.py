"""The command itself, in a terminal: what it leaves behind however it ends, and what it refuses."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from cli.invoking import invoke
from terminals import read_to_the_end

ENTERED, LEFT, CURSOR = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25h"
CRASH = """
import sys
from pathlib import Path

from playmill.tui.app import MillApp


class Crashing(MillApp):
    CSS_PATH = None

    def on_key(self, event):
        raise ValueError("a bug")


app = Crashing(Path(sys.argv[1]))
app.run()
sys.exit(app.return_code)
"""


def started(words):
    """A process in a terminal of its own, once it draws; and both ends of the terminal."""
    screen, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(
        [sys.executable, *words],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        start_new_session=True,
    )
    seen, deadline = b"", time.monotonic() + 60
    while b"press" not in seen:
        assert time.monotonic() < deadline, seen
        if select.select([screen], [], [], 0.2)[0]:
            seen += os.read(screen, 65536)
    assert ENTERED in seen
    return process, screen, terminal


@pytest.mark.parametrize(
    ("words", "end", "code"),
    [
        (["-m", "playmill", "tui"], lambda process, screen: os.write(screen, b"q"), 0),
        (["-m", "playmill", "tui"], lambda process, screen: process.send_signal(signal.SIGTERM), 0),
        (["-m", "playmill", "tui"], lambda process, screen: process.send_signal(signal.SIGINT), 0),
        (["crash.py"], lambda process, screen: os.write(screen, b"k"), 1),
    ],
    ids=["quit", "terminated", "interrupted", "crashed"],
)
def test_the_terminal_is_as_it_was(tmp_path, monkeypatch, words, end, code):
    (tmp_path / "crash.py").write_text(CRASH)
    monkeypatch.chdir(tmp_path)
    process, screen, terminal = started([*words, "runs"])
    end(process, screen)
    rest = read_to_the_end(process, screen, terminal)
    assert process.wait(10) == code
    assert LEFT in rest
    assert rest.rfind(CURSOR) > 0
    assert (b"a bug" in rest) == (code == 1)


def test_without_a_terminal_a_line_says_what_to_do(tmp_path):
    ended = invoke(["tui", str(tmp_path / "runs")], tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "playmill status RUN" in ended.err


def test_a_folder_that_is_none_of_runs_is_refused_before_anything_is_drawn(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    ended = invoke(["tui", str(tmp_path / "letter.txt")], tmp_path)
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "expected a folder of runs, got a file" in ended.err
