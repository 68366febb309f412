"""Questions about one problem, put to the search: can this side force its goal, now or after a first move?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from playmill.core.executor import stop_sign
from playmill.puzzles.solver.certificate import GATHERED, TOO_LARGE, WRONG, ask, forget, gather, wastes_stones
from playmill.puzzles.solver.dfpn import DISPROVED, PROVED
from playmill.puzzles.solver.eyes import is_alive
from playmill.puzzles.solver.fight import ATTACKER, DEFENDER, PASS, STRICT, fight_of, meta_of
from playmill.puzzles.solver.ground import Ground
from playmill.puzzles.solver.moves import is_lost, put
from playmill.puzzles.solver.numbering import order_states
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.workspace import Workspace

STATUS = ("alive", "dead")  # by role: what its success is called
ROUNDS = 50  # of searching again after a disproof that did not hold
Words = tuple[int, int, int]
Edge = tuple[int, int]  # a move, and where it leads: to a state's number, or to an end
CAPTURED_END, ALIVE_END = -1, -2


@dataclass(frozen=True)
class Claim:
    """That `prover` can, or can't, force its goal after the first move `after` (None: at once, whoever moves first).

    `lines` has the edges of each state of the certificate, its root first. There are none if the fight ended at once, as `end`
    says, or if none could be gathered.
    """

    prover: int
    after: int | None
    is_forced: bool
    lines: tuple[tuple[Edge, ...], ...] = ()
    end: int = 0

    @property
    def is_shown(self) -> bool:
        return bool(self.lines or self.end)


def prover_under(ko: str) -> int:
    """The side that has to do without ko, if the other is said to win every one."""
    return ATTACKER if ko == "defender" else DEFENDER


class Prover:
    """One problem's search: what was asked before is known."""

    def __init__(self, ground: Ground, workspace: Workspace, settings: SolverSettings, mover: int, ban: int | None) -> None:
        self._ground, self._work, self._mover, self._ban = ground, workspace, mover, ban
        self._threats = settings.ko_threats
        self._fights, self._stop = fight_of(ground), stop_sign()
        self._known: dict[Words, bool | None] = {}
        workspace.begin(settings.max_nodes)

    @property
    def nodes(self) -> int:
        return int(self._work.paths[0].nodes)

    def forces(self, prover: int, after: int | None = None) -> bool | None:
        """Whether the prover reaches its goal after a legal first move, or from the problem itself; None if not decided."""
        answer = self._answer(prover, after)
        # Walls that fall can't help the attacker, so that it succeeds, or the defender fails, needs walls that hold.
        is_for_attacker = answer is (prover == ATTACKER)
        return None if is_for_attacker and not self._ground.walls_hold else answer

    def _answer(self, prover: int, after: int | None) -> bool | None:
        """The same if all walls hold."""
        words = self._words(prover, after)
        if isinstance(words, int):
            return (words == CAPTURED_END) == (prover == ATTACKER)
        if words not in self._known:
            self._known[words] = self._decide(words)
        return self._known[words]

    def sort_moves(self, prover: int, wanted: bool) -> tuple[list[int], list[int]]:
        """The first moves after which the prover forces its goal (or can't, as wanted), and the undecided ones."""
        answers = {move: self.forces(prover, move) for move in self.first_moves(prover)}
        return [move for move in answers if answers[move] is wanted], [move for move in answers if answers[move] is None]

    def first_moves(self, prover: int) -> list[int]:
        """All legal first moves; to play elsewhere is one for either side."""
        empty = [v for v in range(len(self._ground.cells)) if not (self._ground.defender | self._ground.attacker) >> v & 1]
        return [v for v in empty if self._played(prover, v) is not None] + [PASS]

    # ------------------------------------------------------------------ states

    def _words(self, prover: int, after: int | None) -> Words | int:
        """The state after the first move, or the end if that ended the fight."""
        defender, attacker, ban, mover = self._ground.defender, self._ground.attacker, self._ban, self._mover
        threats = self._threats - (after is not None and after == self._ban)
        if after is not None:
            mover, ban = 1 - mover, None
        if after is not None and after != PASS:
            played = self._played(prover, after)
            assert played is not None
            defender, attacker, ban = played
        if is_lost(self._fights[0], np.uint64(defender), np.uint64(attacker)):
            return CAPTURED_END
        if is_alive(self._fights[0], np.uint64(defender), np.uint64(attacker)):
            return ALIVE_END
        return defender, attacker, meta_of(mover, prover, threats, ban)

    def _played(self, prover: int, vertex: int) -> tuple[int, int, int | None] | None:
        """Both sides' stones after the mover's first one, and the ban; None if it is illegal."""
        if vertex == self._ban and (prover == self._mover or not self._threats):
            return None
        sides = [np.uint64(self._ground.defender), np.uint64(self._ground.attacker)]
        is_attacker = self._mover == ATTACKER
        own, other = (sides[1], sides[0]) if is_attacker else (sides[0], sides[1])
        is_legal, own, other, _, ban = put(self._fights[0], own, other, vertex, is_attacker)
        if not is_legal:
            return None
        defender, attacker = (other, own) if is_attacker else (own, other)
        return int(defender), int(attacker), None if ban < 0 else int(ban)

    # ------------------------------------------------------------------ answers

    def _decide(self, words: Words) -> bool | None:
        """Search, and believe a disproof only if no repetition was met or it holds as a certificate.

        One that wastes stones shows nothing; a strict search looks for another.
        """
        state, is_strict = np.array(words, np.uint64), words != _loosely(words)
        for _ in range(ROUNDS):
            value = ask(self._fights, self._work.paths, self._work.table, state, self._stop.flag)
            self._stop.check()
            if value == PROVED:
                return None if is_strict else True
            if value != DISPROVED:
                return None
            if self._work.paths[0].repetitions == 0:
                return False
            problem = self._gather(words, DISPROVED)
            if problem == GATHERED:
                is_wasted = wastes_stones(self._work.certificate)
                return False if not is_wasted else None if is_strict else self._decide(_strictly(words))
            if problem != WRONG:
                return None
            forget(self._work.paths, self._work.table, self._work.certificate)
        return None

    def _gather(self, words: Words, wanted: int) -> int:
        state = np.array(words, np.uint64)
        while True:
            work = self._work
            problem = int(gather(self._fights, work.paths, work.table, work.certificate, state, wanted, self._stop.flag))
            if problem != TOO_LARGE or not work.grow():
                return problem

    # ------------------------------------------------------------------ claims

    def claims(self, status: str, ko: str, undecided: list[int]) -> Iterator[Claim]:
        """What shows the status and the right moves, each with its certificate; undecided moves need none."""
        mover, other = self._mover, 1 - self._mover
        if status == "unknown":
            return
        if status == STATUS[other] and ko == "loss":
            yield self._claim(other, None, True)
            return
        without_ko = {"ko": [mover, other], STATUS[mover]: [mover]}
        for role in without_ko.get(status, []) if ko == "loss" else [prover_under(ko)]:
            for move in self.first_moves(role):
                if move not in undecided or (status == "ko" and role == mover):
                    answer = self.forces(role, move)
                    yield Claim(role, move, False) if answer is None else self._claim(role, move, answer)

    def _claim(self, prover: int, after: int | None, is_forced: bool) -> Claim:
        words = self._words(prover, after)
        if isinstance(words, int):
            return Claim(prover, after, is_forced, end=words)
        for state in (words,) if is_forced else (words, _strictly(words)):
            is_gathered = self._gather(state, PROVED if is_forced else DISPROVED) == GATHERED
            if is_gathered and (is_forced or not wastes_stones(self._work.certificate)):
                return Claim(prover, after, is_forced, tuple(_in_order(self._edges()) if is_forced else self._edges()))
        return Claim(prover, after, is_forced)

    def _edges(self) -> list[tuple[Edge, ...]]:
        counts, _, first, moves, ends, _ = self._work.certificate
        states = int(counts[0].states)
        edges = [(int(move), int(end)) for move, end in zip(moves[: first[states]], ends[: first[states]], strict=True)]
        found = [(move, -end if end <= 0 else (CAPTURED_END, ALIVE_END)[end - 1]) for move, end in edges]
        return [tuple(found[first[at] : first[at + 1]]) for at in range(states)]


def _strictly(words: Words) -> Words:
    """The same state for a strict search."""
    return words[0], words[1], words[2] | int(STRICT)


def _loosely(words: Words) -> Words:
    return words[0], words[1], words[2] & ~int(STRICT)


def _in_order(lines: list[tuple[Edge, ...]]) -> list[tuple[Edge, ...]]:
    """The same states, numbered so that every edge leads to a higher number; nothing if that can't be done."""
    order = order_states([[end for _, end in line if end >= 0] for line in lines], True)
    number = {at: new for new, at in enumerate(order)}
    if len(number) < len(lines):
        return []
    return [tuple((move, number[end] if end >= 0 else end) for move, end in lines[at]) for at in order]
