"""Hunter and judge: with the real engine's answers on file, and with answers made up for each way to be rejected."""

from dataclasses import replace

import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import name_cell, read_board, read_point
from playmill.games.go.sgf.record import GoRecord
from playmill.puzzles.katago.frame import make_frame
from playmill.puzzles.katago.trial import KNOWN, KOMI
from playmill.puzzles.mining import hunt_katago, judge_katago
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.hunt_katago import hunt
from playmill.puzzles.mining.judge_katago import judge, judge_problem
from playmill.puzzles.mining.judged import JudgedProblem, Rejection
from playmill.puzzles.mining.katago_settings import HuntSettings, JudgeSettings, KataGoMining
from playmill.puzzles.mining.reasons import REASONS
from puzzles.katago.big_boards import on_19
from puzzles.katago.recorded import Recorded, Scripted

pytestmark = pytest.mark.jit

SOURCE = SourceFacts("a.sgf", "0" * 64)
SETTINGS = KataGoMining(
    hunt=HuntSettings(scan_visits=4, confirm_visits=30, decided_winrate=0.99),
    judge=JudgeSettings(first_visits=24, budget=400, tree_visits=16, min_plies=1),
)


@pytest.fixture
def asked(monkeypatch):
    """A function that has hunter and judge ask this analyst."""

    def use(analyst):
        for room in (hunt_katago, judge_katago):
            monkeypatch.setattr(room, "shared_analyst", lambda settings: analyst)
        return analyst

    return use


def known_game(*moves):
    """A game of 9x9 that begins with Black to kill at E9; moves are in turn, Black's first."""
    board = read_board(KNOWN)[0][0]
    stones = {cell: int(board.colour[cell]) for cell in range(board.colour.size) if board.colour[cell] in (BLACK, WHITE)}
    line = [(1 + number % 2, read_point(9, name)) for number, name in enumerate(moves)]
    return GoRecord(9, KOMI, None, stones, BLACK, line)


# ------------------------------------------------------------------ the hunter


def test_a_move_that_lets_a_group_live_is_found(asked):
    asked(Recorded("hunt"))
    [found] = hunt(known_game("E2", "E9"), SOURCE, SETTINGS)
    assert (found.move_number, found.to_play, name_cell(9, found.played)) == (0, BLACK, "E2")
    assert [name_cell(9, cell) for cell in found.marked] == ["C9"]
    assert found.winrate_drop > 0.5
    assert found.score_loss > 10
    assert found.problem().defender == WHITE


def test_the_right_move_is_no_blunder(asked):
    asked(Recorded("hunt"))
    assert list(hunt(known_game("E9", "E2"), SOURCE, SETTINGS)) == []


def made_up(drop, lead, owner=0.9, first=0.7):
    """Answers of a game that Black's first move throws away: winrate, lead and all stones' owner change then."""

    def answer(query):
        is_before = not query.moves
        return first if is_before else first - drop, 10.0 if is_before else 10.0 - lead, (), owner if is_before else -owner

    return Scripted(answer)


@pytest.mark.parametrize(
    ("drop", "lead", "owner", "first", "count"),
    [
        (0.3, 0.0, 0.9, 0.7, 1),
        (0.0, 6.0, 0.9, 0.7, 1),
        (0.14, 4.9, 0.9, 0.7, 0),
        (0.3, 9.0, 0.2, 0.7, 0),
        (0.3, 9.0, 0.9, 0.995, 0),
        (-0.3, -9.0, 0.9, 0.7, 0),
    ],
)
def test_a_blunder_loses_enough_in_an_open_game_and_flips_a_group(asked, drop, lead, owner, first, count):
    asked(made_up(drop, lead, owner, first))
    assert len(list(hunt(known_game("E2"), SOURCE, SETTINGS))) == count


def test_only_doubtful_moves_are_looked_at_for_long(asked):
    analyst = asked(made_up(0.01, 0.5))
    assert list(hunt(known_game("E2", "E9", "E3"), SOURCE, SETTINGS)) == []
    assert [query.visits for query in analyst.asked] == [SETTINGS.hunt.scan_visits] * 4
    assert analyst.asked[2].label == "a.sgf, move 2"


def test_a_game_with_suicide_is_asked_about_by_rules_that_allow_it(asked):
    analyst = asked(made_up(0.01, 0.5))
    corner = GoRecord(9, 7.0, None, {read_point(9, name): BLACK for name in ("C9", "C8", "A7", "B7")}, WHITE, [])
    line = [
        (WHITE, read_point(9, "A9")),
        (BLACK, read_point(9, "G3")),
        (WHITE, read_point(9, "B9")),
        (BLACK, read_point(9, "G4")),
    ]
    line += [(WHITE, read_point(9, "A8")), (BLACK, read_point(9, "G5")), (WHITE, read_point(9, "B8"))]
    list(hunt(replace(corner, moves=line), SOURCE, SETTINGS))
    assert all(query.may_suicide for query in analyst.asked)
    analyst.asked.clear()
    list(hunt(replace(corner, moves=line[:-1]), SOURCE, SETTINGS))
    assert not any(query.may_suicide for query in analyst.asked)


# ------------------------------------------------------------------ the judge, with the engine's answers


def test_a_book_problem_is_accepted_with_its_solution(asked):
    asked(Recorded("judge"))
    judged = judge_problem(on_19("straight three", WHITE), None, SETTINGS)
    assert isinstance(judged, JudgedProblem)
    assert name_cell(19, judged.tree.right.move) == "D1"
    assert judged.tree.wrong
    assert all(name_cell(19, branch.replies[0].move) == "D1" for branch in judged.tree.wrong)
    assert (judged.verification, judged.engine, judged.budget, judged.proof) == ("engine", "katago 1.18.1", 400, None)
    assert judged.evidence.prior > 0.5
    assert judged.evidence.score_swing > 10


@pytest.mark.parametrize(
    ("name", "side", "reason"),
    [
        ("straight four", WHITE, "settled"),
        ("square four", WHITE, "ambiguous"),
        ("six in the corner", WHITE, "settled"),  # a ko is no success
    ],
)
def test_what_is_no_problem_is_rejected(asked, name, side, reason):
    asked(Recorded("judge"))
    found = judge_problem(on_19(name, side), None, SETTINGS)
    assert isinstance(found, Rejection)
    assert found.reason == reason


# ------------------------------------------------------------------ the judge, with answers made up

VITAL, OTHER = read_point(19, "D1"), read_point(19, "C1")


def candidate(**changes):
    problem = on_19("straight three", WHITE)
    board = problem.boards[0]
    black, white = (
        tuple(cell for cell in range(board.colour.size) if board.colour[cell] == colour) for colour in (BLACK, WHITE)
    )
    made = Candidate(SOURCE, 10, 19, black, white, WHITE, 0, (min(problem.marked),), OTHER, 0.3, 12.0)
    return replace(made, **changes)


def opinion(right=(VITAL,), on_board=1.0, in_crop=True):
    """White succeeds in the crop by these first moves only; on the whole board by them as well if `on_board` is positive."""

    def answer(query):
        first = query.moves[0][1] if query.moves else None
        is_framed = bool(query.avoided)
        left_out = query.avoided[-1][1] if is_framed else ()
        open_moves = [cell for cell in right if cell not in left_out]
        succeeds = in_crop and (first in right if query.moves else bool(open_moves))
        if not is_framed:
            return 0.5, 0.0, (), -on_board
        moves = [(cell, 0.4) for cell in (*open_moves, OTHER, VITAL) if cell not in left_out]
        return (0.05, -8.0, moves, -0.9) if succeeds else (0.95, 15.0, moves, 0.9)

    return answer


@pytest.mark.parametrize(
    ("answer", "changes", "reason"),
    [
        (opinion(), {}, None),
        (opinion(in_crop=False), {}, "crop_changed"),
        (opinion(right=(VITAL, read_point(19, "E1"))), {}, "ambiguous"),
        (opinion(right=(VITAL, 0)), {}, "ambiguous"),
        (opinion(on_board=-1.0), {}, "crop_changed"),
        (opinion(), {"played": VITAL}, "crop_changed"),
        (opinion(), {"ko": OTHER}, "ko"),
        (lambda query: (0.5, 0.0, [(VITAL, 0.5)], 0.0), {}, "too_deep"),
    ],
)
def test_each_doubt_has_its_reason(asked, answer, changes, reason):
    asked(Scripted(answer))
    found = judge(candidate(**changes), SETTINGS)
    assert (found.reason if isinstance(found, Rejection) else None) == reason
    assert reason is None or reason in REASONS


def test_a_short_solution_is_trivial_unless_it_is_wanted(asked):
    asked(Recorded("judge"))
    found = judge_problem(
        on_19("straight three", WHITE), None, KataGoMining(judge=SETTINGS.judge.model_copy(update={"min_plies": 3}))
    )
    assert found == Rejection("trivial", "1 moves solve it")


def test_visits_grow_until_it_is_clear_and_tell_when_the_move_was_found(asked):
    def answer(query):
        looked = opinion()(query)
        return looked if query.visits > 24 or len(query.moves) else (0.5, 0.0, [(OTHER, 0.5)], 0.0)

    asked(Scripted(answer))
    judged = judge(candidate(), SETTINGS)
    assert judged.evidence.visits_to_find == 96


def test_the_judge_asks_in_a_frame_and_once_on_the_whole_board(asked):
    analyst = asked(Scripted(opinion()))
    judge(candidate(), SETTINGS)
    framed = make_frame(on_19("straight three", WHITE)).stones
    whole = [query for query in analyst.asked if query.stones != framed]
    assert [(query.avoided, query.moves) for query in whole] == [((), ((WHITE, VITAL),))]
