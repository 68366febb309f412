"""Compiled code: later processes load it from the cache, and an edit of any source is never missed."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba.core import event

import playmill
from playmill.core import compiling, status_line
from playmill.core.jit import kernel
from playmill.games.scaffold import new_game

pytestmark = pytest.mark.jit

# Plays one game with every kernel of the Python face; prints its first and last record and each kernel's cache hits and misses.
PLAY_ONE = """
import json, sys
from playmill.games import one
from playmill.games.registry import get_game
state = first = get_game(sys.argv[1]).new(5)
while not state.is_over:
    state = state.apply(state.legal_actions[-1])
state.returns, state.to_move, state.key
stats = [vars(one)[name].stats for name in ("start_one", "legal_one", "play_one", "outcome_one", "key_one")]
hits, misses = (sum(sum(getattr(each, kind).values()) for each in stats) for kind in ("cache_hits", "cache_misses"))
print(json.dumps({"first": first.record.tobytes().hex(), "last": state.record.tobytes().hex(), "hits": hits, "misses": misses}))
"""

HELPER = """
from playmill.core.jit import kernel

@kernel
def handicap():
    return {handicap}
"""


@pytest.fixture
def play(tmp_path):
    """Play a game in a process of its own, with a cache folder and a path that are the test's own."""
    path = os.pathsep.join(filter(None, [str(tmp_path / "src"), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PLAYMILL_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path}

    def run(game):
        command = [sys.executable, "-c", PLAY_ONE, game]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout)

    return run


@pytest.fixture
def pebbles(tmp_path):
    """A user's game package on the path, and its main module's file."""
    new_game("pebbles", tmp_path)
    (tmp_path / "pebbles" / "src").rename(tmp_path / "src")
    return tmp_path / "src" / "pebbles" / "__init__.py"


def toy_kernels(source):
    namespace = {"kernel": kernel, "np": np, "__name__": "toy"}
    exec(source, namespace)
    return namespace


@pytest.mark.parametrize("game", ["tictactoe", "pebbles:GAME"])
def test_a_second_process_compiles_nothing(play, pebbles, game):
    first, second = play(game), play(game)
    assert first["misses"] > 0
    assert (second["hits"], second["misses"]) == (first["misses"], 0)
    assert (second["first"], second["last"]) == (first["first"], first["last"])


def test_an_edit_of_a_users_helper_file_is_not_missed(play, pebbles):
    helper = pebbles.parent / "helper.py"
    rules = pebbles.read_text().replace("FIRST_PILES[pile]", "FIRST_PILES[pile] - handicap()")
    pebbles.write_text("from pebbles.helper import handicap\n" + rules)
    helper.write_text(HELPER.format(handicap=0))
    before = play("pebbles:GAME")
    stamp = helper.stat().st_mtime_ns
    helper.write_text(HELPER.format(handicap=1))
    os.utime(helper, ns=(stamp, stamp))  # an edit within the clock's resolution
    after = play("pebbles:GAME")
    assert (before["first"], after["first"]) == ("03040500", "02030400")
    assert after["misses"] > 0


def test_an_edit_of_a_helper_beside_a_single_file_is_not_missed(play, pebbles):
    folder = pebbles.parent.parent
    rules = pebbles.read_text().replace("FIRST_PILES[pile]", "FIRST_PILES[pile] - handicap()")
    (folder / "flat.py").write_text("from flat_helper import handicap\n" + rules)
    (folder / "flat_helper.py").write_text(HELPER.format(handicap=0))
    assert play("flat:GAME")["first"] == "03040500"
    (folder / "flat_helper.py").write_text(HELPER.format(handicap=1))
    assert play("flat:GAME")["first"] == "02030400"


def test_another_version_of_playmill_is_not_missed(play, pebbles):
    copy = pebbles.parent.parent / "playmill"
    shutil.copytree(Path(playmill.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    drawn = "FIRST_PILES[pile] - np.int64(mix_word(np.uint64(0), np.uint64(0)) & np.uint64(1))"
    rules = pebbles.read_text().replace("FIRST_PILES[pile]", drawn)
    pebbles.write_text("from playmill.core.seeds import mix_word\n" + rules)
    before = play("pebbles:GAME")["first"]
    seeds = copy / "core" / "seeds.py"
    seeds.write_text(seeds.read_text().replace("    return z ^ (z >> S31)", "    return (z ^ (z >> S31)) ^ ONE"))
    assert play("pebbles:GAME")["first"] != before


def test_an_edit_that_no_kernel_can_see_compiles_nothing(play, pebbles):
    play("pebbles:GAME")
    rules = re.sub(r'(?m)^    """(?=\w)', '    """To be precise: ', pebbles.read_text())
    assert "To be precise" in rules
    pebbles.write_text(rules + "\n\ndef unrelated():\n    return 1\n")
    assert play("pebbles:GAME")["misses"] == 0


def test_a_checkout_in_another_folder_compiles_nothing(play, pebbles, tmp_path):
    play("pebbles:GAME")
    copy = tmp_path / "src" / "playmill"
    shutil.copytree(Path(playmill.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert play("pebbles:GAME")["misses"] == 0


def test_a_damaged_file_of_compiled_code_is_made_again(play, pebbles, tmp_path):
    first = play("pebbles:GAME")
    for path in (tmp_path / "cache" / "kernels").rglob("*.cpython*"):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    again = play("pebbles:GAME")
    assert again == first


def test_compiled_code_that_nobody_uses_is_removed_after_a_while(play, pebbles, tmp_path):
    folder = tmp_path / "cache" / "kernels" / "pebbles"
    folder.mkdir(parents=True)
    old, recent = folder / "start-old", folder / "start-recent"
    for path in (old, recent):
        path.write_bytes(b"")
    long_ago = time.time() - 100 * 86400
    os.utime(old, (long_ago, long_ago))
    play("pebbles:GAME")
    assert not old.exists()
    assert recent.exists()


def test_what_is_compiled_is_told_with_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(compiling, "PATIENCE_S", 0.0)
    monkeypatch.setattr(status_line, "_is_announcing", True)
    # So many that they take longer than the thread that tells of them needs to start.
    parts = "".join(f"@kernel\ndef times_{i}(n):\n    return n * {i}\n" for i in range(40))
    toy = toy_kernels(f"{parts}@kernel\ndef all_of(n):\n    return {' + '.join(f'times_{i}(n)' for i in range(40))}\n")
    assert toy["all_of"](np.int64(2)) == 39 * 40
    told = capsys.readouterr().err
    assert re.fullmatch(r"playmill: compiling toy, first time only: [1-3]?[0-9] of 41 kernels\n", told)


def test_the_collector_rests_while_a_kernel_is_compiled_and_works_afterwards():
    seen = []

    class Look(event.Listener):
        def on_start(self, event):
            seen.append(gc.isenabled())

        def on_end(self, event):
            pass

    toy = toy_kernels("@kernel\ndef half(n):\n    return n // 2\n")
    with event.install_listener("numba:compile", Look()):
        toy["half"](np.int64(3))
    assert seen == [False]
    assert gc.isenabled()


# Prints from within a kernel that another calls, and how many kernels were compiled.
SAY = """
import sys
from numba.core import event
from words import say, shout

class Count(event.Listener):
    names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass

with event.install_listener("numba:compile", Count()):
    (say if sys.argv[1] == "say" else shout)(3)
sys.stdout.flush()
print(*Count.names)
"""
WORDS = """
from playmill.core.jit import kernel

@kernel
def word(n):
    print("n =", n)

@kernel
def say(n):
    word(n)

@kernel
def shout(n):
    word(n)
    word(n)
"""


def test_a_kernel_that_others_call_is_compiled_once_for_all_of_them(tmp_path):
    (tmp_path / "words.py").write_text(WORDS)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PLAYMILL_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path}

    def run(name):
        return subprocess.run([sys.executable, "-c", SAY, name], env=environment, capture_output=True, text=True, check=True)

    assert run("say").stdout.splitlines() == ["n = 3", "say word"]
    assert run("shout").stdout.splitlines() == ["n = 3", "n = 3", "shout"]
    assert run("say").stdout.splitlines() == ["n = 3", ""]


def test_a_kernel_that_another_calls_can_be_called_from_python_too():
    toy = toy_kernels("@kernel\ndef half(n):\n    return n // 2\n@kernel\ndef quarter(n):\n    return half(half(n))\n")
    assert toy["quarter"](np.int64(21)) == 5
    assert not toy["half"].overloads  # which would be machine code that nobody runs
    assert toy["half"](np.int64(21)) == 10


@kernel
def sum_to(n):
    if n == 0:
        return 0
    return n + sum_to(n - 1)


@kernel
def twice_the_sum(n):
    return 2 * sum_to(n)


def test_a_kernel_can_call_itself():
    assert (twice_the_sum(4), sum_to(4)) == (20, 10)


def test_an_error_inside_a_kernel_reaches_python():
    toy = toy_kernels(
        "@kernel\ndef check(n):\n    if n < 0:\n        raise ValueError(f'{n} is below 0')\n    return n\n"
        "@kernel\ndef twice(n):\n    return 2 * check(n)\n"
    )
    assert toy["twice"](4) == 8
    with pytest.raises(ValueError, match="-4 is below 0"):
        toy["twice"](-4)
