"""`playmill games`, `new-game`, `check-game`, `perft`: what they print, and one line for what goes wrong."""

from __future__ import annotations

import json

import pytest

import broken_games
from commands import runner
from playmill.cli import games
from playmill.core.errors import ContractError, UnknownName, UsageError
from playmill.games.game import Game
from playmill.games.kit.promises import PROMISES

run = runner(games)


def test_games_lists_them_one_a_line():
    lines = run("games").splitlines()
    assert lines[0].split() == ["game", "players", "actions", "source", "title"]
    assert next(line for line in lines if line.startswith("yatzy")).split()[:5] == ["yatzy", "2", "47", "built", "in"]


def test_games_lists_diplomacy_and_names_its_commands():
    row = next(line for line in run("games").splitlines() if line.startswith("diplomacy"))
    assert row.split()[1:3] == ["7", "-"]
    assert "playmill diplomacy" in row


def test_games_as_json():
    rows = {row["name"]: row for row in json.loads(run("games", "--json"))}
    assert rows["tictactoe"]["actions"] == 9
    assert rows["tictactoe"]["source"] == "built in"
    assert rows["tictactoe"]["problem"] is None


def test_games_lists_presets_as_lines_and_as_json():
    presets = {row["name"]: row["presets"] for row in json.loads(run("games", "--json"))}
    assert list(presets["exchange"]) == ["tiny", "small", "medium", "large"]
    assert presets["tictactoe"] == {}
    assert f"exchange --preset tiny: {presets['exchange']['tiny']}" in run("games").splitlines()


def test_new_game_says_what_it_wrote_and_what_comes_next(tmp_path):
    lines = run("new-game", "shells", "--out", tmp_path).splitlines()
    assert lines[2] == str(tmp_path / "shells" / "src" / "shells" / "__init__.py")
    files, commands = lines[: lines.index("next:")], lines[lines.index("next:") + 1 :]
    assert all((tmp_path / line).exists() for line in files)
    assert commands == [f"  pip install -e {tmp_path}/shells", "  playmill check-game shells", "  playmill simulate shells"]


def test_check_game_ticks_what_it_checked_and_nothing_else():
    lines = run("check-game", "tictactoe", "--games", 2, "--twin", "naive.tictactoe:TicTacToe").splitlines()
    told = [line.split(maxsplit=1) for line in lines]
    assert [name.partition(":")[0] for _, name in told] == list(PROMISES)
    assert "- points are filled: nothing to check, the game has no 'points' kernel" in lines
    assert "✓ the twin agrees" in lines
    assert "- the twin agrees: nothing to check, no twin was given" in run("check-game", "tictactoe", "--games", 2)


def test_check_game_as_json():
    found = json.loads(run("check-game", "tictactoe", "--games", 2, "--json"))
    assert "games end" in found["kept"]
    assert found["unchecked"]["the twin agrees"] == "no twin was given"


def test_check_game_stops_at_a_broken_promise():
    with pytest.raises(ContractError, match="stuck: broken promise 'legal actions in order'") as caught:
        run("check-game", "broken_games:STUCK")
    assert caught.value.exit_code == 2


def test_check_game_writes_a_playthrough_only_for_a_sound_game(monkeypatch, tmp_path):
    monkeypatch.setattr(Game, "golden_path", property(lambda game: tmp_path / f"{game.name}.json"))
    assert f"wrote {tmp_path / 'sound.json'}" in run("check-game", "broken_games:SOUND_GAME", "--games", 3, "--write-golden")
    with pytest.raises(ContractError):
        run("check-game", "broken_games:COARSE", "--write-golden")
    assert not broken_games.COARSE.golden_path.exists()


def test_perft_counts_positions_and_complete_games():
    assert run("perft", "tictactoe", "--plies", 3) == "ply 0: 1\nply 1: 9\nply 2: 72\nply 3: 252\n"
    assert run("perft", "tictactoe", "--plies", 5, "--complete") == "1440 complete games of at most 5 plies\n"


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["perft", "yatzy", "--plies", 3], UsageError, "without chance"),
        (["perft", "chess", "--plies", 3], UnknownName, "unknown game 'chess'"),
        (["perft", "tictactoe", "--plies", 0], UsageError, "plies: expected a whole number above 0"),
        (["check-game", "tictactoe", "--twin", "nowhere:Twin"], UsageError, "twin 'nowhere:Twin' can't be loaded"),
        (["check-game", "tictactoe", "--games", 0], UsageError, "games: expected a whole number above 0"),
        (["new-game", "yatzy"], UsageError, "registered game already"),
    ],
)
def test_bad_input_is_one_line(words, error, message):
    with pytest.raises(error, match=message) as caught:
        run(*words)
    assert "\n" not in str(caught.value)
