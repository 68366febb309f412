"""GNU Go's regression suites as problems: fetched from Debian's source package, kept in the cache folder, never copied here."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tarfile
import urllib.request
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sgfmill import boards, sgf

from playmill.core.errors import UsageError
from playmill.core.files import atomic_write, cache_folder
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.puzzles.solver.problem import make_problem

SOURCE = "pool/main/g/gnugo/gnugo_3.8.orig.tar.gz"  # within a Debian archive
SHA256 = "da68d7a65f44dcf6ce6e4e630b6f6dd9897249d34425920bfdd4e07ff1866a72"
LETTERS = "ABCDEFGHJKLMNOPQRST"
ATTACK, DEFEND = "attack", "defend"
WAIT_S = 60


@dataclass(frozen=True)
class Case:
    """One question: who begins, the right results (0 fails, 1 succeeds, 2 and 3 are ko), and the right moves, if told."""

    name: str
    size: int
    stones: dict
    point: tuple[int, int]
    first: str
    results: frozenset[int]
    moves: frozenset[str]

    def problem(self):
        """The chain on the point as a problem; None if there is no stone."""
        cell = self.cell(*self.point)
        colour = next((colour for colour, cells in self.stones.items() if cell in cells), None)
        if colour is None:
            return None
        side = colour if self.first == DEFEND else 3 - colour
        try:
            return make_problem(self.size, self.stones, [cell], side, self.name)
        except UsageError:
            return None

    def cell(self, row, column):
        return cell_of(self.size, self.size - 1 - row, column)


def suites() -> Path:
    """The folder with the suites, fetched if they are not there; OSError if they can't be had."""
    folder = cache_folder("gnugo") / "gnugo-3.8" / "regression"
    if not (folder / "vie.tst").exists():
        archive = cache_folder("gnugo") / "gnugo_3.8.orig.tar.gz"
        if not archive.exists():
            with urllib.request.urlopen(f"{debian_archive()}{SOURCE}", timeout=WAIT_S) as reply:
                data = reply.read()
            if hashlib.sha256(data).hexdigest() != SHA256:
                raise OSError(f"{SOURCE} is not the archive that it was")
            atomic_write(archive, data)
        with tarfile.open(archive) as packed:
            wanted = [one for one in packed.getmembers() if one.name.startswith("gnugo-3.8/regression/")]
            packed.extractall(cache_folder("gnugo"), members=wanted, filter="data")
    return folder


def debian_archive() -> str:
    """The address of the archive that this machine's apt is set up with; OSError if there is none."""
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    found = subprocess.run(asked, capture_output=True, text=True).stdout.split()
    if not found:
        raise OSError("apt knows no archive")
    return found[0]


LIFE = ("owl_attack", "owl_defend", "dragon_status")
FIGHTS = ("attack", "defend", "analyze_semeai")


def cases(folder: Path, questions=LIFE):
    """All questions of these kinds about the fate of a chain, in the order of their files."""
    for suite in sorted(folder.glob("*.tst")):
        yield from _cases_of(folder, suite, questions)


QUESTION = re.compile(r"(\d+) (\w+) ([A-T]\d+)(?: ([A-T]\d+))?\s*$")


def _cases_of(folder, suite, questions):
    board, asked = None, None
    for line in suite.read_text("latin-1").splitlines():
        words = line.split()
        if line.startswith("loadsgf"):
            board = _loaded(folder / words[1], words[2] if len(words) > 2 else "")
        elif line.startswith("play ") and board is not None:
            board = _played(board, words[1], words[2])
        elif QUESTION.match(line):
            asked = QUESTION.match(line)
        elif line.startswith("#?") and asked is not None:
            if board is not None and asked[2] in questions:
                yield from _read(f"{suite.stem} {asked[1]}", asked, line[2:].strip(), board)
            asked = None


def _read(name, asked, answer, board):
    body = answer.strip("[]*&").split()
    if asked[2] == "dragon_status":
        status = body[0]
        if status == "critical":
            yield _case(name, asked, board, ATTACK, "1", body[1:2])
            yield _case(name, asked, board, DEFEND, "1", body[2:3])
        elif status == "alive":
            yield _case(name, asked, board, ATTACK, "0", [])
        elif status == "dead":
            yield _case(name, asked, board, DEFEND, "0", [])
    elif asked[2] == "analyze_semeai":
        # Two answers for the owner of the first group, who begins: whether it saves that one, and whether it kills the other.
        # Their moves are for both at once, mostly at the place of the race, and not compared.
        yield _case(name, asked, board, DEFEND, body[0], [])
        yield _case(name, asked, board, ATTACK, body[1], [], asked[4])
    elif re.fullmatch(r"[\d(|)]+", body[0]):
        yield _case(name, asked, board, asked[2].removeprefix("owl_"), body[0], body[1:])


def _case(name, asked, board, first, results, moves, point=None):
    stones = {BLACK: [], WHITE: []}
    size = board.side
    for mark, (row, column) in board.list_occupied_points():
        stones[BLACK if mark == "b" else WHITE].append(cell_of(size, size - 1 - row, column))
    found = {word.lower() for text in moves for word in re.findall(r"[A-T]\d+|PASS", text)}
    numbers = frozenset(int(digit) for digit in re.findall(r"\d", results))
    return Case(f"{name} {first}", size, stones, _point(point or asked[3]), first, numbers, frozenset(found))


def _point(name):
    return int(name[1:]) - 1, LETTERS.index(name[0].upper())


@cache
def _loaded(path, until):
    """The board just before a move, given by its number or its point; None if the file can't be read."""
    try:
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        board, number = boards.Board(game.get_size()), 0
        for node in game.get_main_sequence():
            board.apply_setup(*node.get_setup_stones())
            mark, point = node.get_move()
            if mark is None:
                continue
            number += 1
            if until and (until == str(number) or (not until.isdigit() and point == _point(until))):
                break
            if point is not None:
                board.play(*point, mark)
    except (OSError, ValueError):
        return None
    return board


def _played(board, side, point):
    board = board.copy()
    try:
        board.play(*_point(point), side[0].lower())
    except ValueError:
        return None
    return board
