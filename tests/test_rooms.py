"""The rooms look downwards only, and those of the engine know no game."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from playmill.games.registry import BUILT_IN, DIPLOMACY

SOURCE = Path(__file__).parent.parent / "src" / "playmill"
ENGINE = ("search", "nets", "play", "arena", "selfplay", "train", "replay", "pipeline")
# As it is registered, and as people write it: connect_four, connect four, ConnectFour. Seats that are exchanged are no game.
NAMES = "|".join(name.replace("_", "[ _-]?") for name in (*BUILT_IN, DIPLOMACY.name))
GAMES = re.compile(rf"({NAMES})(?!d\b)", re.IGNORECASE)


def test_import_contract_holds():
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("room", ENGINE)
def test_a_room_of_the_engine_names_no_game(room):
    lines = ((path, number, line) for path in (SOURCE / room).rglob("*.py") for number, line in _lines(path))
    named = [f"{path.relative_to(SOURCE)}:{number}: {line.strip()}" for path, number, line in lines if GAMES.search(line)]
    assert named == []


def _lines(path):
    return enumerate(path.read_text().splitlines(), start=1)
