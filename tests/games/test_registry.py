"""Games by name: built in, from other packages, and by address. A broken package never hides the others."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from playmill.core.errors import ContractError, UnknownName, UsageError
from playmill.core.jit import IS_COMPILED
from playmill.games.game import Game
from playmill.games.kit.promises import PROMISES
from playmill.games.registry import BUILT_IN, address_of, game_names, get_game, list_games
from playmill.games.scaffold import new_game

GAME_SOURCE = """
import numpy as np
from playmill.games.game import Game
GAME = Game("{name}", state=np.dtype([("mover", "i1")]), players=2, logits=3)
"""


@pytest.fixture
def package(monkeypatch, tmp_path):
    """Puts a package on the path as if installed: its module, and metadata with one entry point."""

    def put(name, source, entry):
        (tmp_path / f"{name}.py").write_text(source)
        metadata = tmp_path / f"{name}-1.5.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
        (metadata / "entry_points.txt").write_text(f"[playmill.games]\n{entry}\n")

    monkeypatch.syspath_prepend(str(tmp_path))
    return put


# ------------------------------------------------------------------ names and addresses


def test_built_in_games_are_found_by_name():
    assert set(BUILT_IN) <= set(game_names())
    for name in BUILT_IN:
        assert get_game(name).name == name
        assert get_game(name) is get_game(BUILT_IN[name])


@pytest.mark.parametrize(("name", "hint"), [("tictactoo", "did you mean 'tictactoe'"), ("Yatzy", "did you mean 'yatzy'")])
def test_a_misspelt_name_suggests_the_nearest(name, hint):
    known = "connect_four, exchange, go13, go19, go9, tictactoe, yatzy, yatzy_rich"
    with pytest.raises(UnknownName, match=rf"unknown game '{name}'; {hint}\? \(known: {known}\)"):
        get_game(name)


def test_diplomacy_names_its_own_commands():
    with pytest.raises(UsageError, match="it has commands of its own; see `playmill diplomacy --help`"):
        get_game("diplomacy")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nowhere:GAME", "game 'nowhere:GAME' can't be loaded: ModuleNotFoundError: No module named 'nowhere'"),
        ("mine/nim.py:NIM", "game 'mine/nim.py:NIM': expected a module as Python imports it, got a file; write 'mine.nim:NIM'"),
        ("json:GAME", "game 'json:GAME' can't be loaded: AttributeError"),
        (":", "game ':' can't be loaded"),
        ("json:dumps", "game 'json:dumps': expected a Game, got function"),
        (7, "game: expected a name or 'module:ATTR', got 7"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_line(address, message):
    with pytest.raises(UsageError, match=message) as caught:
        get_game(address)
    assert "\n" not in str(caught.value)


def test_a_game_that_is_not_registered_is_found_by_its_address():
    import broken_games

    assert address_of(broken_games.SOUND_GAME) == "broken_games:SOUND_GAME"
    assert get_game("broken_games:SOUND_GAME") is broken_games.SOUND_GAME
    assert address_of(get_game("yatzy")) == "yatzy"


def test_the_working_directory_can_be_addressed(tmp_path):
    (tmp_path / "homemade.py").write_text(GAME_SOURCE.format(name="homemade"))
    code = "from playmill.games.registry import get_game; print(get_game('homemade:GAME').name)"
    # -P keeps Python itself from adding the directory, as an installed command does.
    ended = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stdout == "homemade\n"


# ------------------------------------------------------------------ other packages


def test_a_package_registers_a_game(package):
    package("reg_good", GAME_SOURCE.format(name="reg_good"), "reg_good = reg_good:GAME")
    assert "reg_good" in game_names()
    assert isinstance(get_game("reg_good"), Game)
    assert address_of(get_game("reg_good")) == "reg_good"
    row = next(row for row in list_games() if row.name == "reg_good")
    assert (row.players, row.actions, row.source, row.problem) == (2, 3, "reg_good 1.5", None)


@pytest.mark.parametrize(
    ("name", "source", "entry", "message"),
    [
        ("reg_fails", "raise ValueError('a\\nb')", "reg_fails = reg_fails:GAME", "from 'reg_fails:GAME': ValueError: a b"),
        ("reg_quits", "import sys; sys.exit('no')", "reg_quits = reg_quits:GAME", "SystemExit: no"),
        ("reg_empty", "", "reg_empty = reg_empty:GAME", "AttributeError"),
        ("reg_other", "GAME = 7", "reg_other = reg_other:GAME", "expected a Game at 'reg_other:GAME', got int"),
        ("reg_alias", GAME_SOURCE.format(name="else"), "reg_alias = reg_alias:GAME", "calls itself 'else'; both names must be"),
    ],
)
def test_a_broken_package_is_named_and_hides_no_other(package, name, source, entry, message):
    package(name, source, entry)
    with pytest.raises(ContractError, match=f"game '{name}' from package {name} 1.5.*{message}") as caught:
        get_game(name)
    assert "\n" not in str(caught.value)
    assert get_game("tictactoe").name == "tictactoe"
    problems = {row.name: row.problem for row in list_games()}
    assert problems[name] == str(caught.value)
    assert problems["tictactoe"] is None


def test_a_package_can_not_take_the_name_of_a_built_in_game(package):
    package("reg_thief", GAME_SOURCE.format(name="yatzy"), "yatzy = reg_thief:GAME")
    assert get_game("yatzy").module == "playmill.games.yatzy.rules"
    rows = [row for row in list_games() if row.name == "yatzy"]
    assert [row.source for row in rows] == ["built in", "reg_thief 1.5"]
    assert (
        rows[1].problem
        == "game 'yatzy' from package reg_thief 1.5: a built-in game has that name; the package must choose another"
    )


def test_two_packages_with_one_name_are_both_named(package):
    package("reg_twice_a", GAME_SOURCE.format(name="twice"), "twice = reg_twice_a:GAME")
    package("reg_twice_b", GAME_SOURCE.format(name="twice"), "twice = reg_twice_b:GAME")
    with pytest.raises(UsageError, match=r"game 'twice' is registered by two packages, reg_twice_a 1\.5 and reg_twice_b 1\.5"):
        get_game("twice")


# ------------------------------------------------------------------ a real one, made by the scaffold and installed


@pytest.fixture(scope="module")
def pebbles(tmp_path_factory):
    """A scaffolded package, and the environment in which it is installed, in a folder of its own."""
    folder = tmp_path_factory.mktemp("scaffold")
    new_game("pebbles", folder)
    target = folder / "site"
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(folder / "pebbles")], check=True)
    path = os.pathsep.join(filter(None, (str(target), os.environ.get("PYTHONPATH"))))
    return folder / "pebbles", {**os.environ, "PYTHONPATH": path}


def run(environment, *words, cwd=None):
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=False)


def test_an_installed_game_is_listed_and_keeps_its_promises(pebbles):
    _, environment = pebbles
    listed = run(environment, "playmill.cli.main", "games")
    assert "pebbles 0.1.0" in listed.stdout
    checked = run(environment, "playmill.cli.main", "check-game", "pebbles", "--games", "5")
    assert checked.returncode == 0, checked.stderr
    assert "✓ the golden playthrough replays" in checked.stdout


def test_the_tests_of_a_new_game_pass(pebbles):
    folder, environment = pebbles
    ended = run(environment, "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
    assert ended.returncode == 0, ended.stdout
    counts = {word: int(count) for count, word in re.findall(r"(\d+) (passed|skipped)", ended.stdout)}
    assert counts["passed"] + counts["skipped"] == len(PROMISES) + 1
    # Nim has no kernels for distinct, afterstate, points, decision, symmetries, meets_chance, outcomes, eval_key, and no
    # picture; what isn't compiled has no signature to be looked at.
    assert counts["skipped"] == (9 if IS_COMPILED else 10)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pebbles", "exists already; choose another name or another folder"),
        ("Nim", "'Nim' can't be a package"),
        ("a-b", "can't be a package"),
        ("1up", "can't be a package"),
        ("../up", "can't be a package"),
        ("trailing_", "can't be a package"),
        ("", "can't be a package"),
        ("class", "is a word of the Python language"),
        ("match", "is a word of the Python language"),
        ("yatzy", "is a registered game already"),
        ("json", "would hide the module of that name"),
        ("numpy", "would hide the module of that name"),
    ],
)
def test_a_bad_name_is_refused_in_one_line(tmp_path, name, message):
    (tmp_path / "pebbles").mkdir()
    with pytest.raises(UsageError, match=message) as caught:
        new_game(name, tmp_path)
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == ["pebbles"]


def test_a_folder_that_can_not_be_written_is_one_line(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match=r"new game 'fine': can't write .*Not a directory"):
        new_game("fine", tmp_path / "file")
