"""Hunter and judge: with the real engine's answers on file, and with answers made up for each way to be rejected."""

from dataclasses import replace

import numpy as np
import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import name_cell, read_board, read_point
from playmill.games.go.geometry import cell_of, place_of
from playmill.games.go.sgf.clean import clean_sgf
from playmill.games.go.sgf.record import GoRecord, read_record
from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.katago.frame import make_frame
from playmill.puzzles.katago.trial import KNOWN, KOMI
from playmill.puzzles.mining import hunt_katago, judge_katago
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.crop_katago import GLANCE, balanced, crops, localize
from playmill.puzzles.mining.flips import find_flipped, find_unsettled
from playmill.puzzles.mining.hunt_katago import hunt
from playmill.puzzles.mining.judge_katago import judge, judge_problem
from playmill.puzzles.mining.judged import JudgedProblem, Rejection
from playmill.puzzles.mining.katago_settings import HuntSettings, JudgeSettings, KataGoMining
from playmill.puzzles.mining.reasons import REASONS
from playmill.puzzles.solution_tree import PASS
from puzzles.katago.big_boards import on_19
from puzzles.katago.recorded import Recorded, Scripted

pytestmark = pytest.mark.jit

SOURCE = SourceFacts("a.sgf", "0" * 64)
SETTINGS = KataGoMining(
    hunt=HuntSettings(scan_every=2, scan_visits=4, confirm_visits=30, decided_winrate=0.99, unsettled_every=0),
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
    found, _ = hunt(known_game("E2", "E9"), SOURCE, SETTINGS)
    assert (found.move_number, found.to_play, name_cell(9, found.played)) == (0, BLACK, "E2")
    assert [name_cell(9, cell) for cell in found.marked] == ["C9"]
    assert found.winrate_drop > 0.5
    assert found.score_loss > 10
    assert found.problem().defender == WHITE


def test_who_may_punish_it_has_a_problem_as_well(asked):
    asked(Recorded("hunt"))
    missed, punished = hunt(known_game("E2", "E9"), SOURCE, SETTINGS)
    assert (punished.move_number, punished.to_play, punished.played) == (1, WHITE, None)
    assert (punished.marked, punished.score_loss) == (missed.marked, missed.score_loss)
    assert set(punished.black) - set(missed.black) == {read_point(9, "E2")}
    only = KataGoMining(hunt=SETTINGS.hunt.model_copy(update={"punish": False}))
    assert list(hunt(known_game("E2", "E9"), SOURCE, only)) == [missed]


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
    assert len(list(hunt(known_game("E2"), SOURCE, SETTINGS))) == 2 * count  # before it, and after it


@pytest.mark.parametrize(
    ("before", "after", "is_lost"),
    [
        (0.34, -0.80, True),  # as the professional's D17, below: how far the ends are apart counts, not each of them
        (0.1, -0.65, True),
        (0.8, 0.0, False),
        (-0.1, -0.9, False),
        (0.3, -0.3, False),
        (-0.8, 0.8, False),
    ],
)
def test_a_chain_is_lost_if_it_goes_far_enough_from_one_side_to_the_other(before, after, is_lost):
    board = read_board(KNOWN)[0][0]
    looks = [Analysis(9, 1, 0.5, 0.0, (), (owner,) * 81) for owner in (before, after)]
    lost = find_flipped(board, *looks, BLACK, HuntSettings())
    assert bool(lost) == is_lost
    assert not lost or len({int(board.colour[cell]) for cell in lost}) == 1


def test_only_moves_that_seem_to_lose_a_group_are_looked_at_for_long(asked):
    analyst = asked(made_up(0.3, 9.0, owner=0.01))
    assert list(hunt(known_game("E2", "E9", "E3", "D3", "F3"), SOURCE, SETTINGS)) == []
    looks = [(len(query.moves), query.visits) for query in analyst.asked]
    assert looks == [(number, SETTINGS.hunt.scan_visits) for number in (0, 2, 4, 5)]
    assert analyst.asked[1].label == "a.sgf, move 2"


def test_where_a_group_changed_hands_every_move_is_looked_at(asked):
    def answer(query):
        is_before = len(query.moves) < 3
        return 0.7 if is_before else 0.2, 0.0, (), 0.9 if is_before else -0.9

    analyst = asked(Scripted(answer))
    found = list(hunt(known_game("E2", "D2", "E3", "D3", "F3"), SOURCE, SETTINGS))
    assert [(one.move_number, one.to_play) for one in found] == [(2, BLACK), (3, WHITE)]
    looks = [(len(query.moves), query.visits) for query in analyst.asked]
    scan, confirm = SETTINGS.hunt.scan_visits, SETTINGS.hunt.confirm_visits
    assert looks == [(0, scan), (2, scan), (4, scan), (5, scan), (3, scan), (2, confirm), (3, confirm)]


def test_an_opening_is_not_looked_at_unless_it_was_set_up(asked):
    analyst = asked(made_up(0.0, 0.0, owner=0.0))
    line = [(1 + number % 2, read_point(19, name)) for number, name in enumerate(["Q16", "D4", "Q3", "D17", "C15"])]
    few = KataGoMining(hunt=SETTINGS.hunt.model_copy(update={"first_move": 3}))
    list(hunt(GoRecord(19, 7.5, None, {}, BLACK, line), SOURCE, few))
    assert [len(query.moves) for query in analyst.asked] == [3, 5]
    analyst.asked.clear()
    list(hunt(known_game("E2", "E9"), SOURCE, few))
    assert [len(query.moves) for query in analyst.asked] == [0, 2]


HONINBO = """
    (;GM[1]FF[4]SZ[19]KM[0]AB[cc][oc][cd][ld][md][nd][od][qd][de][ge][bg][cg][dg][fg][qg][ch][eh][gh][oi][pk][qk][il][kl][ll]
    [ml][nl][ol][pl][fm][fn][go][mp][eq][hq][nq][oq][er][nr]AW[bb][cb][dc][gc][kc][lc][mc][nc][fd][id][ef][hf][bh][dh][bi][ci]
    [di][ei][qi][gj][oj][pj][kk][lk][mk][nk][ok][dm][gm][pm][do][po][cp][op][qp][dq][pq][or]PL[B]
    ;B[ed];W[fe];B[ec];W[eg];B[eb];W[jk])
"""


def test_a_blunder_of_a_professional_is_found_with_the_default_settings(asked):
    """Kato against Sekiyama, 1941, from move 77: White's E13 gives the corner away, which E18 would save."""
    asked(Recorded("hunt"))
    record = read_record(clean_sgf(HONINBO.encode()).games[0].root)
    missed, punished = hunt(record, SOURCE, KataGoMining(hunt=HuntSettings(unsettled_every=0)))
    assert (missed.move_number, missed.to_play, name_cell(19, missed.played)) == (3, WHITE, "E13")
    assert [name_cell(19, cell) for cell in missed.marked] == ["B18", "D17"]
    assert missed.score_loss > 5
    assert (punished.move_number, punished.to_play, punished.marked) == (4, BLACK, missed.marked)


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
    judged = judge_problem(on_19("straight three", WHITE), SETTINGS)
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
    found = judge_problem(on_19(name, side), SETTINGS)
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
            return 0.5, 0.0, (), on_board if first == PASS else -on_board
        moves = [(cell, 0.4) for cell in (*open_moves, OTHER, VITAL) if cell not in left_out]
        return (0.05, -8.0, moves, -0.9) if succeeds else (0.95, 15.0, moves, 0.9)

    return answer


def unclear(query):
    return 0.5, 0.0, [(VITAL, 0.5)], 0.0


@pytest.mark.parametrize(
    ("answer", "changes", "reason"),
    [
        (opinion(), {}, None),
        (opinion(in_crop=False), {}, "crop_changed"),
        (opinion(right=(VITAL, read_point(19, "E1"))), {}, "ambiguous"),
        (opinion(right=(VITAL, PASS)), {}, "crop_changed"),  # it is White's whoever plays first
        (opinion(on_board=-1.0), {}, "crop_changed"),
        (opinion(), {"played": VITAL}, "crop_changed"),
        (opinion(), {"ko": OTHER}, "ko"),
        (lambda query: unclear(query) if query.visits > GLANCE else opinion()(query), {}, "too_deep"),
        (lambda query: opinion()(query) if query.avoided else (0.5, 0.0, (), -1.0), {}, "crop_changed"),  # time to pass there
    ],
)
def test_each_doubt_has_its_reason(asked, answer, changes, reason):
    asked(Scripted(answer))
    found = judge(candidate(**changes), SETTINGS)
    assert (found.reason if isinstance(found, Rejection) else None) == reason
    assert reason is None or reason in REASONS


def elsewhere(inside, black_winrate):
    """As `opinion`, but to a wrong move White's opponent prefers to play elsewhere, and this move inside is worth so much."""

    def answer(query):
        winrate, lead, moves, owner = opinion()(query)
        if len(query.moves) == 1 and query.moves[0][1] == OTHER:
            moves = [(0, 0.9), (inside, 0.1)]
            return black_winrate, lead, moves, owner
        return winrate, lead, moves, owner

    return answer


def test_a_wrong_move_that_fails_by_itself_is_refuted_inside_nevertheless(asked):
    asked(Scripted(elsewhere(VITAL, 0.95)))
    judged = judge(candidate(), SETTINGS)
    [wrong] = judged.tree.wrong
    assert (wrong.move, [reply.move for reply in wrong.replies]) == (OTHER, [VITAL])


def test_where_the_search_saw_fewer_wrong_moves_than_a_puzzle_shows_it_is_asked_for_more(asked):
    """Each search names one wrong move, the likeliest that it may play."""
    rest = [OTHER, read_point(19, "E1"), read_point(19, "E2"), read_point(19, "D2")]

    def answer(query):
        winrate, lead, moves, owner = opinion()(query)
        left_out = query.avoided[-1][1] if query.avoided else ()
        if not query.moves and VITAL in left_out:
            moves = [(cell, 0.01) for cell in rest if cell not in left_out][:1]
        return winrate, lead, moves, owner

    asked(Scripted(answer))
    judged = judge(candidate(), SETTINGS)
    assert [branch.move for branch in judged.tree.wrong] == rest[:3]
    assert all([reply.move for reply in branch.replies] == [VITAL] for branch in judged.tree.wrong)


def test_one_of_the_three_most_plausible_wrong_moves_without_refutation_is_no_puzzle(asked):
    asked(Scripted(elsewhere(read_point(19, "Q16"), 0.95)))
    found = judge(candidate(), KataGoMining(judge=SETTINGS.judge.model_copy(update={"plausible_prior": 0.9})))
    assert (found.reason, found.detail) == ("unrefuted", "there is no refutation of C1 inside")


def test_a_short_solution_is_trivial_unless_it_is_wanted(asked):
    asked(Recorded("judge"))
    found = judge_problem(
        on_19("straight three", WHITE), KataGoMining(judge=SETTINGS.judge.model_copy(update={"min_plies": 3}))
    )
    assert found == Rejection("trivial", "1 moves solve it")


def test_visits_grow_until_it_is_clear_and_tell_when_the_move_was_found(asked):
    def answer(query):
        looked = opinion()(query)
        return looked if query.visits != 24 or len(query.moves) else (0.5, 0.0, [(OTHER, 0.5)], 0.0)

    asked(Scripted(answer))
    judged = judge(candidate(), SETTINGS)
    assert judged.evidence.visits_to_find == 96


def test_the_judge_asks_in_a_frame_and_at_last_on_the_whole_board(asked):
    analyst = asked(Scripted(opinion()))
    judge(candidate(), SETTINGS)
    framed = make_frame(on_19("straight three", WHITE))
    stones = (framed.stones, framed.without_threat().stones)
    whole = [query for query in analyst.asked if query.stones not in stones and query.visits > GLANCE]
    assert [(query.avoided, query.moves) for query in whole] == [((), ()), ((), ((WHITE, PASS),)), ((), ((WHITE, VITAL),))]


def test_where_a_ko_threat_costs_points_the_result_is_a_ko(asked):
    def answer(query):
        winrate, lead, moves, owner = opinion()(query)
        has_threat = any(len(cells) == 2 for _, cells, depth in query.avoided if depth == 1)
        return winrate, lead - (0 if has_threat or not query.avoided else 8), moves, owner

    asked(Scripted(answer))
    found = judge(candidate(), SETTINGS)
    assert (found.reason, found.detail) == ("ko", "a ko threat of the opponent's costs 8 points")


def test_a_frame_gets_the_komi_under_which_the_fight_decides_the_game(asked):
    """White is 34.5 points behind even if it kills, and does not care to as long as it is more than 30."""

    def answer(query):
        lead = query.komi - start.komi - 34.5
        kills = abs(lead) < 30 and not query.moves
        return 0.5, -lead if kills else 20 - lead, (), -0.9 if kills else 0.9

    start = make_frame(on_19("straight three", WHITE))
    assert balanced(start, SETTINGS.judge, Scripted(answer), "a problem").komi == start.komi + 40
    indifferent = Scripted(lambda query: (0.5, 0.0, (), 0.9))
    assert balanced(start, SETTINGS.judge, indifferent, "a problem") is None


def test_a_crop_grows_until_who_plays_first_decides(asked):
    """White kills only where a stone five lines from the marked chain has not been cut off."""
    base = candidate()
    places = [place_of(19, cell) for cell in base.problem().marked]
    needed = cell_of(19, min(row for row, _ in places), max(column for _, column in places) + 5)
    one = replace(base, black=tuple(sorted((*base.black, needed))))

    def answer(query):
        kills = (BLACK, needed) in query.stones and not query.moves
        return 0.5, 0.0, (), -0.9 if kills else 0.9

    assert [needed in np.flatnonzero(crop.boards[0].head) for crop in crops(one, SETTINGS.judge)][:2] == [False, True]
    found = localize(one, SETTINGS.judge, Scripted(answer), "a game")
    assert needed in np.flatnonzero(found.problem.boards[0].head)
    assert localize(base, SETTINGS.judge, Scripted(answer), "a game").reason == "crop_changed"


# ------------------------------------------------------------------ groups that hang on who plays first


def looks(black_first, white_first):
    """Answers for either side to play, in which all points have this owner."""
    return {side: Analysis(9, 1, 0.5, 0.0, (), (owner,) * 81) for side, owner in ((BLACK, black_first), (WHITE, white_first))}


@pytest.mark.parametrize(("black_first", "white_first", "is_open"), [(0.9, -0.9, True), (0.9, 0.9, False), (0.4, -0.9, False)])
def test_a_chain_is_unsettled_if_it_is_whoevers_that_plays_first(black_first, white_first, is_open):
    board = read_board(KNOWN)[0][0]
    assert bool(find_unsettled(board, looks(black_first, white_first), HuntSettings())) == is_open


def test_of_an_unsettled_group_the_largest_chain_is_marked_and_few_stones_are_none():
    board = read_board(KNOWN)[0][0]
    assert [name_cell(9, cell) for cell in find_unsettled(board, looks(0.9, -0.9), HuntSettings())] == ["B9"]
    assert find_unsettled(board, looks(0.9, -0.9), HuntSettings(min_stones=30)) == []


def test_both_sides_get_a_problem_of_an_unsettled_group_and_each_group_comes_once(asked):
    """Whoever plays first, all is his: at a glance, and for more visits."""
    analyst = asked(Scripted(lambda query: (0.5, 0.0, (), 0.9 if query.side == BLACK else -0.9)))
    line = known_game("E2", "J1", "A1", "G1")
    settings = KataGoMining(hunt=SETTINGS.hunt.model_copy(update={"unsettled_every": 2, "decided_winrate": 0.5}))
    found = list(hunt(line, SOURCE, settings))
    assert [(one.move_number, one.to_play, one.winrate_drop, one.played) for one in found] == [
        (0, BLACK, None, None), (0, WHITE, None, None)
    ]  # fmt: skip
    assert len({one.marked for one in found}) == 1
    confirmed = [query for query in analyst.asked if query.visits == 30 and not query.moves]
    assert [query.to_play for query in confirmed] == [BLACK, WHITE]


def test_what_a_glance_overrates_is_no_candidate(asked):
    def answer(query):
        return 0.5, 0.0, (), (0.9 if query.side == BLACK else -0.9) * (query.visits < 30)

    asked(Scripted(answer))
    settings = KataGoMining(hunt=SETTINGS.hunt.model_copy(update={"unsettled_every": 2, "decided_winrate": 0.5}))
    assert list(hunt(known_game("E2", "D2", "E3"), SOURCE, settings)) == []
