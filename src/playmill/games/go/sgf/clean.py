"""The cleaner: the bytes of a file become games in strict, plain SGF that can be played through, or a reason why not."""

from __future__ import annotations

from dataclasses import dataclass, field

from playmill.games.go.sgf.encodings import decode
from playmill.games.go.sgf.mend import mend
from playmill.games.go.sgf.properties import IN_NODE, MOVES, ONE_TEXT, STONES
from playmill.games.go.sgf.repairs import Repairs, SgfRejected
from playmill.games.go.sgf.replay import replay_tree
from playmill.games.go.sgf.root import board_size, gather_info, require_go, set_komi
from playmill.games.go.sgf.tidy import drop_empty_nodes, gather_setup, strip_talk
from playmill.games.go.sgf.tree import SgfNode, parse_sgf, write_sgf

MAX_BYTES = 8 << 20  # of a file; a game has some kilobytes, so a larger one is something else
# Repairs that can't make another one necessary. After any other one more pass is made: a node less can shift the main line.
LOCAL = {"size_missing", "komi_units", "komi_dropped", "point_capitals"}
MOST_PASSES = 20  # a limit for files that are nothing but mistakes


@dataclass(frozen=True)
class CleanGame:
    """A game that can be used: its tree, what it is like, and what was done to it."""

    root: SgfNode
    size: int
    komi: float | None
    moves: int  # of the main line
    repairs: list[str]

    @property
    def sgf(self) -> str:
        return write_sgf(self.root)


@dataclass(frozen=True)
class RejectedGame:
    """A game that can't be used, and why: a code of `REASONS`, and a line for people."""

    reason: str
    detail: str


@dataclass(frozen=True)
class CleanFile:
    """What a file came to. Where it is refused as a whole, `rejected` says why and there are no games."""

    encoding: str | None
    repairs: list[str] = field(default_factory=list)  # of the text; those of a game are with it
    games: list[CleanGame | RejectedGame] = field(default_factory=list)
    rejected: RejectedGame | None = None


def clean_sgf(data: bytes, keep_comments: bool = False) -> CleanFile:
    """Clean a file's bytes. It never raises: what can't be used says why."""
    if len(data) > MAX_BYTES:
        return CleanFile(None, rejected=RejectedGame("too_large", f"expected at most {MAX_BYTES:,} bytes, got {len(data):,}"))
    decoded, repairs = decode(data), Repairs()
    if decoded.is_guess:
        repairs.note("latin_1_guess")
    try:
        texts = mend(decoded.text, repairs)
    except SgfRejected as problem:
        return CleanFile(decoded.encoding, repairs.codes, rejected=RejectedGame(problem.reason, problem.detail))
    games = [game for text in texts for game in _clean_games(parse_sgf(text), keep_comments)]
    return CleanFile(decoded.encoding, repairs.codes, games)


def _clean_games(root: SgfNode, keep_comments: bool) -> list[CleanGame | RejectedGame]:
    """The game of a tree; more than one where it begins anew in its middle."""
    games: list[CleanGame | RejectedGame] = []
    waiting = [root]
    while waiting:
        try:
            game, rest = _clean_game(waiting.pop(0), keep_comments)
            waiting += rest
            games.append(game)
        except SgfRejected as problem:
            games.append(RejectedGame(problem.reason, problem.detail))
    return games


def _clean_game(root: SgfNode, keep_comments: bool) -> tuple[CleanGame, list[SgfNode]]:
    """Put one tree right, in place; also return what follows it as games of their own."""
    repairs, rest = Repairs(), list[SgfNode]()
    if not keep_comments:
        strip_talk(root, repairs)
    for _ in range(MOST_PASSES):
        now = Repairs()
        size, komi, following = _put_right(root, now)
        rest += [following] if following is not None else []
        for code in now.codes:
            repairs.note(code)
        if not set(now.codes) - LOCAL:
            break
    moves = sum(bool(node.properties.keys() & MOVES) for node in root.main_line())
    if not moves and not root.properties.keys() & STONES:
        raise SgfRejected("no_moves", "the game has neither moves nor setup stones")
    return CleanGame(root, size, komi, moves, repairs.codes), rest


def _put_right(root: SgfNode, repairs: Repairs) -> tuple[int, float | None, SgfNode | None]:
    """One pass over the tree; return the size, the komi, and what must become a game of its own."""
    drop_empty_nodes(root)
    gather_info(root, repairs)
    require_go(root)
    size = board_size(root, repairs)
    root.set_text("SZ", str(size))
    komi = set_komi(root, repairs)
    gather_setup(root, size, repairs)
    rest = replay_tree(root, size, repairs)
    _keep_one_value(root)
    drop_empty_nodes(root)
    for name, value in (("FF", "4"), ("GM", "1"), ("CA", "UTF-8")):
        root.set_text(name, value)
    return size, komi, rest


def _keep_one_value(root: SgfNode) -> None:
    """Where a property comes twice in a node, the first one counts."""
    for node in root.every_node():
        for name in node.properties.keys() & (ONE_TEXT | IN_NODE):
            del node.properties[name][1:]
