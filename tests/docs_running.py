"""The blocks of the docs, and how they are run: a page's in their order, in one folder, its Python in one namespace.

What would take too long is run smaller, by the table `SMALLER`; what no test can run stands in `NOT_RUN`, with the reason.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import textwrap
import types
from dataclasses import dataclass
from pathlib import Path

from cli.invoking import invoke
from playmill.puzzles.solver.classics import CLASSICS
from puzzles.mining.drawn_records import record_of
from puzzles.test_puzzle_files import some_puzzle

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# What a block may be. Settings (`yaml`) are read by a test of their own; `toml` and `text` are there to be looked at.
LANGUAGES = ("python", "console", "yaml", "toml", "text")

# (what a command says, what is run instead, why), the first that is found of each.
TINY_RUN = (
    " --set iterations=1 --set selfplay.games=8 --set selfplay.shard_games=8 --set selfplay.lanes=8 --set search.puct.budget=8"
    " --set train.batch_size=16 --set train.steps_per_iteration=4 --set train.warmup=2 --set gate.games=4"
    " --set net.hidden=16 --set net.blocks=1"
)
TINY_EXCHANGE = (
    " --set selfplay.bootstrap.games=8 --set train.steps_per_iteration=2 --set gate.games=4 --set measure.games=2"
    " --set net.channels=8 --set net.hidden=16"
)
SMALLER = [
    (r"\b1000000\b", "1000", "a million games take a minute"),
    (r"configs/yatzy_cpu\.yaml", "configs/yatzy_smoke.yaml", "half an hour of training"),
    (r"(playmill run (?:mine|nim|stones|configs/connect_four)\S*\b.*)", r"\1" + TINY_RUN, "hours of training"),
    (r"configs/exchange_tiny\.yaml", "configs/exchange_smoke.yaml", "half an hour of training"),
    (
        r"playmill run exchange --preset medium --iterations 1000 --games 100 (--asymmetric )--asymmetric-sims 50(.*)",
        r"playmill run exchange --preset tiny --iterations 1 --games 4 \1--asymmetric-sims 2\2" + TINY_EXCHANGE,
        "days of training",
    ),
    (r"(playmill gate exchange .*)--games 400", r"\1--games 4", "minutes of games"),
    (r"(explore .*)", r"\1 --simulations 50", "a page compiles enough"),
    (r"(playmill play (?:exchange|yatzy) .*)", r"\1 < moves.txt", "somebody has to play"),
    (r"(diplomacy selfplay .*)--games \d+", r"\1--games 1", "minutes a game"),
    (r"(diplomacy ladder .*)--games \d+", r"\1--games 14 --max-year 1902", "minutes a game"),
    (r"(diplomacy selfplay .*)--out", r"\1--iterations 4 --max-year 1902 --out", "minutes a game"),
    (r"(playmill tune \S+)", r"\1 --seconds 2", "a minute"),
    (r"playmill profile (?!-)", "playmill profile --out flame.txt ", "a picture takes longer"),
    (r"--epochs \d+", "--epochs 1", "one shows that it learns"),
    (r"--nodes \d+", "--nodes 50", "seconds a move"),
    (r"--movetime \d+", "--movetime 5", "seconds a move"),
]

# (how a command begins, why it can't be run here)
NOT_RUN = [
    ("make ", "sets up a machine, and runs these tests"),
    ("pip install -c", "installs the package itself"),
    ("playmill --install-completion", "changes the files of one's shell"),
    ("playmill report runs/yatzy runs/other", "a second run; tests/cli/test_report.py compares two"),
    ("playmill serve", "it serves until it is ended; tests/serve starts servers"),
    ("playmill katago", "it downloads an engine; tests/puzzles/katago tries the one that set-up installs"),
    ("playmill bench", "minutes; tests/bench runs every benchmark small"),
    ("playmill tui", "it wants a terminal and somebody in front of it; tests/tui presses its keys"),
    ("playmill studio", "it serves until Ctrl-C; tests/web looks at it in a browser"),
    ("playmill puzzles browse", "it serves until Ctrl-C; tests/web looks at it in a browser"),
    ("playmill run configs/exchange_large.yaml", "it is for a GPU"),
    ("playmill run configs/diplomacy", "minutes; tests/diplomacy_neural runs the same configuration smaller"),
]

# What a page takes for granted: commands, and files with their text.
PREPARED: dict[str, list[str]] = {
    "docs/howto/teach_with_another_player.md": ["playmill model-init connect_four --out older/best.pt"],
}
MOVES = {"moves.txt": "e2e4\nundo\nd2d4\n? b1\nb1c3\n"}
COLLECTION = [some_puzzle(number) for number in range(3)]
LINES = "".join(puzzle.line() + "\n" for puzzle in COLLECTION)
REVIEW = "".join(f'{{"puzzle": "{puzzle.name}", "decision": "approved"}}\n' for puzzle in COLLECTION)
LEVELS = "puzzle,level\n" + "".join(f"{puzzle.name},{number}k\n" for number, puzzle in enumerate(COLLECTION, 1))
DRAWINGS = {one.name: one.drawing for one in CLASSICS if one.name in ("bulky five", "straight four")}
FILES: dict[str, dict[str, str]] = {
    "README.md": {
        **MOVES,
        "records/good.sgf": "(;GM[1]SZ[19]KM[375];B[pd];W[dd])",
        "puzzles.jsonl": LINES,
        "puzzles.review.jsonl": REVIEW,
        "problem.sgf": "(;SZ[9]AB[ac][bc][cc][cb][ca]AW[ab][bb][ba]MA[bb]PL[B])",
    },
    "docs/games/exchange.md": MOVES,
    "docs/tutorials/first_run.md": {"moves.txt": "keep 55\nopinion\nkeep 55\nmark pair\nq\n"},
    "docs/howto/mine_puzzles.md": {
        **{f"records/{name}.sgf": record_of(drawing) for name, drawing in DRAWINGS.items()},
        "games/good.sgf": "(;GM[1]SZ[19]KM[375];B[pd];W[dd])",
        "games/bad.sgf": "(;GM[1]SZ[9];B[aa];W[aa])",
        "collection.jsonl": LINES,
        "collection.review.jsonl": REVIEW,
        "levels.csv": LEVELS,
    },
    "docs/games/diplomacy.md": {
        "phases.jsonl": '{"dfen": "start", "orders": {"france": "A par - bur"}}\n',
        "positions.jsonl": '{"dfen": "start"}\n',
    },
}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int  # of its first line of text
    language: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    text, name = page.read_text(), str(page.relative_to(ROOT))
    found = re.finditer(r"^( *)```(\S*)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)  # indented: inside a list
    return [Block(name, text.count("\n", 0, block.start()) + 2, block[2], textwrap.dedent(block[3])) for block in found]


def commands_of(block: Block) -> list[str]:
    """The commands of a block, without their comments; a backslash at the end joins two lines."""
    lines = block.text.replace("\\\n", " ").splitlines()
    return [shlex.join(words) for line in lines if (words := shlex.split(line, comments=True))]


def is_run(command: str) -> bool:
    return not any(command.startswith(beginning) for beginning, _ in NOT_RUN)


def smaller(command: str) -> str:
    for pattern, instead, _ in SMALLER:
        command = re.sub(pattern, instead, command, count=1)
    return command


class Page:
    """One page at work in a folder of its own."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.name, self.folder, self.blocks = str(page.relative_to(ROOT)), folder, blocks_of(page)
        self.module = types.ModuleType(f"page_{page.stem}")
        self.module.__file__ = str(folder / "page.py")
        self.said = ""  # what all of it wrote, in order

    def run(self) -> None:
        (self.folder / "configs").symlink_to(ROOT / "configs")
        shutil.copytree(ROOT / "examples", self.folder / "examples")  # packages there are installed
        for name, text in FILES.get(self.name, {}).items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        for command in PREPARED.get(self.name, []):
            self._run_command(command)
        for block in self.blocks:
            self._run_block(block)

    def not_said(self) -> list[str]:
        """Lines of `text` blocks that nothing on the page wrote, whatever numbers it had; `> ` is what somebody types."""
        said = {_shape(line) for line in self.said.splitlines()}
        shown = [line for block in self.blocks if block.language == "text" for line in block.text.splitlines()]
        return [line for line in shown if not line.startswith("> ") and _shape(line) not in said]

    def _run_block(self, block: Block) -> None:
        if block.language == "python":
            self._run_python(block)
        elif block.language == "console":
            for command in commands_of(block):
                if is_run(command):
                    self._run_command(smaller(command))

    def _run_python(self, block: Block) -> None:
        """Run it in the page's namespace; a traceback names the page and its line."""
        sys.modules[self.module.__name__] = self.module
        code = compile("\n" * (block.line - 1) + block.text, block.page, "exec")
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(io.StringIO()) as written:
            exec(code, self.module.__dict__)
        self.said += written.getvalue()

    def _run_command(self, command: str) -> None:
        words = shlex.split(command)
        if words[:3] == ["pip", "install", "-e"]:
            install(self.folder / words[3])
            return
        assert words[0] == "playmill", f"{self.name}: '{command}' is no command of ours; NOT_RUN says why one isn't run"
        words, stdin, target = _redirected(words[1:], self.folder)
        ended = invoke(words, self.folder, stdin)
        assert ended.code == 0, f"{self.name}: {command}\n{ended.err}"
        self.said += ended.out + ended.err
        if target is not None:
            target.write_text(ended.out)


def _shape(line: str) -> str:
    """A line without its numbers and what hangs on them: a gate's verdict, the width of columns."""
    line = re.sub(r"(not )?promoted: .*|[✓–](?= *│$)", "VERDICT", line)
    return " ".join(re.sub(r"\d[\d,.]*", "#", line).split())


def _redirected(words: list[str], folder: Path) -> tuple[list[str], str, Path | None]:
    """The words without `< FILE` and `> FILE`, what is read, and where to write."""
    stdin, target = "", None
    if "<" in words:
        at = words.index("<")
        stdin, words = (folder / words[at + 1]).read_text(), words[:at] + words[at + 2 :]
    if ">" in words:
        at = words.index(">")
        target, words = folder / words[at + 1], words[:at] + words[at + 2 :]
    return words, stdin, target


def install(package: Path) -> None:
    """What `pip install -e` comes to: the sources on the path, and beside them metadata with the entry points."""
    import tomllib

    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    metadata = package / "src" / f"{project['name']}-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0\n")
    groups = project.get("entry-points", {}).items()
    rows = [f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in entries.items()) for group, entries in groups]
    (metadata / "entry_points.txt").write_text("\n".join(rows) + "\n")
    sys.path.insert(0, os.fspath(package / "src"))


def unknown_part(command, words: list[str]) -> str | None:
    """The first word that a command, as a sentence names it, doesn't know; capitals and dots stand for anything."""
    for word in words:
        if word.startswith("--"):
            options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}
            if word.split("=")[0] not in options:
                return f"no option {word}"
        elif hasattr(command, "commands"):
            if not re.fullmatch(r"[a-z][a-z-]*", word):
                return None  # COMMAND, or a list of them
            if word not in command.commands:
                return f"no command {word}"
            command = command.commands[word]
    return None
