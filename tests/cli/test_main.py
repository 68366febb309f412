"""The app as a whole: help, version, one line for every kind of bad input, nothing heavy before it is needed."""

import subprocess
import sys

import pytest

import playmill as package


def test_help_lists_the_commands(playmill):
    done = playmill("--help")
    assert done.returncode == 0
    for command in ("games", "new-game", "check-game", "simulate", "oracle", "bench"):
        assert command in done.stdout


def test_version(playmill):
    assert playmill("--version").stdout == f"playmill {package.__version__}\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["simulate", "conect_four"], "unknown game 'conect_four'; did you mean 'connect_four'? (known: "),
        (["simulate", "tictactoe", "--policy", "unform"], "unknown policy 'unform'; did you mean 'uniform_random'? (known: "),
        (["simulate", "tictactoe", "--playouts", "0"], "count: expected a whole number above 0, got 0"),
        (["simulate", "tictactoe", "--playouts", "-7"], "count: expected a whole number above 0, got -7"),
        (["simulate", "tictactoe", "--workers", "0"], "workers: expected a whole number above 0, got 0"),
        (["simulate", "tictactoe", "--seed", "-1"], "seed: expected a whole number from 0 to 2**64 - 1, got -1"),
        (["simulate", "tictactoe", "--max-events", "0"], "max_events: expected a whole number above 0, got 0"),
        (["simulate", "tictactoe", "--wave", "0", "--until-sd", "1"], "wave: expected a whole number above 0, got 0"),
        (["simulate", "tictactoe", "--until-sd", "-1"], "--until-sd: expected a number of at least 0, got -1.0"),
        (
            ["simulate", "tictactoe", "--until-percentiles", "50,95,2"],
            "--until-percentiles: expected HIGH,LOW,GAP such as 95,50,2",
        ),
        (
            ["simulate", "tictactoe", "--until-percentiles", "95,50"],
            "--until-percentiles: expected HIGH,LOW,GAP such as 95,50,2",
        ),
        (["simulate", "tictactoe", "--playouts", "many"], "Invalid value for '--playouts': expected a whole number, got many"),
        (["play", "exchange", "--simulations", "0"], "Invalid value for '--simulations': expected at least 1, got 0"),
        (["simulate"], "Missing argument"),
        (["simulate", "tictactoe", "--wrong"], "No such option"),
        (["nonsense"], "No such command 'nonsense'"),
        (["oracle", "sim", "--games", "0"], "games: expected"),
        (["oracle", "advise", "--avail", "0", "--upper", "0", "--dice", "1,2,3,4,5", "--rerolls", "2"], "avail"),
        (["oracle", "advise", "--avail", "1", "--upper", "0", "--dice", "1,2,3,4,7", "--rerolls", "2"], "dice"),
        (["check-game", "chess"], "unknown game 'chess'"),
        (["bench", "nonsense"], "unknown benchmark 'nonsense'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line_and_exit_code_2(playmill, words, line):
    done = playmill(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"playmill: {line}") or line in done.stderr


def test_importing_playmill_loads_nothing_heavy():
    probe = "import sys, playmill; print([m for m in ('numpy', 'numba', 'rich', 'typer', 'torch') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout == "[]\n"


def test_help_loads_nothing_heavy():
    heavy = ("numpy", "numba", "torch", "pydantic", "yaml", "rich")
    probe = f"import sys, playmill.cli.app; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout == "[]\n"


def test_every_public_name_is_there():
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_an_unusable_cache_folder_is_a_warning_and_not_the_end(playmill, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    import os

    done = playmill(
        "simulate", "tictactoe", "--playouts", "5", "--json", env={**os.environ, "PLAYMILL_CACHE_DIR": str(blocked)}
    )
    assert done.returncode == 0
    assert done.stderr.count("warning") == 1
    assert f"warning: cache folder {blocked} can't be used" in done.stderr


def test_a_reader_that_goes_away_is_no_traceback():
    command = f"{sys.executable} -m playmill.cli.main simulate tictactoe --trace --playouts 300 | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr
