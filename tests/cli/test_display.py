"""What `playmill run` shows: on a terminal where the run is, elsewhere a line for each phase."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from playmill.cli.display import Live, PlainDisplay, closing_line
from playmill.runs.entries import GateEntry, MeasureEntry, PlayerEntry, SelfPlayEntry, TrainEntry
from playmill.runs.folder import PHASES, Iteration, Manifest
from playmill.runs.status import Status
from terminals import read_to_the_end

CHAOS = Path(__file__).parents[1] / "pipeline" / "chaos.yaml"

SELFPLAY = SelfPlayEntry(model="m", games=1000, samples=74_000, played=1000, games_s=227.31)
TRAIN = TrainEntry(
    steps=500, samples=74_000, snapshot=["shard_000000.safetensors"], snapshot_hash="h", weights_sha256="w", samples_s=31_240.4,
    losses={"total": 0.8123, "policy": 0.6},
)  # fmt: skip
GATE = GateEntry(
    games=400, wins=220, losses=170, draws=10, win_rate=0.5625, interval=(0.51, 0.61), promote=True, reason="it is better",
    seed_set="derived", seeds_hash="h",
)  # fmt: skip


ROLES = "teacher (puct)", "student (one_ply)"
REFUSED = GATE.model_copy(update={"promote": False})


def measured(mean):
    fair = {"mean": mean, "low": mean - 1.9, "high": mean + 1.9}
    fields = {
        "expected_score": 248.44,
        "boards": {"fair": fair},
        "choices": {"all": {"mean_regret": 0.212}},
        "against_oracle": {"fair": {"mean": 0.4, "low": 0.3, "high": 0.5}},
    }
    return MeasureEntry(games=200, seed=1, models={}, results={"oracle": {"best": fields}})


def make_manifest(**fields):
    done = [
        Iteration(number=0, selfplay=SELFPLAY, train=TRAIN, gate=GATE, measure=measured(191.5)),
        Iteration(number=1, selfplay=SELFPLAY, train=TRAIN, gate=REFUSED, measure=measured(229.2)),
    ]
    known = {"run_id": "r", "ruleset": "r", "action_space": "a", "feature_schema": 1, "seed": 0, "settings_hash": "h"}
    now = {
        "game": "yatzy",
        "phase": "train",
        "iterations_done": 2,
        "iterations": [*done, Iteration(number=2, selfplay=SELFPLAY)],
    }
    return Manifest(**{**known, **now, **fields})


def make_status(**fields):
    return Status(**{"run_id": "r", "iterations": 9, "phases": tuple(PHASES), **fields})


@pytest.fixture
def screen():
    display = Live(Path("runs/x"), Console(width=110, force_terminal=False, color_system=None))

    def draw():
        with display.console.capture() as capture:
            display.console.print(display.render())
        return capture.get()

    display.draw = draw
    display.begin(make_manifest(), make_status())
    return display


def test_the_screen_says_where_the_run_is_and_what_came_before(screen):
    shown = screen.draw()
    for words in ("yatzy · runs/x", "iteration 3 of 9", "✓ self-play", "● training", "○ gate", "○ measurement"):
        assert words in shown
    for words in ("227.3", "0.8123", "56.2%", "51% to 61%", "229.20 ± 1.90", "0.212", "✓", "–"):
        assert words in shown
    assert "191.50 to 229.20 points; best play, 248.44" in shown
    assert "measured   229.20 ± 1.90 points a game" in shown


@pytest.mark.parametrize(
    ("name", "facts", "words"),
    [
        ("selfplay", {}, ["300 of 400 games", "games/s 50.0", "0:02 left"]),
        (
            "train",
            {"loss_total": 0.25, "loss_value": 0.1, "samples_s": 31240.0},
            ["samples/s 31,240", "loss 0.2500", "value 0.1"],
        ),
        (
            "gate",
            {"win_rate": 0.5625, "ratio": 1.72, "reject_at": -2.94, "accept_at": 2.94},
            ["pairs 150", "win rate 56.2%", "sequential test +1.72 in -2.94 to 2.94"],
        ),
        ("measure", {"win_rate": 0.4, "mean_score": 233.4}, ["mean score 233.4", "win rate 40.0%"]),
    ],
)
def test_a_phase_under_way_shows_its_own_figures(screen, name, facts, words):
    manifest, status, _ = screen.shown
    manifest.phase = status.phase = name
    status.done, status.total, status.rate, status.facts = 300, 400, 50.0, facts
    shown = screen.draw()
    for word in (*words, f"{PHASES[name]}  "):
        assert word in shown
    assert "…" not in shown
    status.phase = None
    assert "300 of 400" not in screen.draw()


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_a_narrow_screen_leaves_out_rather_than_cuts_short(columns):
    display = Live(Path("runs/x"), Console(width=columns, force_terminal=False, color_system=None))
    display.begin(make_manifest(), make_status(phase="train", done=300, total=400, facts={"loss_total": 0.25}))
    with display.console.capture() as capture:
        display.console.print(display.render())
    shown = capture.get()
    assert max(map(len, shown.splitlines())) <= columns
    assert "…" not in shown
    for words in ("iteration 3 of 9", "300 of 400 steps", "56.2%", "229.20"):
        assert words in shown


@pytest.mark.parametrize(("height", "first"), [(60, 3), (24, 4), (20, 8)])
def test_a_low_terminal_shows_fewer_iterations_and_all_else(height, first):
    display = Live(Path("runs/x"), Console(width=80, height=height, force_terminal=False, color_system=None))
    entry = Iteration(number=0, selfplay=SELFPLAY, train=TRAIN, gate=GATE, measure=measured(191.5))
    done = [entry.model_copy(update={"number": number}) for number in range(10)]
    manifest = make_manifest(iterations=done, iterations_done=10)
    display.begin(manifest, make_status(phase="train", done=300, total=400, facts={"loss_total": 0.25}))
    with display.console.capture() as capture:
        display.console.print(display.render())
    lines = capture.get().splitlines()
    rows = [int(match[1]) for line in lines if (match := re.match(r"│ +(\d+) +227\.3", line))]
    assert len(lines) <= height
    assert rows == list(range(first, 11))
    assert any("measured" in line for line in lines)


TEACHER = PlayerEntry(games=1000, wins=620, losses=297, draws=83, mean_plies=81.4)
STUDENT = PlayerEntry(games=1000, wins=297, losses=620, draws=83, mean_plies=81.4)
TAUGHT = SELFPLAY.model_copy(update={"results": {"best": TEACHER, "opponent": STUDENT}})


@pytest.mark.parametrize(("columns", "is_there"), [(60, False), (80, True), (100, True)])
def test_how_two_players_fared_has_a_column_where_there_is_room(columns, is_there):
    display = Live(Path("runs/x"), Console(width=columns, force_terminal=False, color_system=None))
    display.begin(make_manifest(iterations=[Iteration(number=0, selfplay=TAUGHT, train=TRAIN, gate=GATE)]), make_status())
    with display.console.capture() as capture:
        display.console.print(display.render())
    shown = capture.get()
    assert ("best w/l/d" in shown, "62/30/8 %" in shown) == (is_there, is_there)
    assert "…" not in shown


def test_a_run_with_one_player_has_no_column_for_two(screen):
    assert "w/l/d" not in screen.draw()


def test_a_line_says_how_two_players_fared_and_who_played_a_bootstrap():
    words = "; teacher (puct) won 62.0%, student (one_ply) 29.7%, drawn 8.3%, 81 plies"
    assert closing_line(TAUGHT, "yatzy", ROLES).endswith(f"games/s{words}")
    assert closing_line(SELFPLAY.model_copy(update={"bot": "greedy"}), "yatzy", ROLES).endswith("games/s; by greedy")


def test_a_teacher_and_its_student_are_called_so(tmp_path):
    (tmp_path / "config.yaml").write_text("game: yatzy\nselfplay: {opponent: {share: 1, search: {kind: one_ply}}}\n")
    display = Live(tmp_path, Console(width=100, force_terminal=False, color_system=None))
    display.begin(make_manifest(iterations=[Iteration(number=0, selfplay=TAUGHT, train=TRAIN, gate=GATE)]), make_status())
    with display.console.capture() as capture:
        display.console.print(display.render())
    assert "teacher w/l/d" in capture.get()


def test_any_moment_of_a_run_can_be_drawn(screen):
    for manifest in (make_manifest(iterations=[], iterations_done=0, phase="new"), make_manifest(phase="done")):
        screen.begin(manifest, make_status())
        assert "runs/x" in screen.draw()
    game = make_manifest(game="connect_four", iterations=[Iteration(number=0, selfplay=SELFPLAY)], iterations_done=0)
    screen.begin(game, make_status(phases=("selfplay", "train", "gate")))
    shown = screen.draw()
    assert "measurement" not in shown
    assert "points" not in shown


def test_without_a_terminal_each_phase_gives_a_line(capsys):
    display = PlainDisplay(Path("runs/x"))
    display.begin(make_manifest(), make_status())
    for name, entry in (("selfplay", SELFPLAY), ("train", TRAIN), ("gate", GATE), ("measure", measured(229.2))):
        display.finished(name, entry)
    assert capsys.readouterr().err.splitlines() == [
        "iteration 3/9 self-play: 1,000 games, 74,000 samples, 227.3 games/s",
        "iteration 3/9 training: 500 steps, 31,240 samples/s; losses: total 0.8123, policy 0.6000",
        "iteration 3/9 gate: 56.2% of 400 games, promoted: it is better",
        "iteration 3/9 measurement: 229.20 ± 1.90 points a game without luck, 0.2120 given away a decision",
    ]


def test_games_played_before_have_no_rate():
    assert closing_line(SELFPLAY.model_copy(update={"games_s": None}), "yatzy", ROLES).endswith("all of them played before")


@pytest.mark.jit
def test_a_terminal_sees_the_run_live(tmp_path):
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "playmill.cli.main", "run", str(CHAOS), "--out", str(tmp_path / "run")]
    variables = {**os.environ, "COLUMNS": "100", "LINES": "40", "TERM": "xterm"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env=variables)
    shown = read_to_the_end(process, screen, terminal).decode(errors="replace")
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert "3 iterations, 36 games, 18 steps\nnext:\n  playmill report " in out.decode()
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    for words in ("● self-play", "● training", "iteration 1 of 3", "finished"):
        assert words in plain
