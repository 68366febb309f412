"""Where a command begins and ends: closed streams, plain terminals, missing packages, Ctrl-C at any moment."""

from __future__ import annotations

import errno
import json
import os
import pty
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from cli.invoking import assert_refused, invoke
from playmill.cli import boundary
from playmill.core import leaving
from playmill.core.leaving import CLEAN_TERMINAL
from terminals import read_to_the_end
from waiting import wait_for

LIMIT_S = 30.0  # between Ctrl-C and the end, on a busy machine; on a quiet one it is about one

# What a process does before the command begins: say that it is there, then run.
BEGIN = "from playmill.cli.main import main; print('begin', flush=True); main()"


def playmill(*words, shell="", code=BEGIN, **environment):
    """Run `playmill WORDS` in a process of its own; `shell` redirects its streams."""
    command = ["sh", "-c", f'"$@" {shell}', "sh", sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **environment})


# ------------------------------------------------------------------ streams


@pytest.mark.parametrize("shell", ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "code"), [(["diplomacy", "orders"], 0), (["nonsense"], 2), (["--version"], 0)])
def test_streams_may_be_closed(shell, words, code):
    ended = playmill(*words, shell=shell, code="from playmill.cli.main import main; main()")
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr
    assert ended.stderr.count("\n") == (code == 2 and "2>" not in shell)


def test_a_file_does_not_take_the_number_of_a_closed_stream(tmp_path):
    ended = playmill("seed-set", tmp_path / "seeds.json", "--count", 2, shell=">&- 2>&-")
    assert ended.returncode == 0
    assert len(json.loads((tmp_path / "seeds.json").read_text())["seeds"]) == 2


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_plain_terminal_gets_plain_characters(environment, tmp_path):
    told = playmill("simulate", "tictactoe", "--playouts", 20, **environment)  # has a histogram of blocks
    assert told.returncode == 0, told.stderr
    assert "Traceback" not in told.stderr
    refused = playmill("simulate", "größe", **environment)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1


def test_bytes_that_are_no_text_on_stdin_are_one_bad_line():
    ended = invoke(["diplomacy", "orders"], ".", '{"dfen": "\udcff"}\n{"dfen": 3}\n')
    assert [set(json.loads(line)) for line in ended.out.splitlines()] == [{"error", "line"}] * 2
    assert ended.code == 1
    assert "Traceback" not in ended.err


def test_a_full_stderr_does_not_change_the_exit_code():
    assert playmill("nonsense", shell="2>/dev/full").returncode == 2


@pytest.mark.parametrize("command", ["adjudicate", "orders"])
def test_a_line_that_is_nested_without_end_is_answered_and_so_are_the_later_ones(command):
    deep = [
        "[" * 100_000,
        '{"dfen":' + "[" * 500 + "]" * 500 + "}",
        '{"dfen": "x", "dfen": "y"}',
        '{"dfen": NaN}',
        "9" * 10_000,
    ]
    ended = invoke(["diplomacy", command], ".", "\n".join([*deep, '{"dfen": "nonsense"}']) + "\n")
    answers = [json.loads(line) for line in ended.out.splitlines()]
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 5, 6]
    assert all(len(answer["error"]) < 400 for answer in answers)
    assert ended.code == 1


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("error", "line", "code"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.json"), "a.json: can't be read (No such file", 2),
        (PermissionError(errno.EACCES, "Permission denied", "run.json"), "run.json: can't be read (Permission denied)", 2),
        (OSError(errno.EMFILE, "Too many open files"), "the system refused: Too many open files", 1),
        (OSError(errno.ENOSPC, "No space left on device"), "a file can't be written", 1),
        (MemoryError("Unable to allocate 9 TiB"), "not enough memory (Unable to allocate 9 TiB); ask for less", 1),
        (MemoryError(), "not enough memory (no more is left)", 1),
        (RuntimeError("[enforce fail] can't allocate memory: you tried"), "not enough memory", 1),
        (ModuleNotFoundError("No module named 'torch'", name="torch"), "pip install -c constraints.txt 'playmill[nets]'", 2),
        (ModuleNotFoundError("No module named 'onnx.x'", name="onnx.x"), "needs onnx, which is not installed", 2),
        (RuntimeWarning("Environment variable 'NUMBA_OPT' is defined but its associated value 'x' could not be parsed.\n"),
         "NUMBA_OPT: expected a number, got 'x'", 2),
    ],
)  # fmt: skip
def test_an_error_that_a_user_can_act_on_is_one_line(error, line, code, monkeypatch, tmp_path):
    def fail():
        raise error

    monkeypatch.setattr("playmill.cli.app.whole_command", fail)
    monkeypatch.setattr(boundary, "forget_output", lambda: None)
    ended = invoke([], tmp_path)
    assert_refused(ended)
    assert line in ended.err
    assert ended.code == code


def test_a_bug_shows_its_traceback(monkeypatch, tmp_path):
    monkeypatch.setattr("playmill.cli.app.whole_command", lambda: {}["nothing"])
    ended = invoke([], tmp_path)
    assert ended.code == 1
    assert "this is a bug in playmill: KeyError: 'nothing'" in ended.err


@pytest.mark.parametrize("setting", ["NUMBA_NUM_THREADS=0", "NUMBA_NUM_THREADS=many", "NUMBA_NUM_THREADS=-1", "NUMBA_OPT=x"])
def test_a_variable_that_the_compiler_can_not_read_is_one_line(setting):
    name, value = setting.split("=")
    ended = playmill("simulate", "tictactoe", **{name: value})
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"playmill: {name}: expected a ")
    assert ended.stderr.count("\n") == 1


# ------------------------------------------------------------------ without the nets extra

NEED_NETS = [
    "run good.yaml --out new",
    "selfplay good.yaml --out new",
    "train tictactoe --replay r --best b.pt --out new",
    "verify folder",
    "model-init tictactoe --out new.pt",
    "model-info net.pt",
    "run diplomacy.yaml --out new",
    "diplomacy train g.jsonl --out new.pt",
    "diplomacy search start --kind neural --model net.pt",
    "gate tictactoe --best random --candidate net.pt",
    "explore tictactoe --model net.pt",
]


@pytest.mark.parametrize("missing", ["torch", "onnx", "onnxruntime"])
@pytest.mark.parametrize("line", NEED_NETS)
def test_without_the_extra_a_command_says_what_to_install_and_makes_nothing(line, missing, monkeypatch, tmp_path):
    if missing != "torch" and line.startswith(("gate", "explore")):
        pytest.skip("torch alone will do")
    monkeypatch.setitem(sys.modules, missing, None)
    (tmp_path / "good.yaml").write_text("game: tictactoe\n")
    (tmp_path / "diplomacy.yaml").write_text("game: diplomacy\n")
    (tmp_path / "net.pt").write_text("a network")
    before = sorted(os.listdir(tmp_path))
    ended = invoke(line.split(), tmp_path)
    assert_refused(ended, codes=(2,))
    assert f"needs {missing}, which is not installed; pip install -c constraints.txt 'playmill[nets]'" in ended.err
    assert sorted(os.listdir(tmp_path)) == before


def test_without_the_extra_bench_leaves_out_what_it_can_not_measure_and_says_so():
    code = "import sys; sys.modules['torch'] = None; from playmill.cli.main import main; main()"
    some = playmill("bench", "nets.rates", "start.import", "--no-peers", "--seconds", "0.1", code=code)
    assert some.returncode == 0, some.stderr
    assert [json.loads(line)["name"] for line in some.stdout.splitlines()] == ["start.import"]
    assert "playmill: nets.rates: left out: this command needs torch" in some.stderr
    none = playmill("bench", "nets.rates", "--no-peers", code=code)
    assert none.returncode == 2
    assert "pip install -c constraints.txt 'playmill[nets]'" in none.stderr


# ------------------------------------------------------------------ Ctrl-C


def start(*words, code=BEGIN, **options):
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    assert process.stdout.readline() == "begin\n"
    return process


def interrupt(process, after_s=0.0):
    """Press Ctrl-C; return what was said on stderr after a quick end with the right code."""
    time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 130
    return said


@pytest.mark.parametrize("delay_s", [0.05, 0.2, 0.5, 1.0, 2.0, 4.0])
def test_ctrl_c_at_any_moment_is_one_line_also_while_kernels_compile(delay_s, tmp_path):
    process = start(
        "diplomacy", "search", "start", "--kind", "heuristic", env={**os.environ, "PLAYMILL_CACHE_DIR": str(tmp_path)}
    )
    time.sleep(delay_s)
    said = interrupt(process)
    assert said.endswith("playmill: interrupted\n")
    assert "Traceback" not in said
    assert said.count("playmill: interrupted") == 1


@pytest.mark.parametrize(("module", "is_fragile"), [("numba.core.compiler", True), ("llvmlite.ir", True), ("stuck", False)])
def test_no_exception_is_raised_into_the_compiler(module, is_fragile):
    """A command that was interrupted so left half-made objects of LLVM's behind, and one ended in a segmentation fault."""
    namespace = {"__name__": module, "ask": lambda: leaving._is_fragile(sys._getframe())}
    exec("def compile_something():\n    return ask()\n", namespace)
    assert namespace["compile_something"]() == is_fragile


STUCK = """
import ctypes
from pathlib import Path

def policy(state):
    Path("reached").touch()
    lock, library = ctypes.create_string_buffer(128), ctypes.CDLL(None)
    library.pthread_mutex_lock(lock)
    library.pthread_mutex_lock(lock)  # for ever: no handler of Python's runs before a call returns
"""


def stuck(folder, workers=1, **options):
    """A command that can't hear anything, in the main thread with one playout and in others with more."""
    (folder / "stuck.py").write_text(STUCK)
    words = ("simulate", "tictactoe", "--policy", "stuck:policy", "--playouts", workers, "--workers", workers)
    process = start(*words, cwd=folder, **options)
    wait_for((folder / "reached").exists)
    return process


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_command_that_can_not_hear_it(workers, tmp_path):
    assert interrupt(stuck(tmp_path, workers), after_s=0.3) == "playmill: interrupted\n"


def test_ctrl_c_twice_ends_at_once_and_without_a_traceback(tmp_path):
    process = stuck(tmp_path, workers=2)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert interrupt(process) == "playmill: interrupted\n"


def test_what_was_being_written_is_gone_and_so_is_a_fallback_cache(tmp_path):
    code = f"""
        import ctypes
        from pathlib import Path
        from playmill.core import leaving
        from playmill.core.files import atomic_writer, cache_folder
        leaving.heed_interrupts()
        cache_folder("kernels")
        with atomic_writer(Path({str(tmp_path / "out" / "result")!r})) as file:
            file.write(b"half")
            print("begin", flush=True)
            lock = ctypes.create_string_buffer(128)
            ctypes.CDLL(None).pthread_mutex_lock(lock)
            ctypes.CDLL(None).pthread_mutex_lock(lock)
    """
    (tmp_path / "file").write_text("no folder")
    variables = {**os.environ, "PLAYMILL_CACHE_DIR": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)}
    said = interrupt(start(code=textwrap.dedent(code), env=variables), after_s=0.3)
    assert said.endswith("playmill: interrupted\n")
    assert os.listdir(tmp_path / "out") == []
    assert sorted(os.listdir(tmp_path)) == ["file", "out"]


def test_ctrl_c_leaves_the_terminal_clean(tmp_path):
    (tmp_path / "slow.py").write_text("import time\ndef policy(state):\n    time.sleep(0.05)\n    return state.legal_actions\n")
    screen, terminal = pty.openpty()
    words = ("simulate", "tictactoe", "--policy", "slow:policy", "--playouts", "100000")
    process = subprocess.Popen([sys.executable, "-c", BEGIN, *words], stdout=subprocess.PIPE, stderr=terminal, cwd=tmp_path)
    shown = b""
    while b"\x1b[?25l" not in shown:  # the bar hides the cursor
        shown += os.read(screen, 4096)
    process.send_signal(signal.SIGINT)
    shown = read_to_the_end(process, screen, terminal)
    assert process.wait(30) == 130
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l")
    assert b"playmill: interrupted" in shown
    assert b"Traceback" not in shown


def test_a_forced_end_cleans_the_terminal_by_itself(tmp_path):
    screen, terminal = pty.openpty()
    (tmp_path / "stuck.py").write_text(STUCK)
    words = ("simulate", "tictactoe", "--policy", "stuck:policy", "--playouts", "2", "--workers", "2")
    process = subprocess.Popen([sys.executable, "-c", BEGIN, *words], stdout=subprocess.PIPE, stderr=terminal, cwd=tmp_path)
    wait_for((tmp_path / "reached").exists)
    process.send_signal(signal.SIGINT)
    shown = read_to_the_end(process, screen, terminal)
    assert process.wait(30) == 130
    assert CLEAN_TERMINAL in shown
    assert shown.endswith(b"playmill: interrupted\r\n")
