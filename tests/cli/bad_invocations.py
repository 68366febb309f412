"""Hundreds of invocations that must be refused: words that no command knows, values out of range, files that are not what
they should be. Each is the words after `playmill`; `bad_folder` makes the files that they speak of."""

from __future__ import annotations

import inspect
import shlex
from pathlib import Path
from typing import get_args, get_type_hints

from playmill.cli.app import whole_command

TOO_BIG = "9" * 25
ENOUGH = {"--plies": "1", "--best": "random", "--candidate": "random", "--avail": "1", "--dice": "1,2,3,4,5"}  # else a new path

# Words with which each command gets as far as its options; what they name need not exist.
ARGUMENTS = {
    "new-game": ["fresh"],
    "check-game": ["tictactoe"],
    "perft": ["tictactoe"],
    "simulate": ["tictactoe"],
    "run": ["good.yaml"],
    "selfplay": ["good.yaml"],
    "train": ["tictactoe"],
    "gate": ["tictactoe"],
    "seed-set": ["new.json"],
    "verify": ["folder"],
    "report": ["folder"],
    "export": ["folder", "--json"],
    "tune": ["good.yaml"],
    "profile": ["--torch", "new", "text.yaml"],
    "model-export": ["text.pt", "--onnx", "new.onnx"],
    "selfplay-report": ["folder"],
    "status": ["folder"],
    "explore": ["tictactoe"],
    "play": ["tictactoe"],
    "studio": ["no_run"],
    "replay show": ["text.json"],
    "replay draw": ["text.json"],
    "model-init": ["tictactoe"],
    "model-info": ["text.pt"],
    "diplomacy check": ["text.jsonl"],
    "diplomacy export": ["text.jsonl"],
    "diplomacy train": ["text.jsonl"],
    "diplomacy explain": ["start"],
    "diplomacy draw": ["start"],
    "diplomacy search": ["start"],
    "puzzles clean": ["folder", "new"],
    "puzzles permute": ["text.jsonl", "new"],
    "puzzles stats": ["text.jsonl"],
    "puzzles draw": ["text.jsonl", "--out", "new.svg"],
    "puzzles seed": ["text.jsonl", "--sql", "new.sql"],
    "puzzles browse": ["folder"],
}


def bad_folder(folder: Path) -> None:
    """Files of all sorts that are not what a command wants, and a few that are."""
    for name, text in {
        "good.yaml": "game: tictactoe\nsearch: {puct: {budget: 2}}\n",
        "yatzy.yaml": "game: yatzy\n",
        "diplomacy.yaml": "game: diplomacy\n",
        "text.pt": "this is no checkpoint",
        "text.jsonl": "this is no game\n",
        "text.json": "this is no JSON",
        "text.yaml": "just words",
        "empty": "",
        "seeds.json": '{"format": "playmill.seeds"}',
        "bench.jsonl": '{"name": 1}\n',
        **{f"bad{number:02d}.yaml": text for number, text in enumerate(BAD_YAML)},
        **{f"diplomacy{number:02d}.yaml": f"game: diplomacy\n{text}" for number, text in enumerate(BAD_DIPLOMACY)},
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "folder").mkdir()
    (folder / "endless").symlink_to(folder / "endless")
    (folder / "mine.py").write_text(MODULE)
    (folder / "unreadable").mkdir()
    (folder / "unreadable" / "run.json").symlink_to(folder / "unreadable" / "run.json")
    (folder / "no_run").mkdir()
    (folder / "no_run" / "run.json").write_text("{}")


MODULE = """
def raises(state):
    raise ValueError("not today\\nnor tomorrow")

def nothing(state):
    return 3

def wild(state):
    return [10**9]

NUMBER = 3
"""

NET, SEARCH, TRAIN, GATE, SELFPLAY = (
    "game: tictactoe\n" + room for room in ("net: ", "search: ", "train: ", "gate: ", "selfplay: ")
)

BAD_YAML = [
    "",
    "~",
    "[]",
    "3",
    "game",
    "game: [",
    "game: 3",
    "game: ~",
    "game: true",
    "game: {}",
    "game: chess",
    "game: yatzi",
    "seed: 1",
    "game: tictactoe\ngame: tictactoe",
    "game: tictactoe\nseed: true",
    "game: tictactoe\nseed: -1",
    "game: tictactoe\nseed: 1.5",
    "game: tictactoe\nseed: '1'",
    f"game: tictactoe\nseed: {TOO_BIG}",
    "game: tictactoe\nseed: .nan",
    "game: tictactoe\nsede: 1",
    "game: tictactoe\niterations: 0",
    f"game: tictactoe\niterations: {TOO_BIG}",
    "game: tictactoe\niterations: ~",
    "game: tictactoe\nworkers: 0",
    "game: tictactoe\nworkers: 100000",
    "game: tictactoe\nworkers: many",
    "game: tictactoe\nbackend: gpu",
    "game: tictactoe\nbackend: 3",
    "game: tictactoe\ndevice: tpu",
    "game: tictactoe\ndevice: 3",
    "game: tictactoe\ndevice: cuda",
    "game: tictactoe\n\tseed: 1",
    "game: tictactoe\n---\ngame: yatzy",
    "game: tictactoe\nnet: &a {}\ntrain: *a",
    "game: !!python/name:os.system",
    "game: !!bool maybe",
    "game: tictactoe\n? [1]\n: 2",
    "game: tictactoe\n1: 2",
    "game: tictactoe\ntrue: 2",
    "[" * 3000,
    "{a: " * 3000,
    "game: tictactoe\nseed: " + "9" * 5000,
    "game: \x00",
    "game: tictactoe\nmeasure: {games: -1}",
    "game: tictactoe\nmeasure: {every: 0}",
    "game: tictactoe\nreplay: {capacity_shards: 0}",
    "game: tictactoe\nreplay: 3",
    NET + "3",
    NET + "[]",
    NET + "{kind: rnn}",
    NET + "{kind: seats}",
    NET + "{hiden: 32}",
    NET + "{hidden: 0}",
    NET + "{hidden: 100}",
    NET + "{hidden: 100000000}",
    NET + "{hidden: 8192, blocks: 256}",
    NET + "{kind: conv, channels: 8192, blocks: 256}",
    NET + "{blocks: 1000000}",
    NET + "{blocks: -1}",
    NET + "{blocks: true}",
    NET + "{margin: 1}",
    NET + "{margin: 'yes'}",
    "game: yatzy\nnet: {kind: conv}",
    SEARCH + "{kind: best}",
    SEARCH + "{kind: exact_turn}",
    SEARCH + "{puct: {budget: 0}}",
    SEARCH + "{puct: {budget: 1000000000}}",
    SEARCH + "{puct: {budget: 1.5}}",
    SEARCH + "{puct: {c_puct: 0}}",
    SEARCH + "{puct: {c_puct: .inf}}",
    SEARCH + "{puct: {c_puct: -.inf}}",
    SEARCH + "{puct: {c_puct: high}}",
    SEARCH + "{puct: {inflight: 0}}",
    SEARCH + "{puct: {inflight: 1000000}}",
    SEARCH + "{puct: {dirichlet_epsilon: 2}}",
    SEARCH + "{puct: {dirichlet_alpha: 0}}",
    SEARCH + "{puct: {reuse: 3}}",
    SEARCH + "{puct: {points_scale: 100}}",
    SEARCH + "{puct: {afterstates: true}}",
    SEARCH + "{puct: {luck: 2}}",
    SEARCH + "{puct: {improvement_temperature: 0}}",
    SEARCH + "{exact_turn: {win_from_turn: 31}}",
    "game: yatzy\nsearch: {kind: exact_turn}",
    TRAIN + "{lr: 0}",
    TRAIN + "{lr: .inf}",
    TRAIN + "{lr: .nan}",
    TRAIN + "{lr: true}",
    TRAIN + "{lr: '0.1'}",
    TRAIN + "{batch_size: 0}",
    TRAIN + "{batch_size: 100000000}",
    TRAIN + "{epochs: 0}",
    TRAIN + "{warmup: -1}",
    TRAIN + "{lr_end: 2}",
    TRAIN + "{weight_decay: -1}",
    TRAIN + "{weight_decay: .inf}",
    TRAIN + "{bootstrap: 1.1}",
    TRAIN + "{threads: 0}",
    TRAIN + "{threads: 100000}",
    TRAIN + "{learning_rate: 1}",
    TRAIN + "{steps_per_iteration: 0}",
    TRAIN + "{window_shards: 0}",
    TRAIN + "{window_samples: 0}",
    TRAIN + "{autosave_steps: 0}",
    TRAIN + "{log_steps: 0}",
    GATE + "{games: 3}",
    GATE + "{games: 0}",
    GATE + "{games: 1000000000}",
    GATE + "{threshold: 1}",
    GATE + "{threshold: .nan}",
    GATE + "{score0: 0.9}",
    GATE + "{alpha: 0.5}",
    GATE + "{look_pairs: 1}",
    GATE + "{luck_reduced: true}",
    GATE + "{guardrail_points: 1}",
    GATE + "{seed_set: missing.json}",
    GATE + "{seed_set: text.json}",
    GATE + "{seed_set: seeds.json}",
    GATE + "{seed_set: folder}",
    GATE + "{opening_plies: -1}",
    SELFPLAY + "{games: 0}",
    SELFPLAY + "{shard_games: 0}",
    SELFPLAY + "{lanes: 0}",
    SELFPLAY + "{slots: 64}",
    SELFPLAY + "{lanes: 100000000}",
    SELFPLAY + "{temperature: 1}",
    SELFPLAY + "{temperature: {kind: warm}}",
    SELFPLAY + "{temperature: {start: -1}}",
    SELFPLAY + "{temperature: {start: .inf}}",
    SELFPLAY + "{margin_scale: 0}",
    SELFPLAY + "{explore: 2}",
    SELFPLAY + "{td_lambda: -1}",
    SELFPLAY + "{policy_share: 2}",
]

BAD_DIPLOMACY = [
    "game: diplomacy",
    "lookahead: 3",
    "seed: true",
    "iterations: 0",
    "workers: 100000",
    "device: tpu",
    "validation: 1",
    "train: {validation: 1}",
    "train: {window_samples: 5}",
    "net: {channels: 8}",
    "net: {channels: 100000000}",
    "net: {blocks: 1000000}",
    "search: {candidates: 1}",
    "search: {candidates: 65}",
    "search: {temperature: 0}",
    "search: {temperature: .inf}",
    "search: {seasons: 9}",
    "guidance: {policy: 2}",
    "guidance: {values: some}",
    "guidance: {alpha: 0}",
    "selfplay: {games: 0}",
    "selfplay: {noise: 2}",
    "selfplay: {settings: {max_year: 1800}}",
    "selfplay: {settings: {budget: {kind: luck}}}",
    "selfplay: {settings: {budget: {amount: 0}}}",
    "train: {lr: .inf}",
    "gate: {games: 13}",
    "gate: {threshold: 0}",
    "gate: {max_year: 1}",
]


def by_hand() -> list[list[str]]:
    """Those in `bad_invocations.txt`."""
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    return [shlex.split(line) for line in lines if line and not line.startswith("#")]


def by_file() -> list[list[str]]:
    """A run with each of the bad files."""
    runs = [["run", f"bad{number:02d}.yaml", "--out", "new"] for number in range(len(BAD_YAML))]
    return runs + [["run", f"diplomacy{number:02d}.yaml", "--out", "new"] for number in range(len(BAD_DIPLOMACY))]


# ------------------------------------------------------------------ every option of every command


def by_option() -> list[list[str]]:
    """For every command an unknown option and a word too many; for every option no value, and values of other kinds."""
    found = []
    for name, command in _commands().items():
        hints = get_type_hints(inspect.unwrap(command.callback))
        options = {one.opts[0]: one for one in command.params if one.opts[0].startswith("--")}
        needed = [option for option, one in options.items() if one.required]
        start = [*name.split(), *ARGUMENTS.get(name, [])]
        found += [[*start, "--nonsense"], [*start, "--seed", "1", *["superfluous"] * 9]]
        for option, one in options.items():
            others = [word for other in needed if other != option for word in (other, ENOUGH.get(other, "new"))]
            kinds = _parts(hints[one.name])
            if bool not in kinds:
                found += [[*start, *others, option], *([*start, *others, option, value] for value in _wrong_values(kinds))]
    return found


def _commands():
    """The commands that do something, by their words."""
    found = {}
    for name, command in whole_command().commands.items():
        inner = getattr(command, "commands", None)
        found |= {f"{name} {word}": one for word, one in inner.items()} if inner else {name: command}
    return found


def _parts(annotation):
    return (annotation, *(part for inner in get_args(annotation) for part in _parts(inner)))


def _wrong_values(kinds) -> list[str]:
    if int in kinds:
        return ["x", "1.5", "-" + TOO_BIG, TOO_BIG]
    if float in kinds:
        return ["x", "inf", "nan"]
    return [""] if Path in kinds else []


def every_invocation() -> list[list[str]]:
    """All of them, each once."""
    found = [*by_hand(), *by_file(), *by_option()]
    return [list(words) for words in dict.fromkeys(map(tuple, found))]
