"""`play`: a person is a player like the others, may ask, take back, leave and come back; every game is kept."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from cli.invoking import assert_refused, contents, invoke
from playmill.games.registry import get_game
from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
from playmill.nets.model import build_net
from playmill.nets.pretrained import names_for
from playmill.nets.spec import NetSpec
from playmill.packs.registry import find_game
from playmill.replay.saved_game import read_saved
from terminals import read_to_the_end

pytestmark = pytest.mark.jit
GAMES = ["tictactoe", "connect_four", "yatzy", "exchange"]


def at_the_table(folder, lines, *words):
    """What is said when these lines are typed."""
    ended = invoke(["play", *words], folder, "".join(f"{line}\n" for line in lines))
    assert (ended.code, ended.err) == (0, ""), ended
    return ended.out


def kept(folder, name):
    """The kept game in a file, and the last state that its actions lead to."""
    path = folder / name
    saved = read_saved(path)
    return saved, saved.record(path, find_game(saved.game)).final


def boards(said):
    """The boards that were shown, in order."""
    return re.findall(r"\n\n(.*?(?:to move|over: [^\n]*))\n\n", said, re.DOTALL)


def test_a_whole_game_by_numbers_and_names(tmp_path):
    words = ["tictactoe", "--seed", "3"]
    # Whoever tries every square in turn finds a legal one.
    squares = [row * 3 + column for row in range(3) for column in range(3)]
    said = at_the_table(tmp_path, ["B2", *squares * 5], *words)
    assert "you have seat 0 against random" in said
    assert "the game is over, " in said
    again = at_the_table(tmp_path, ["4", *squares * 5], *words)
    assert said.replace("0001", "0002") == again
    first, second = (kept(tmp_path, f"games/tictactoe_{number:04d}.json") for number in (1, 2))
    assert first == second
    assert first[0].result == first[1].returns


def test_what_is_no_action_is_asked_again_and_the_end_of_input_leaves(tmp_path):
    said = at_the_table(tmp_path, ["pass"], "connect_four", "--seat", "1", "--seed", "1")
    assert "random: column" in said
    assert "'pass' is no legal action: expected the name or number of one, such as column 1" in " ".join(said.split())
    assert "left after 1 moves; saved in games/connect_four_0001.json" in " ".join(said.split())


def test_enter_alone_is_asked_again_without_a_word(tmp_path):
    said = at_the_table(tmp_path, ["", "  ", "b2", "q"], "tictactoe", "--seed", "3")
    assert said.count("your move") == 4
    assert "is no legal action" not in said


def test_nothing_is_kept_of_a_game_without_moves(tmp_path):
    said = at_the_table(tmp_path, ["q"], "tictactoe", "--seed", "5")
    assert "not saved, as nothing was played; --seed 5 gives the same game" in " ".join(said.split())
    assert contents(tmp_path) == {}


# ------------------------------------------------------------------ what can be asked


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("columns", [40, 80])
def test_every_command_of_every_game_fits_the_terminal(name, columns, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    asked = ["?", "? e2", "hint", "help", "board", "moves", "opinion", "eval", "save", "undo", "nonsense", ""]
    said = at_the_table(tmp_path, asked, name, "--seed", "2", "--simulations", "20")
    own = names_for(name)  # where a pretrained player comes with the package, it is asked
    assert (f"{own[0]}, " if own else "no model: the search knows the rules") in " ".join(said.split())
    assert all(form in said for form in find_game(name).legend)
    assert "there is nothing to take back" in said
    assert "nothing has been played yet" in said
    assert "\x1b" not in said
    drawn = {line for board in boards(said) for line in board.splitlines()}
    for line in said.splitlines():
        assert len(line) <= columns or line in drawn, line


def test_hints_are_grouped_by_piece_and_cut_to_what_was_asked(tmp_path):
    said = at_the_table(tmp_path, ["?", "? e2", "?g1", "? knight", "? zz"], "exchange", "--seed", "2")
    assert "  knight g1  g1f3  g1h3\n  pawn a2    a2a3  a2a4\n" in said
    answers = [answer.strip().splitlines() for answer in said.split("your move (? for hints): ")[2:]]
    assert answers[0] == ["pawn e2  e2e3  e2e4"]
    assert answers[1] == ["knight g1  g1f3  g1h3"]
    assert [line.split()[1] for line in answers[2]] == ["b1", "g1"]
    assert answers[3] == ["no legal move is listed under 'zz'; ? alone lists all"]


def test_an_illegal_move_is_answered_with_those_of_its_piece(tmp_path):
    said = at_the_table(tmp_path, ["e2e5"], "exchange", "--seed", "2")
    assert "'e2e5' is illegal: of White's pawn on e2 legal moves are e2e3, e2e4" in said


def test_the_last_moves_say_what_they_did(tmp_path):
    said = at_the_table(tmp_path, ["d2d4", "b1c3", "moves"], "exchange", "--seed", "3", "--against", "greedy")
    line = "greedy: d8h4!xh2, die 1: White's rook on h1 interposes, -2 HP, has 11, White's pawn on h2 -2 HP, has 5, Black's "
    assert line in " ".join(said.split())
    assert "  4. greedy: d8h4!xh2, die 1:" in said


def test_a_network_gives_its_opinion(tmp_path):
    game, spec = get_game("tictactoe"), NetSpec(kind="mlp", hidden=16, blocks=0)
    save_checkpoint(tmp_path / "net.pt", make_checkpoint(game, spec, build_net(game, spec)))
    for words in (["--against", "net.pt"], ["--model", "net.pt"]):
        said = at_the_table(tmp_path, ["opinion", "b2", "opinion"], "tictactoe", "--simulations", "16", *words)
        assert "no model" not in said
        assert len(re.findall(r"the position is worth [+-]\d\.\d\d\d to you; it would play \w\d", said)) == 2
        assert "what  visits   value  policy" in said


# ------------------------------------------------------------------ taking back


@pytest.mark.parametrize("against", ["random", "greedy"])
def test_undo_leads_back_to_the_same_state_and_the_same_game(against, tmp_path):
    moves = ["e2e4", "b1c3", "g1f3"]
    words = ["exchange", "--seed", "8", "--against", against]
    at_the_table(tmp_path, moves, *words, "--save", "straight.json")
    at_the_table(
        tmp_path, [*moves[:2], "undo", "undo", *moves[:2], "d2d4", "undo", "board", moves[2]], *words, "--save", "back.json"
    )
    (straight, there), (back, again) = (kept(tmp_path, name) for name in ("straight.json", "back.json"))
    assert bytes(there) == bytes(again)
    assert straight == back


def test_undo_is_exact_against_a_search_with_a_kept_tree(tmp_path):
    game, spec = get_game("connect_four"), NetSpec(kind="mlp", hidden=16, blocks=0)
    save_checkpoint(tmp_path / "net.pt", make_checkpoint(game, spec, build_net(game, spec)))
    words = ["connect_four", "--seed", "8", "--against", "net.pt", "--simulations", "40", "--search", "puct"]
    at_the_table(tmp_path, ["4", "3", "5", "1"], *words, "--save", "straight.json")
    at_the_table(tmp_path, ["4", "3", "5", "undo", "undo", "3", "5", "7", "undo", "1"], *words, "--save", "back.json")
    assert kept(tmp_path, "straight.json") == kept(tmp_path, "back.json")


def test_what_was_taken_back_is_not_kept(tmp_path):
    said = at_the_table(tmp_path, ["4", "3", "undo"], "connect_four", "--seed", "8", "--save", "a.json")
    assert "taken back: move 3 is yours again" in said
    shown = boards(said)
    assert shown[1] == shown[3] != shown[2]
    assert len(kept(tmp_path, "a.json")[0].actions) == 2
    at_the_table(tmp_path, ["4", "undo"], "connect_four", "--seed", "8", "--save", "b.json")
    assert kept(tmp_path, "b.json")[0].actions == ()


def test_the_last_decision_of_a_finished_game_can_be_taken_back(tmp_path):
    lines = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    over = at_the_table(tmp_path, lines, "tictactoe", "--seed", "4", "--save", "a.json")
    assert "the game is over" in over
    plies = len(kept(tmp_path, "a.json")[0].actions)
    back = at_the_table(tmp_path, [*lines, "moves", "undo"], "tictactoe", "--seed", "4", "--save", "b.json")
    saved, state = kept(tmp_path, "b.json")
    assert "so 'b1' can't be played; undo takes your last decision back" in " ".join(back.split()) or plies >= 8
    assert plies - 2 <= len(saved.actions) < plies
    assert not state.is_over


# ------------------------------------------------------------------ keeping and going on


@pytest.mark.parametrize("name", GAMES)
def test_a_kept_game_goes_on_as_if_nobody_had_left(name, tmp_path):
    state, lines = get_game(name).new(7), []
    firsts = {
        "tictactoe": ["b2", "a1", "c1", "a3"],
        "connect_four": ["4", "4", "2", "1"],
        "exchange": ["e2e4", "d2d4", "b1c3", "g1f3"],
    }
    lines = firsts.get(name, ["reroll", "reroll", "chance", "reroll"])
    at_the_table(tmp_path, lines, name, "--seed", "7", "--save", "whole.json")
    at_the_table(tmp_path, lines[:2], name, "--seed", "7", "--save", "parts.json")
    before = kept(tmp_path, "parts.json")[0].actions
    said = at_the_table(tmp_path, lines[2:], name, "--resume", "parts.json")
    assert f"going on after move {len(before)}" in " ".join(said.split())
    (whole, there), (parts, again) = (kept(tmp_path, each) for each in ("whole.json", "parts.json"))
    assert whole.actions[: len(before)] == before
    assert bytes(there) == bytes(again)
    assert whole == parts
    assert state.seed == whole.seed


def test_a_game_can_go_on_against_somebody_else_in_another_file(tmp_path):
    at_the_table(tmp_path, ["e2e4"], "exchange", "--seed", "7", "--save", "a.json")
    old = (tmp_path / "a.json").read_bytes()
    at_the_table(tmp_path, ["d2d4"], "exchange", "--resume", "a.json", "--save", "b.json", "--against", "greedy")
    assert (tmp_path / "a.json").read_bytes() == old
    saved, _ = kept(tmp_path, "b.json")
    assert (saved.against.bot, saved.seats, len(saved.actions)) == ("greedy", ("you", "greedy"), 4)


def test_copies_replace_nothing(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    said = at_the_table(tmp_path, ["b2", "save copy.json", "save mine.txt", "save copy.json"], "tictactoe", "--save", "a.json")
    assert said.count("there is a file already") == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert (tmp_path / "copy.json").read_bytes() == (tmp_path / "a.json").read_bytes()
    refused = invoke(["play", "tictactoe", "--save", "a.json"], tmp_path)
    assert_refused(refused, (2,))
    assert "replace it with --force" in refused.err
    assert invoke(["play", "tictactoe", "--save", "a.json", "--force", "--seed", 1], tmp_path, "a1\n").code == 0
    assert kept(tmp_path, "a.json")[0].texts[0] == "a1"
    assert_refused(invoke(["play", "tictactoe", "--resume", "a.json", "--save", "a.json", "--force"], tmp_path), (2,))


def test_a_folder_that_can_not_be_written_spoils_no_game(tmp_path):
    (tmp_path / "games").write_text("a file where the folder should be")
    said = at_the_table(tmp_path, ["b2"], "tictactoe", "--seed", "3")
    assert "left after 2 moves; not saved (games" in " ".join(said.split())


CHANGES = [
    ({"format": "playmill.replay"}, "format: expected 'playmill.game', got 'playmill.replay'"),
    ({"version": 2}, "version: expected at most 1, got 2; a newer playmill wrote it"),
    ({"game": "connect_four"}, "game: expected 'tictactoe', got 'connect_four'"),
    ({"ruleset": "house_rules"}, "ruleset: expected 'tictactoe_v1', got 'house_rules'"),
    ({"seats": ["you"]}, "seats: expected 2, got 1"),
    ({"person": 2}, "person: expected a seat from 0 to 1, got 2"),
    ({"person": -1}, "person: expected at least 0, got -1"),
    ({"seed": -1}, "seed: expected at least 0"),
    ({"seed": 1 << 64}, "seed: expected below 18446744073709551616"),
    ({"actions": [4, 4], "texts": ["b2", "b2"]}, "move 2 can't be played again: tictactoe: action 4 is illegal"),
    ({"texts": ["b2"]}, "texts: expected 2, got 1"),
    ({"key": "00"}, "key: expected '"),
    ({"result": [1.0, -1.0]}, "result: expected None, got (1.0, -1.0)"),
    ({"more": 1}, "more: unknown key"),
    ({"against": {"bot": "random", "simulations": 0}}, "against.simulations: expected at least 1, got 0"),
    ({"against": {"bot": "nobody"}}, "tictactoe: unknown bot 'nobody'"),
]


@pytest.mark.parametrize(("change", "line"), CHANGES, ids=lambda value: str(value)[:40])
def test_a_file_that_is_no_such_game_is_refused_in_a_line(change, line, tmp_path):
    at_the_table(tmp_path, ["b2"], "tictactoe", "--seed", "3", "--save", "a.json")
    content = json.loads((tmp_path / "a.json").read_text())
    (tmp_path / "a.json").write_text(json.dumps({**content, **change}))
    before = contents(tmp_path)
    refused = invoke(["play", "tictactoe", "--resume", "a.json"], tmp_path)
    assert_refused(refused)
    assert line in refused.err
    assert contents(tmp_path) == before


def test_a_finished_game_is_not_gone_on_with(tmp_path):
    lines = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    at_the_table(tmp_path, lines, "tictactoe", "--seed", "4", "--save", "a.json")
    refused = invoke(["play", "tictactoe", "--resume", "a.json"], tmp_path)
    assert_refused(refused, (2,))
    assert "the game is over, " in refused.err


# ------------------------------------------------------------------ a terminal


def in_a_terminal(folder, words, lines, columns=80, **variables):
    """What a terminal shows when these lines are typed after one another, and the exit code; None presses Ctrl-C."""
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "playmill.cli.main", "play", *words]
    environment = {**os.environ, "COLUMNS": str(columns), "LINES": "24", "TERM": "xterm-256color", **variables}
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, cwd=folder)
    shown = b""
    for line in lines:
        while b"? for hints): " not in shown.rpartition(b"\n")[2]:
            shown += os.read(screen, 65536)
        if line is None:
            process.send_signal(signal.SIGINT)
        else:
            os.write(screen, f"{line}\n".encode())
            shown += b"\n"
        time.sleep(0.05)
    shown += read_to_the_end(process, screen, terminal)
    return shown.decode(errors="replace"), process.wait(timeout=60)


@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_gets_colours_and_bars(columns, tmp_path):
    shown, code = in_a_terminal(tmp_path, ["exchange", "--seed", "3"], ["e2e4", "q"], columns)
    assert code == 0
    assert "\x1b[1;38;5;208mK25\x1b[0m" in shown
    assert "\x1b[38;5;71m━" in shown
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "")
    boards_shown = [line for line in plain.splitlines() if re.match(r"  [1-8 ]  [. KQRBNPkqrbnp━]", line)]
    assert len(boards_shown) >= 16
    assert max(map(len, boards_shown)) <= columns


def test_a_terminal_that_wants_no_colours_gets_none(tmp_path):
    shown, _ = in_a_terminal(tmp_path, ["exchange", "--seed", "3"], ["q"], NO_COLOR="1")
    assert "\x1b[1;38" not in shown
    assert "K25" in shown


def test_ctrl_c_leaves_a_kept_game(tmp_path):
    shown, code = in_a_terminal(tmp_path, ["connect_four", "--seed", "3"], ["4", None])
    assert code == 130
    assert "saved in games/connect_four_0001.json" in shown
    assert "Traceback" not in shown
    assert len(kept(tmp_path, "games/connect_four_0001.json")[0].actions) == 2
