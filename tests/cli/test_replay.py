"""`replay show` and `replay draw`: a recorded game as text, as data, as an animated picture, as a page."""

import json
import os
import pty
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from cli.invoking import assert_refused, contents, invoke
from playmill.games.registry import get_game
from playmill.replay import read_shard
from playmill.replay.shard_games import read_game
from terminals import read_to_the_end

pytestmark = pytest.mark.jit
TINY = """
game: {game}
net: {{kind: mlp, hidden: 16, blocks: 1}}
search: {{kind: puct, puct: {{budget: 6}}}}
selfplay: {{games: 3, shard_games: 3, lanes: 3}}
"""
SHARD = "run/replay/shard_000000.safetensors"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A shard of connect four, and kept games of every kind."""
    root = tmp_path_factory.mktemp("replay")
    (root / "tiny.yaml").write_text(TINY.format(game="connect_four"))
    assert invoke(["selfplay", "tiny.yaml", "--out", "run"], root).code == 0
    lines = {"exchange": "e2e4\nd2d4\nb1c3\n", "yatzy": "reroll\nreroll\nchance\n", "tictactoe": "b2\n"}
    for name, typed in lines.items():
        assert invoke(["play", name, "--seed", 3, "--save", f"{name}.json"], root, typed).code == 0
    return root


def test_a_shard_is_played_again_and_says_what_the_search_thought(folder):
    data, meta = read_shard(folder / SHARD)
    for row in range(3):
        record = read_game(folder / SHARD, get_game("connect_four"), row)
        table = data.games
        assert [move.action for move in record.moves] == table.actions[slice(*table.action_offset[row : row + 2])].tolist()
        assert record.returns == tuple(table.game_returns[row].tolist())
        rows = np.flatnonzero(data.samples.game == row)
        for i in rows.tolist():
            move = record.moves[int(data.samples.ply[i])]
            assert move.state.record.tobytes() == data.samples.state[i].tobytes()
            span = slice(*data.samples.policy_offset[i : i + 2])
            stored = dict(zip(data.samples.policy_action[span].tolist(), data.samples.policy_prob[span].tolist(), strict=True))
            assert dict(move.note.policy) == stored
            assert [share for _, share in move.note.policy] == sorted(stored.values(), reverse=True)
            value = float(data.samples.targets[i, meta.target_names.index("q")])
            assert move.value_to(move.state.to_move) == value
            assert move.value_to(1 - move.state.to_move) == -value


def test_without_a_terminal_every_ply_is_printed(folder):
    shown = invoke(["replay", "show", SHARD, "--game", 1], folder)
    assert (shown.code, shown.err) == (0, "")
    record = read_game(folder / SHARD, get_game("connect_four"), 1)
    assert "\x1b" not in shown.out
    places = re.findall(r"^after (\d+) of (\d+) moves$", shown.out, re.MULTILINE)
    assert places == [(str(i), str(len(record.moves))) for i in range(len(record.moves) + 1)]
    for state in record.states:
        assert f"\n{state}\n" in shown.out
    assert shown.out.count("search: worth ") == len(record.moves)
    assert shown.out.rstrip().endswith(record.result_text())


def test_the_meta_file_means_its_shard_and_the_first_game_is_the_default(folder):
    first = invoke(["replay", "show", SHARD, "--game", 0], folder).out
    assert invoke(["replay", "show", SHARD], folder).out == first
    assert invoke(["replay", "show", SHARD.replace(".safetensors", ".meta.json")], folder).out == first


def test_the_game_as_data(folder):
    facts = json.loads(invoke(["replay", "show", SHARD, "--game", 2, "--json"], folder).out)
    record = read_game(folder / SHARD, get_game("connect_four"), 2)
    assert (facts["game"], facts["number"], facts["seed"], facts["players"]) == ("connect_four", 2, record.seed, ["best"])
    assert [move["action"] for move in facts["moves"]] == [move.action for move in record.moves]
    assert [move["position"] for move in facts["moves"]] == [move.state.line for move in record.moves]
    assert all(abs(sum(entry["policy"] for entry in move["policy"]) - 1) < 1e-5 for move in facts["moves"])
    assert facts["returns"] == list(record.returns)
    kept = json.loads(invoke(["replay", "show", "exchange.json", "--json"], folder).out)
    assert (kept["seats"], kept["returns"], kept["person"]) == (["you", "random"], None, 0)
    assert [move["who"] for move in kept["moves"]] == ["you", "random"] * 3


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([SHARD, "--game", "3"], "--game: expected one of games 0 to 2, got 3"),
        (["exchange.json", "--game", "1"], "--game: expected 0, as the file holds one game, got 1"),
        (["run"], "run: expected a file, got a folder; a run's games are in its replay/shard_*.safetensors"),
    ],
)
def test_a_game_that_is_not_there_is_refused_with_those_that_are(words, line, folder):
    for command in (["show"], ["draw", "--out", "new.svg"]):
        refused = invoke(["replay", *command, *words], folder)
        assert_refused(refused, (2,))
        assert line in refused.err


def test_a_damaged_shard_is_refused(folder, tmp_path):
    for name in ("shard_000000.safetensors", "shard_000000.meta.json"):
        (tmp_path / name).write_bytes((folder / SHARD).with_name(name).read_bytes())
    path = tmp_path / "shard_000000.safetensors"
    whole = path.read_bytes()
    for content, line in ((whole[:-9], "torn: expected"), (whole[:-1] + b"x", "damaged: expected sha256")):
        path.write_bytes(content)
        refused = invoke(["replay", "show", path], tmp_path)
        assert_refused(refused, (1,))
        assert line in refused.err
    path.unlink()
    assert_refused(invoke(["replay", "show", path], tmp_path))


# ------------------------------------------------------------------ step by step


def stepped(folder, lines):
    """What a terminal shows of the kept game of tic-tac-toe."""
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "playmill.cli.main", "replay", "show", "tictactoe.json"]
    environment = {**os.environ, "COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, cwd=folder)
    shown = b""
    for line in lines:
        while b"q: quit: " not in shown.rpartition(b"\n")[2]:
            shown += os.read(screen, 65536)
        os.write(screen, f"{line}\n".encode())
        shown += b"\n"
    shown += read_to_the_end(process, screen, terminal)
    assert process.wait(timeout=60) == 0
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


def test_a_terminal_steps_through_the_game(folder):
    shown = stepped(folder, ["", "n", "n", "b", "0", "jump 2", "9", "what", "p", "q"])
    places = [int(place) for place in re.findall(r"after (\d) of 2 moves", shown)]
    assert places == [0, 1, 2, 2, 1, 0, 2, 2, 2, 2]
    assert shown.count("with a number from 0 to 2; got '") == 2
    assert "last:   1. you: b2" in shown
    assert "the end: unfinished after 2 moves" in shown


# ------------------------------------------------------------------ pictures


@pytest.mark.parametrize("name", ["connect_four", "exchange", "yatzy", "tictactoe"])
def test_a_game_is_drawn_as_an_animated_picture_and_as_a_page(name, folder, tmp_path):
    source = folder / (SHARD if name == "connect_four" else f"{name}.json")
    plies = len(json.loads(invoke(["replay", "show", source, "--json"], folder).out)["moves"])
    for kind in ("svg", "html"):
        words = ["replay", "draw", source, "--out", f"game.{kind}"]
        facts = json.loads(invoke([*words, "--json"], tmp_path).out)
        text = (tmp_path / f"game.{kind}").read_text()
        assert (facts["pictures"], facts["plies"], facts["bytes"]) == (plies + 1, plies, len(text.encode()))
        assert not re.search(r"""(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org/)""", text)
        assert_refused(invoke(words, tmp_path), (2,))
        assert invoke([*words, "--force"], tmp_path).code == 0
        assert (tmp_path / f"game.{kind}").read_text() == text
    ET.fromstring((tmp_path / "game.svg").read_text())


def test_every_so_many_moves_are_drawn_and_the_last_one(folder, tmp_path):
    record = read_game(folder / SHARD, get_game("connect_four"))
    ended = invoke(["replay", "draw", folder / SHARD, "--out", "a.html", "--every", 4], tmp_path)
    assert ended.code == 0
    plies = page_data(tmp_path / "a.html")["plies"]
    assert plies == sorted({*range(0, len(record.moves), 4), len(record.moves)})


def page_data(path):
    return json.loads(re.search(r'<script type="application/json" id="game">(.*?)</script>', path.read_text(), re.DOTALL)[1])


def test_the_page_is_made_of_the_games_own_pictures(folder, tmp_path):
    assert invoke(["replay", "draw", folder / SHARD, "--out", "a.html"], tmp_path).code == 0
    data, record = page_data(tmp_path / "a.html"), read_game(folder / SHARD, get_game("connect_four"))
    for i in range(len(record.moves) + 1):
        shown = data["open"] + "".join(data["groups"][number] for number in data["frames"][i]) + "</svg>"
        wanted = [ET.tostring(child) for child in ET.fromstring(record.picture(i)) if not child.tag.endswith("title")]
        found = [
            ET.tostring(child) for child in ET.fromstring(shown.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))
        ]
        assert found == wanted
    assert [move["text"] for move in data["moves"]] == [move.text for move in record.moves]


def test_a_game_without_a_picture_is_refused(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(get_game("tictactoe"), "_picture", None)
    refused = invoke(["replay", "draw", folder / "tictactoe.json", "--out", "a.svg"], tmp_path)
    assert_refused(refused, (2,))
    assert "tictactoe: the game has no picture to draw" in refused.err
    assert contents(tmp_path) == {}


def test_a_file_that_would_be_too_large_is_refused(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("playmill.cli.replay.MAX_BYTES", 4096)
    refused = invoke(["replay", "draw", folder / SHARD, "--out", "a.svg"], tmp_path)
    assert_refused(refused, (2,))
    assert "--every 2 draws fewer" in refused.err
    assert contents(tmp_path) == {}
