"""The engine as a real process: it answers, it stops when told, and nothing makes it fall over."""

import queue
import subprocess
import sys
import threading
import time

import pytest

from playmill.diplomacy.engine import Engine
from playmill.games.diplomacy.board import Board

COMMAND = [sys.executable, "-m", "playmill.cli.main", "diplomacy", "engine"]
WAIT_S = 600  # the first search may have to compile, on a busy machine


class Process:
    """An engine at the other end of two pipes."""

    def __init__(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.child = subprocess.Popen(COMMAND, text=True, bufsize=1, **pipes)
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self._lines.put(line.rstrip("\n"))

    def send(self, *lines):
        for line in lines:
            self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def until(self, beginning):
        """All lines up to the one that begins so."""
        lines = []
        while not (lines and lines[-1].startswith(beginning)):
            lines.append(self._lines.get(timeout=WAIT_S))
        return lines


@pytest.fixture
def process():
    running = Process()
    yield running
    running.send("quit")
    running.child.wait(timeout=WAIT_S)
    assert running.child.returncode == 0
    assert running.child.stderr.read() == ""


def test_it_introduces_itself(process):
    process.send("dui")
    lines = process.until("duiok")
    assert lines[0].startswith("id name playmill")
    assert any(line.startswith("option name Strength type spin default 100 min 0 max 100") for line in lines)
    process.send("isready")
    assert process.until("readyok") == ["readyok"]


def test_it_gives_legal_orders_and_says_what_ended_the_search(process):
    process.send("position start", "setpower france", "go iterations 20")
    lines = process.until("bestorders")
    board = Board.start().orders(lines[-1].removeprefix("bestorders "), "france")
    assert len(board.given) == 3
    assert all(given.reason == 0 for given in board.given)
    assert "power France search rm_plus" in lines[0]
    assert lines[0].endswith("ended iterations")
    assert lines[1].startswith("info value ")


def test_all_powers_of_a_phase_are_asked_one_after_another(process):
    process.send("newgame", f"position {Board.start().dfen}", "setoption name Strength value 50")
    for letter in "AEFGIRT":
        process.send(f"setpower {letter}", "go nodes 50")
        assert process.until("bestorders")[-1].count(";") == (3 if letter == "R" else 2)


def test_stop_ends_a_search_that_would_go_on(process):
    process.send("position start", "setpower russia", "go iterations 1")
    process.until("bestorders")
    process.send("go infinite")
    time.sleep(0.3)
    began = time.perf_counter()
    process.send("isready", "position start", "stop")
    lines = process.until("bestorders")
    assert time.perf_counter() - began < 10
    assert lines[0] == "readyok"
    assert lines[1] == "info string position: a search is running; send stop first"
    assert "ended stop" in lines[2]
    assert lines[-1].count(";") == 3


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("castle kingside", "info string unknown command 'castle'"),
        ("position 1901xx/-/-/-", "info string DFEN"),
        ("position", "info string DFEN"),
        ("setpower spain", "info string power: expected one of austria"),
        ("go", "info string go: expected a power first"),
        ("setoption name Strength value 101", "info string setoption: Strength: expected a whole number, 0 to 100, got '101'"),
        ("setoption name Colour value red", "info string setoption: expected one of Strength"),
        ("setoption Strength 3", "info string setoption: expected name X value Y"),
        ("setoption name Search value minimax", "info string setoption: Search: expected one of auto"),
    ],
)
def test_bad_lines_get_one_line(line, answer):
    said = []
    engine = Engine(said.append)
    assert engine.handle(line)
    assert len(said) == 1
    assert said[0].startswith(answer)
    assert "\n" not in said[0]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("depth 3", "go: expected movetime, nodes, iterations or infinite, got 'depth'"),
        ("nodes many", "go: nodes: expected a whole number above 0, got 'many'"),
        ("nodes", "go: nodes: expected a whole number above 0, got ''"),
        ("movetime 0", "go: movetime: expected a whole number above 0, got '0'"),
    ],
)
def test_bad_limits_get_one_line(words, answer):
    said = []
    engine = Engine(said.append)
    engine.handle("setpower E")
    engine.handle(f"go {words}")
    assert said == [f"info string {answer}"]


def test_empty_lines_are_nothing_and_an_end_of_input_waits_for_the_answer():
    said = []
    Engine(said.append).serve(["", "setpower italy", "go iterations 2"])
    assert said[-1].startswith("bestorders ")


def test_a_power_without_units_has_nothing_to_order():
    said = []
    engine = Engine(said.append)
    dfen = Board.start().dfen.replace("Ifnap,Iarom,Iaven,", "")
    engine.serve([f"position {dfen}", "setpower italy", "go iterations 2"])
    assert said[-1] == "bestorders -"


def test_a_failing_search_is_told_in_one_line(monkeypatch):
    said = []
    engine = Engine(said.append)
    monkeypatch.setattr("playmill.diplomacy.players.RmPlusPlayer.move", lambda *args: 1 // 0)
    engine.serve(["setpower italy", "go iterations 2"])
    assert said == ["info string internal error: ZeroDivisionError: integer division or modulo by zero", "bestorders -"]
