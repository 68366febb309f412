"""The engine's judgement of a cropped problem: whether the side to play succeeds, by one move only, and as on the whole board.

All questions but those about the whole board are asked in the problem's frame. An engine's answer is evidence, not proof: a
problem is taken only if each answer is clear, by margins that are settings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from playmill.games.go.board import BLACK, WHITE, is_legal
from playmill.puzzles.grading import Evidence
from playmill.puzzles.katago.analysis import Analysis, MoveInfo
from playmill.puzzles.katago.analyst import Analyst, shared_analyst
from playmill.puzzles.katago.frame import Frame, NoFrame, make_frame
from playmill.puzzles.katago.query import Query, point
from playmill.puzzles.mining.candidate import Candidate
from playmill.puzzles.mining.crop_katago import GLANCE, balanced, localize
from playmill.puzzles.mining.judged import JudgedProblem, Rejection
from playmill.puzzles.mining.katago_settings import JudgeSettings, KataGoMining
from playmill.puzzles.mining.komi import even_out, give_lead
from playmill.puzzles.mining.seki import seems_seki
from playmill.puzzles.mining.tree_katago import LEAST_WRONG, fate, grow_tree
from playmill.puzzles.mining.validate import is_ladder
from playmill.puzzles.solution_tree import PASS
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.tags import tags_of

KO_POINTS = 4.0  # that a ko threat may change by itself, and by the engine's doubts
STEP = 4  # by which visits grow from one look to the next


@dataclass(frozen=True)
class RightMove:
    """The right first move, after how many visits the engine preferred it, and those that made it clear."""

    move: MoveInfo
    visits_to_find: int
    visits: int


def judge(candidate: Candidate, settings: KataGoMining) -> JudgedProblem | Rejection:
    """The candidate's problem with its solution, or why it is none."""
    analyst, label = shared_analyst(settings.engine), label_of(candidate)
    if candidate.ko:
        return Rejection("ko", "the position before the move has a ko")
    refusal = _refuse_atari(candidate.problem())
    if refusal is not None:
        return refusal
    frame = localize(candidate, settings.judge, analyst, label)
    if isinstance(frame, Rejection):
        return frame
    return _refuse_atari(frame.problem) or Judgement(frame, candidate, settings.judge, analyst, label).run()


def judge_problem(problem: Tsumego, settings: KataGoMining) -> JudgedProblem | Rejection:
    """As `judge`, for a problem that is cropped already and has no whole board to compare with."""
    judgement = _refuse_atari(problem) or _framed(problem, settings, label_of(None))
    return judgement if isinstance(judgement, Rejection) else judgement.run()


def _refuse_atari(problem: Tsumego) -> Rejection | None:
    if any(problem.boards[0].liberties[cell] == 1 for cell in problem.marked):
        return Rejection("trivial", "a marked chain is a single stone's liberty from capture")
    return None


def find_only_move(problem: Tsumego, settings: KataGoMining, label: str) -> int | Rejection:
    """The cell of the one right first move of a problem, or why there is none; no solution is gathered."""
    judgement = _framed(problem, settings, label)
    if isinstance(judgement, Rejection):
        return judgement
    found = judgement.find()
    if isinstance(found, Rejection):
        return found
    return judgement.not_unique(found, judgement.others(found)) or judgement.ko_fight(found) or found.move.cell


def _framed(problem: Tsumego, settings: KataGoMining, label: str) -> Judgement | Rejection:
    analyst = shared_analyst(settings.engine)
    try:
        frame = make_frame(problem, settings.judge.margin)
    except NoFrame:
        return Rejection("no_frame", "the board has no room for a frame around it")
    return Judgement(balanced(frame, settings.judge, analyst, label) or frame, None, settings.judge, analyst, label)


def label_of(candidate: Candidate | None) -> str:
    """What messages call queries about a candidate."""
    return "a problem" if candidate is None else f"{candidate.source.label}, move {candidate.move_number}"


def add_evidence(judged: JudgedProblem, settings: KataGoMining, label: str) -> JudgedProblem:
    """A proved problem with what the engine, which found it, can tell the grader: nothing if it prefers another move."""
    analyst = shared_analyst(settings.engine)
    judged = replace(judged, engine=f"katago {analyst.identity.version}", network=analyst.network)
    judgement = _framed(judged.problem, settings, label)
    if isinstance(judgement, Rejection):
        return judged
    found = judgement.find()
    if isinstance(found, Rejection) or found.move.cell != judged.tree.right.move:
        return judged
    return replace(judged, evidence=replace(judged.evidence, **judgement.measures(found, judgement.others(found))))


@dataclass
class Judgement:
    """One problem at work."""

    frame: Frame
    candidate: Candidate | None
    settings: JudgeSettings
    analyst: Analyst
    label: str

    @property
    def side(self) -> int:
        return self.frame.problem.to_play

    def run(self) -> JudgedProblem | Rejection:
        """Find the right move, see that nothing else does it, here and on the whole board, and gather the solution."""
        found = self.find()
        if isinstance(found, Rejection):
            return found
        others = self.others(found)
        refusal = (
            self.not_unique(found, others)
            or self._not_on_the_whole_board(found)
            or self._not_for_long(found)
            or self.ko_fight(found)
        )
        if refusal is not None:
            return refusal
        wrong = self._plausible(found, others)
        tree = grow_tree(self.frame, found.move.cell, wrong, self.analyst, self.settings, self.label)
        if isinstance(tree, Rejection):
            return tree
        if len(tree.right.main_line) < self.settings.min_plies:
            return Rejection("trivial", f"{len(tree.right.main_line)} moves solve it")
        if is_ladder(self.frame.problem, tree.right.main_line):
            return Rejection("ladder", "every move of the main line is an atari, every answer an extension")
        if not self.settings.allow_seki and self._is_seki(tree.right.main_line):
            return Rejection("seki", "the marked chains live at the end of the main line, but have no two eyes")
        if "ko-free" not in tags_of(self.frame.problem, tree):
            return Rejection("ko", "a line of the solution has a ko in it, and only a proof tells what comes of it")
        evidence = Evidence(
            depth=len(tree.right.main_line), tree_nodes=sum(branch.nodes for branch in tree.first_moves),
            legal_first_moves=self._legal_moves(), wrong_moves_refuted=len(tree.wrong), **self.measures(found, others),
        )  # fmt: skip
        engine = f"katago {self.analyst.identity.version}"
        return JudgedProblem(
            self.frame.problem, tree, "engine", engine, self.analyst.network, self.settings.budget, None, evidence
        )

    def _is_seki(self, line: tuple[int, ...]) -> bool:
        """Whether the side to play lives by a seki; who has to kill has succeeded only if there is none."""
        frame, settings = self.frame, self.settings
        if self.side != frame.problem.defender:
            return False
        looked = self.analyst.analyse(frame.query(settings.tree_visits, self.label).after(*line))
        return seems_seki(frame.problem, line, looked, frame.inside, settings.clear_fate)

    def measures(self, found: RightMove, others: Analysis) -> dict[str, Any]:
        """What the engine tells the grader: the right move's prior, visits to find it, and what it gains in points."""
        swing = found.move.lead(self.side) - others.lead(self.side)
        prior = round(found.move.prior, 4)
        return {"visits_to_find": found.visits_to_find, "prior": prior, "score_swing": round(max(0.0, swing), 2)}

    # ------------------------------------------------------------------ the right move

    def find(self) -> RightMove | Rejection:
        """Look with more and more visits until the right move is clear."""
        visits, first = self.settings.first_visits, dict[int, int]()
        while visits <= self.settings.budget:
            self.frame = give_lead(self.frame, visits, self.settings.clear_fate, self.analyst, self.label)
            looked = self.analyst.analyse(self.frame.query(visits, self.label))
            best = looked.moves[0]
            first.setdefault(best.cell, visits)
            if best.cell != PASS and self._succeeds(looked) and self._works(best.cell, visits):
                return RightMove(best, first[best.cell], visits)
            if self._is_lost(looked) and visits >= STEP * self.settings.first_visits:
                reason = "settled" if self.candidate is None else "crop_changed"  # on the whole board it succeeds
                return Rejection(reason, f"the side to play fails in the cropped position, by {visits} visits")
            visits *= STEP
        return Rejection("too_deep", f"not clear after {self.settings.budget:,} visits")

    def _works(self, cell: int, visits: int) -> bool:
        """Whether the side to play succeeds after this move, as the engine sees it for the opponent."""
        return self._succeeds(self.analyst.analyse(self.frame.query(visits, self.label).after(cell)))

    def _succeeds(self, looked: Analysis) -> bool:
        return (
            looked.winrate(self.side) >= self.settings.clear_winrate
            and fate(looked, self.frame.problem) >= self.settings.clear_fate
        )

    def _is_lost(self, looked: Analysis) -> bool:
        """Whether the side to play fails at the start: it has lost, or at least the marked chains' fate."""
        return self._fails(looked) or fate(looked, self.frame.problem) <= -self.settings.clear_fate

    def _fails(self, looked: Analysis) -> bool:
        return looked.winrate(self.side) <= 1 - self.settings.clear_winrate

    # ------------------------------------------------------------------ nothing else

    def others(self, found: RightMove) -> Analysis:
        """What the side to play can do without the right move."""
        return self.analyst.analyse(self.frame.query(found.visits, self.label, (found.move.cell,)))

    def not_unique(self, found: RightMove, others: Analysis) -> Rejection | None:
        """Why the move is not the only one, if it isn't: another does it, or none is needed."""
        size = self.frame.problem.size
        looks = {
            info.cell: self.frame.query(found.visits, self.label).after(info.cell) for info in self._plausible(found, others)
        }
        looks[PASS] = self.frame.query(found.visits, self.label).after(PASS)
        answers = zip(looks, self.analyst.analyse_all(list(looks.values())), strict=True)
        bad = [cell for cell, looked in answers if not self._fails(looked)]
        if bad:
            return Rejection("ambiguous", f"{point(size, found.move.cell)} succeeds, but {point(size, bad[0])} does not fail")
        if not self._fails(others):
            return Rejection("ambiguous", f"without {point(size, found.move.cell)} the side to play does not clearly fail")
        return None

    def _not_for_long(self, found: RightMove) -> Rejection | None:
        """Why the answer changes, if it does, when all of it is asked again with more visits."""
        longer = replace(found, visits=STEP * found.visits)
        best = self.analyst.analyse(self.frame.query(longer.visits, self.label)).moves[0].cell
        if best != found.move.cell:
            size = self.frame.problem.size
            detail = f"{point(size, best)} instead of {point(size, found.move.cell)} by {longer.visits} visits"
            return Rejection("ambiguous", detail)
        return self.not_unique(longer, self.others(longer))

    def ko_fight(self, found: RightMove) -> Rejection | None:
        """Why the result seems to be a ko, if it does: the opponent's ko threat, worth nothing by itself, costs points."""
        frames = self.frame, self.frame.without_threat()
        queries = [frame.query(found.visits, self.label).after(found.move.cell) for frame in frames]
        with_threat, without = (looked.lead(self.side) for looked in self.analyst.analyse_all(queries))
        if without - with_threat > KO_POINTS:
            return Rejection("ko", f"a ko threat of the opponent's costs {without - with_threat:.0f} points")
        return None

    def _plausible(self, found: RightMove, others: Analysis) -> list[MoveInfo]:
        """The wrong first moves that people might try, the most plausible first, and some more if there are few.

        Where the search looked at fewer than the puzzle must show, it is asked what else there is.
        """
        inside = self._inside(others)
        while len(inside) < LEAST_WRONG:
            known = (found.move.cell, *(info.cell for info in inside))
            more = self._inside(self.analyst.analyse(self.frame.query(found.visits, self.label, known)))
            if not more:
                break
            inside += more
        likely = sum(info.prior >= self.settings.plausible_prior for info in inside)
        return inside[: min(max(likely, LEAST_WRONG), self.settings.most_wrong)]

    def _inside(self, looked: Analysis) -> list[MoveInfo]:
        """The moves of an answer that are inside the frame, those first that the network thinks of first."""
        inside = [info for info in looked.moves if info.cell in self.frame.inside]
        return sorted(inside, key=lambda info: (-info.prior, info.cell))

    def _legal_moves(self) -> int:
        board = self.frame.problem.boards[0]
        return sum(bool(is_legal(board, cell, self.side)) for cell in self.frame.inside)

    # ------------------------------------------------------------------ the whole board

    def _not_on_the_whole_board(self, found: RightMove) -> Rejection | None:
        """Why the whole board differs, if it does: there the move fails, or in the crop the game's move does not."""
        candidate, size = self.candidate, self.frame.problem.size
        if candidate is None:
            return None
        name = point(size, found.move.cell)
        if candidate.played == found.move.cell:
            return Rejection("crop_changed", f"{name} is right in the crop, but a blunder on the whole board")
        played = candidate.played
        if played in self.frame.inside and not self._fails(
            self.analyst.analyse(self.frame.query(found.visits, self.label).after(played))
        ):
            return Rejection("crop_changed", f"the game's {point(size, played)} does not fail in the crop")
        query, *_ = even_out(whole_board(candidate, GLANCE, self.label), self.analyst)
        query, _, passed = even_out(replace(query, visits=found.visits), self.analyst)
        moved = self.analyst.analyse(query.after(found.move.cell))
        if fate(moved, self.frame.problem) < self.settings.clear_fate:
            return Rejection("crop_changed", f"{name} does not decide the marked chains' fate on the whole board")
        if fate(passed, self.frame.problem) > -self.settings.crop_fate:
            return Rejection("crop_changed", "on the whole board there is time to play elsewhere")
        return None


def whole_board(candidate: Candidate, visits: int, label: str) -> Query:
    """The candidate's position as it was in the game, but for the moves that led to it."""
    stones = tuple(sorted([(BLACK, cell) for cell in candidate.black] + [(WHITE, cell) for cell in candidate.white]))
    return Query(candidate.size, stones, (), candidate.to_play, 7.5, visits, True, label=label)
