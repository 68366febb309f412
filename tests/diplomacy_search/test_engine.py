"""The engine as a real process: it answers, it stops when told, and nothing makes it fall over."""

import queue
import re
import subprocess
import sys
import threading
import time

import pytest

from commands import complaints
from playmill.games.diplomacy.board import Board
from playmill.packs.diplomacy.players.engine import Engine

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
    assert complaints(running.child.stderr.read()) == ""


def test_it_introduces_itself(process):
    process.send("dui")
    lines = process.until("duiok")
    assert lines[0].startswith("id name playmill")
    assert any(line.startswith("option name Strength type spin default 100 min 0 max 100") for line in lines)
    process.send("isready")
    assert process.until("readyok") == ["readyok"]
    began = time.perf_counter()
    process.send("setpower france", "go iterations 1")
    process.until("bestorders")
    assert time.perf_counter() - began < 5  # nothing was left to compile


def test_it_gives_legal_orders_and_says_what_ended_the_search(process):
    process.send("position start", "setpower france", "go iterations 20")
    lines = process.until("bestorders")
    board = Board.start().orders(lines[-1].removeprefix("bestorders "), "france")
    assert len(board.given) == 3
    assert all(given.reason == 0 for given in board.given)
    assert "power France search rm_plus" in lines[-3]
    assert lines[-3].endswith("ended iterations")
    assert lines[-2].startswith("info value ")


def test_all_powers_of_a_phase_are_asked_one_after_another(process):
    process.send("newgame", f"position {Board.start().dfen}", "setoption name Strength value 50")
    for letter in "AEFGIRT":
        process.send(f"setpower {letter}", "go nodes 50")
        assert process.until("bestorders")[-1].count(";") == (3 if letter == "R" else 2)


def test_stop_ends_a_search_that_would_go_on(process):
    process.send("position start", "setpower russia", "go iterations 1")
    process.until("bestorders")
    process.send("go infinite")
    first, second = process.until("info nodes")[-1], process.until("info nodes")[-1]
    began = time.perf_counter()
    process.send("isready", "position start", "stop")
    lines = [line for line in process.until("bestorders") if not line.startswith("info nodes")]
    assert time.perf_counter() - began < 10
    assert lines[0] == "readyok"
    assert lines[1] == "info string position: a search is running; send stop first"
    assert "ended stop" in lines[2]
    assert lines[-1].count(";") == 3
    told = [
        re.fullmatch(r"info nodes (\d+) iterations (\d+) time \d+ nps \d+ value 0\.\d{4} orders (.*)", x)
        for x in (first, second)
    ]
    assert int(told[0][2]) < int(told[1][2])
    assert len(Board.start().orders(told[1][3], "russia").given) == 4


def test_an_end_of_input_ends_an_endless_search():
    process = Process()
    process.send("setpower russia", "go infinite")
    process.child.stdin.close()
    assert process.until("bestorders")[-1].count(";") == 3
    assert process.child.wait(timeout=30) == 0
    assert complaints(process.child.stderr.read()) == ""


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
        (f"setoption name Seed value {'9' * 5000}", "info string setoption: Seed: expected a whole number, 0 to"),
        ("x" * 1_000_000, "info string unknown command 'xxx"),
        (f"position {'x' * 1_000_000}", "info string DFEN"),
        (f"setoption {'x' * 1_000_000}", "info string setoption: expected name X value Y"),
    ],
)
def test_bad_lines_get_one_line(line, answer):
    said = []
    engine = Engine(said.append)
    assert engine.handle(line)
    assert len(said) == 1
    assert said[0].startswith(answer)
    assert "\n" not in said[0]
    assert len(said[0]) < 500


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("depth 3", "go: expected movetime, nodes, iterations or infinite, got 'depth'"),
        ("nodes many", "go: nodes: expected a whole number above 0, got 'many'"),
        ("nodes", "go: nodes: expected a whole number above 0, got ''"),
        ("movetime 0", "go: movetime: expected a whole number above 0, got '0'"),
        (f"nodes {'9' * 5000}", f"go: nodes: expected a whole number above 0, got '{'9' * 57}...'"),
        (f"nodes {10**16}", f"go: nodes: expected at most {10**15}, got '{10**16}'"),
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


def test_an_end_of_input_stops_what_has_no_limit_of_its_own():
    said = []
    Engine(said.append).serve(["setpower italy", "go infinite"])
    assert "ended stop" in said[-3]
    assert said[-1].startswith("bestorders ")


@pytest.mark.parametrize("strength", [50, 100])
def test_watching_a_search_changes_nothing(strength, monkeypatch):
    def answer(pause_ms):
        monkeypatch.setattr("playmill.packs.diplomacy.search.budgets.WATCH_MS", pause_ms)
        said = []
        Engine(said.append).serve([f"setoption name Strength value {strength}", "setpower italy", "go iterations 60"])
        return said

    quiet, watched = answer(1e9), answer(0.0)
    assert quiet[-1] == watched[-1]
    assert not any(line.startswith("info nodes") for line in quiet)
    assert any(line.startswith("info nodes") for line in watched)


def test_a_search_that_nobody_hears_any_more_stops(monkeypatch):
    monkeypatch.setattr("playmill.packs.diplomacy.search.budgets.WATCH_MS", 0.0)

    def write(line):
        raise BrokenPipeError

    engine = Engine(write)
    engine.handle("setpower italy")
    engine.handle("go iterations 1000000000")
    engine.serve([])  # returns


def test_readiness_is_told_only_when_there_is_a_player(tmp_path):
    said = []
    engine = Engine(said.append)
    engine.handle("setoption name Search value neural")
    engine.handle("isready")
    assert len(said) == 1
    assert said[0].startswith("info string player neural: expected a network")


def test_a_power_without_units_has_nothing_to_order():
    said = []
    engine = Engine(said.append)
    dfen = Board.start().dfen.replace("Ifnap,Iarom,Iaven,", "")
    engine.serve([f"position {dfen}", "setpower italy", "go iterations 2"])
    assert said[-1] == "bestorders -"


def test_a_failing_search_is_told_in_one_line(monkeypatch):
    said = []
    engine = Engine(said.append)
    monkeypatch.setattr("playmill.packs.diplomacy.players.player.RmPlusPlayer.move", lambda *args: 1 // 0)
    engine.serve(["setpower italy", "go iterations 2"])
    assert said == ["info string internal error: ZeroDivisionError: integer division or modulo by zero", "bestorders -"]
