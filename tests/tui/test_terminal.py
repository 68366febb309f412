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
from playmill.runs.folder import RunFolder
from playmill.runs.status import read_status
from playmill.runs.view import RunView
from terminals import read_to_the_end
from tui.piloting import LARGE, driven, lists, opened, until
from waiting import PATIENCE_S, halted, wait_for

RUN_S = 300.0  # for six iterations of a smoke run on a busy machine; they take about eight seconds
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


def started(words, drawn=b"press"):
    """A process in a terminal of its own, once it has drawn this; and both ends of the terminal."""
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
    seen, deadline = b"", time.monotonic() + PATIENCE_S
    while drawn not in seen:
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
    assert process.wait(PATIENCE_S) == code
    assert LEFT in rest
    assert rest.rfind(CURSOR) > 0
    assert (b"a bug" in rest) == (code == 1)


def test_a_terminal_that_is_gone_without_a_signal_takes_the_screen_along(tmp_path):
    process, screen, terminal = started(["-m", "playmill", "tui", str(tmp_path)])
    os.close(terminal)
    os.close(screen)
    assert process.wait(PATIENCE_S) == 0


def type_until(screen, keys, condition):
    """Type, then read whatever is drawn until something is so: a screen that nobody reads stands still.

    Keys that came before anybody heard them are typed again; where they were heard, they do no harm.
    """
    seen, again = bytearray(), 0.0

    def drawn():
        nonlocal again
        if time.monotonic() > again:
            os.write(screen, keys)
            again = time.monotonic() + PATIENCE_S / 8
        while select.select([screen], [], [], 0)[0]:
            seen.extend(os.read(screen, 65536))
        return condition(bytes(seen))

    wait_for(drawn)


@driven
async def test_a_screen_that_is_killed_leaves_its_run_at_work_and_is_opened_on_it_again(runs):
    run = RunFolder(runs / "smoke")
    before = read_status(run).pid
    process, screen, terminal = started(["-m", "playmill", "tui", str(runs)], b"Open")  # the table of runs hears the keys
    try:
        type_until(screen, b"\r", lambda seen: b"regret" in seen)  # a column of the run's table
        type_until(screen, b"s", lambda seen: b"Enter: go on" in seen)
        type_until(screen, b"8\r", lambda _: read_status(run).pid != before)  # iterations in all
        with halted(read_status(run).pid):
            process.kill()
            process.wait()
            async with opened(runs, LARGE) as (app, pilot):
                await until(pilot, lambda: lists(app, 1))
                await pilot.press("enter")
                await until(pilot, lambda: app.screen.view is not None and app.screen.view.state.name == "running")
                assert app.screen.view.status.pid == read_status(run).pid
                assert app.screen.steering.take()  # the killed one steers no more
    finally:
        process.kill()
        os.close(screen)
        os.close(terminal)
    wait_for(lambda: RunView(run.root).state.name == "done", RUN_S)
    assert RunView(run.root).manifest.iterations_done == 8


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
