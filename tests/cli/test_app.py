"""The app as a whole: help at every width, the Tab key, one name for each option, JSON from whatever reports."""

import os
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from playmill.cli.app import app


def commands(group=None, path=()):
    """All commands by their words, such as ("oracle", "sim")."""
    group = group or typer.main.get_command(app)
    found = {}
    for name, command in group.commands.items():
        words = (*path, name)
        found.update(commands(command, words) if hasattr(command, "commands") else {words: command})
    return found


COMMANDS = commands()


def help_of(*words, columns):
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": str(columns)}, prog_name="playmill")
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_help_fits_the_terminal(columns):
    for words in ((), ("oracle",), ("diplomacy",), *COMMANDS):
        for line in help_of(*words, columns=columns).splitlines():
            assert len(line) <= columns, (words, line)


def test_narrow_help_still_names_every_option_and_its_default():
    for words, command in COMMANDS.items():
        shown = help_of(*words, columns=40).split()
        for name in options_of(command):
            assert f"--{name}" in shown, (words, name)
    assert "[default: all cores]" in " ".join(help_of("simulate", columns=40).split())


def test_a_command_without_words_shows_help():
    done = CliRunner().invoke(app, ["oracle"])
    assert done.exit_code == 2
    assert "Commands:" in done.stdout


def test_python_m_playmill_is_the_command():
    done = subprocess.run([sys.executable, "-m", "playmill", "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("playmill ")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("playmill dip", "diplomacy"), ("playmill simulate conn", "connect_four"), ("playmill run --se", "--set")],
)
def test_the_tab_key_completes_commands_games_and_options(typed, offered):
    words = {"_PLAYMILL_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    probe = [sys.executable, "-c", "import sys; sys.argv[0] = 'playmill'; from playmill.cli.main import main; main()"]
    done = subprocess.run(probe, capture_output=True, text=True, env={**os.environ, **words})
    assert done.stdout.split() == [offered]


# ------------------------------------------------------------------ one name for each option

# Every option of every command, by what it is about. A new option takes a name from here, or adds one for a new idea.
NAMES = {
    "what goes where": "out force rejects replay json docs set save resume every",
    "how much": "games playouts iterations iteration nodes movetime simulations seconds steps epochs count plies top wave",
    "with what": "workers executor ray-address device seed seed-set backend best-backend candidate-backend",
    "who": "model best candidate against seat kind policy strength twin power rung name game measure",
    "a solver": "proof check ko ko-threats wall-liberties max-empty table",
    "the search": "search best-search candidate-search candidates seasons polish-nodes",
    "the network": "hidden blocks channels margin togo",
    "learning": "batch-size lr bootstrap validation preset asymmetric asymmetric-sims",
    "the gate": "threshold unpaired sequential luck-reduced guardrail-points opening-plies",
    "simulate": "max-events time-limit until-sd until-variance until-percentiles transpositions trace",
    "positions": "position actions avail dice upper rerolls keep-comments",
    "Diplomacy": "rules max-year opening-phases temperature decay min-stalemate-year domination-centres domination-year",
    "EXCHANGE": "no-combo-bonus combo-bonus-per-attack combo-bonus-max",
    "a server": "bind threads max-batch max-wait-us metrics keys in-the-clear allow-missing owner key timeout infer infer-key",
    "a picture": "width title pace plot png",
    "a profile": "rate native idle torch",
    "other tools": "wandb tensorboard csv follow offline project after onnx pt",
    "a page": "port no-open puzzles kept",
    "mining": "settings limit budget",
    "an outside engine": "engine network config startup visits queries",
    "seeding": "sql stamp database floors per-floor",
    "other": "list compare no-peers complete write-golden",
}
# Names that were tried for what has another name now.
OTHER_NAMES = {"output": "out", "into": "out", "init": "best", "player": "kind"}

# What prints no report: a protocol, a game, a profile, a server, a screen, JSON lines, a picture, a page, a file to edit.
NO_REPORT = {
    ("config",), ("diplomacy", "engine"), ("diplomacy", "adjudicate"), ("diplomacy", "orders"), ("diplomacy", "export"),
    ("diplomacy", "draw"), ("play",), ("profile",), ("serve",), ("studio",), ("tui",),
    ("puzzles", "browse"), ("puzzles", "draw"),
}  # fmt: skip


def options_of(command):
    return {name.removeprefix("--") for parameter in command.params for name in parameter.opts if name.startswith("--")}


def test_every_option_has_one_name():
    known = {name for names in NAMES.values() for name in names.split()}
    for words, command in COMMANDS.items():
        for name in options_of(command):
            assert name not in OTHER_NAMES, f"{' '.join(words)}: --{name} is called --{OTHER_NAMES.get(name)} elsewhere"
            assert name in known, f"{' '.join(words)}: --{name} is a new name; is there one for it in this list?"


def test_every_command_that_reports_has_json():
    without = {words for words, command in COMMANDS.items() if "json" not in options_of(command)}
    assert without == NO_REPORT


def test_every_option_and_argument_is_explained():
    for words, command in COMMANDS.items():
        for parameter in command.params:
            assert parameter.help, (words, parameter.name)
