"""EXCHANGE's positions and moves as text: one text a record, one record a text, and what is refused."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exchange_positions import BUSY, START, at, logits_of, moves, random_states
from playmill.core.errors import IllegalAction, UsageError
from playmill.games.exchange.board import CHARGES, KING, LETTERS, MAX_HP, PAWN, SEEN_COOLDOWN, TYPE_OF, code_of
from playmill.games.exchange.move_text import move_text, read_move
from playmill.games.exchange.notation import read_position
from playmill.games.exchange.position_text import position_text
from playmill.games.exchange.rules import EXCHANGE


def check_state(state):
    """What must be true of every state: a text that leads back, and of its moves: numbers, logits and texts of their own."""
    assert read_position(state.line).tobytes() == state.record.tobytes()
    texts = [move_text(action) for action in state.legal_actions]
    assert len(set(state.legal_actions)) == len(set(texts)) == len(texts)
    found = [logits_of(state, action) for action in state.legal_actions]
    assert len(set(found)) == len(found)
    assert all(0 <= first < 4096 and (second == -1 or 4096 <= second < 4608) for first, second in found)
    by_text = dict(zip(texts, state.legal_actions, strict=True))
    assert read_move(state, texts[-1]) == by_text[texts[-1]] if texts else state.is_over


@pytest.mark.jit
def test_states_and_moves_of_random_games_come_back_from_their_texts():
    for number, state in enumerate(random_states(1, 12)):
        if number % 2 == 0 or state.is_over:
            check_state(state)


@pytest.mark.slow
def test_a_hundred_thousand_positions_have_moves_with_their_own_numbers_logits_and_texts():
    positions = 0
    for state in random_states(2, 400):
        check_state(state)
        positions += 1
    assert positions > 100_000


@st.composite
def boards(draw):
    """Any record that a game could be at, as far as its pieces go."""
    record = EXCHANGE.records(1)[0]
    squares = draw(st.permutations(range(64)))
    kinds = [KING, KING, *draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 5, 5]), max_size=12))]
    for place, kind in enumerate(kinds):
        side = place % 2 if kind == KING else draw(st.integers(0, 1))
        code = code_of(side, kind)
        most = {1: 1, 2: 2, 3: 2, 4: 2, 5: 7}.get(kind, 1)
        square = squares[place]
        if (record.piece == code).sum() >= most or (kind == PAWN and square // 8 in (0, 7)):
            continue
        record.piece[square] = code
        record.hp[square] = draw(st.integers(1, int(MAX_HP[kind])))
        record.cooldown[square] = draw(st.integers(0, SEEN_COOLDOWN[kind]))
        record.charges[square] = draw(st.integers(0, int(CHARGES[kind])))
        record.alive[side] += 1
        if kind == KING:
            record.king[side] = square
    record.turn = draw(st.integers(0, 300))
    record.calm = draw(st.integers(0, int(record.turn)))
    record.mover, record.repeats = record.turn % 2, 1
    for side in range(2):
        used = record.charges[record.king[side]] < CHARGES[KING]
        record.decree[side] = draw(st.integers(0, 2)) if used else 0
    return record


@given(boards())
@settings(max_examples=150, deadline=None)
def test_any_board_comes_back_from_its_text(record):
    text = position_text(record)
    again = read_position(text)
    assert again.tobytes() == record.tobytes()
    assert position_text(again[0]) == text


@given(st.sampled_from([START, *BUSY]), st.integers(0, 200), st.sampled_from("KQRBNPkqrbnp+()~*0123456789/wb -"))
@settings(max_examples=300, deadline=None)
def test_a_text_with_a_wrong_character_is_refused_or_means_itself(text, place, character):
    place %= len(text)
    changed = text[:place] + character + text[place + 1 :]
    try:
        record = read_position(changed)[0]
    except UsageError:
        return
    assert position_text(record) == changed


def test_the_trail_is_part_of_the_text_and_brings_the_repetitions_back():
    state = EXCHANGE.new(0)
    for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
        state = state.apply(read_move(state, text))
    assert state.line.endswith("w 00 4 4 g1f3,g8f6,f3g1,f6g8")
    assert read_position(state.line)[0].repeats == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8/8 w 00 0 0 -", "expected eight ranks"),
        ("4k3/8/8/8/8/8/8/4K3", "six fields, 'board side decree turn calm trail', got 1"),
        ("4k3/8/8/8/9/8/8/4K3 w 00 0 0 -", "a4: expected a piece such as N"),
        ("4k3/8/8/8/7/8/8/4K3 w 00 0 0 -", "rank 4: expected eight squares, got 7"),
        ("4k3/8/8/8/44P/8/8/4K3 w 00 0 0 -", "e4: expected a piece"),
        ("4k3/8/8/8/8P/8/8/4K3 w 00 0 0 -", "rank 4: expected eight squares, got more"),
        (
            "4k3/8/8/x7/8/8/8/4K3 w 00 0 0 -",
            "a5: expected a piece such as N or r(9~2*4), or how many squares are empty, got 'x7'",
        ),
        ("r(14)3k3/8/8/8/8/8/8/4K3 w 00 0 0 -", "a8: expected HP of 1 to 13 for a rook, got 14"),
        ("4k(0)3/8/8/8/8/8/8/4K3 w 00 0 0 -", "e8: expected HP of 1 to 25 for a king, got 0"),
        ("4k3/8/8/8/8/8/8/Q(~3)3K3 w 00 0 0 -", "a1: expected a cooldown of 0 to 2 for a queen, got 3"),
        ("4k3/8/8/8/8/8/8/4K(*4)3 w 00 0 0 -", "e1: expected charges of 0 to 3 for a king, got 4"),
        ("4k3/8/8/8/8/8/8/Q(*1)3K3 w 00 0 0 -", "a1: expected charges of 0 to 0 for a queen, got 1"),
        (
            "4k3/8/8/8/8/8/8/R(13)3K3 w 00 0 0 -",
            "a1: expected only what differs from a fresh rook in brackets, as R, got 'R(13)'",
        ),
        ("4k3/8/8/8/8/8/8/R()3K3 w 00 0 0 -", "a1: expected only what differs"),
        ("4k3/8/8/8/8/8/8/R+3K3 w 00 0 0 -", "a1: only a queen can have been a pawn, got 'R+'"),
        ("4k3/8/8/8/8/8/8/P3K3 w 00 0 0 -", "a1: expected no pawn on a first or last rank, got White's"),
        ("4k3/8/8/8/8/8/8/K3K3 w 00 0 0 -", "e1: expected at most 1 of White's kings, got 2"),
        ("4k3/8/8/8/8/8/8/QQ2K3 w 00 0 0 -", "b1: expected at most 1 of White's queens, got 2"),
        ("4k3/8/8/8/8/8/PPPPPPPP/Q+3K3 w 00 0 0 -", "h2: expected at most 7 of White's pawns beside its new queens, got 8"),
        ("8/8/8/8/8/8/8/R7 w 00 0 0 -", "expected a king of at least one side"),
        ("4k3/8/8/8/8/8/8/4K3 b 00 0 0 -", "side: White moves in even turns, so expected 'w', got 'b'"),
        ("4k3/8/8/8/8/8/8/4K3 w 03 0 0 -", "decree: expected White's and Black's turns, each 0 to 2"),
        ("4k3/8/8/8/8/8/8/4K3 w 10 0 0 -", "decree: expected 0 for White, since its king on e1 has all its charges, got 1"),
        ("4k3/8/8/8/8/8/8/4K3 w 00 301 0 -", "turn: expected a whole number from 0 to 300, got '301'"),
        ("4k3/8/8/8/8/8/8/4K3 w 00 4 5 -", "calm: expected a whole number from 0 to 4, got '5'"),
        ("4k3/8/8/8/8/8/8/R3K3 w 00 4 4 e2", "trail: expected moves such as g1f3"),
        ("4k3/8/8/8/8/8/8/R3K3 w 00 4 4 e1e2", "trail: e1e2: expected a piece on e2 that came from e1, which is empty"),
        ("4k3/8/8/8/8/8/8/R3K3 w 00 4 4 a2e1,e7e8", "trail: a2e1: expected a legal move of the position before it"),
        ("4k3/8/8/8/8/8/8/R3K3 w 00 4 1 a2a1,e7e8", "trail: expected at most the 1 calm plies, got 2"),
        ("4k3/8/8/8/8/8/8/R(~1)3K3 w 00 4 2 a2a1,e7e8", "trail: expected '-' while something cools down"),
        ("4k3/8/8/8/8/P7/8/4K3 w 00 4 2 a2a3,e7e8", "trail: expected quiet moves only, none of a pawn"),
    ],
)
def test_an_impossible_position_says_where_and_what_was_expected(text, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        read_position(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("g1g3", "of White's knight on g1 legal moves are g1f3, g1h3"),
        ("e4e5", "expected one of White's pieces on e4, got nothing; those on a2, b1, b2,"),
        ("e7e5", "expected one of White's pieces on e7, got Black's pawn"),
        ("a1a2", "White's rook on a1 has no legal move"),
        ("castle", "expected a move such as g1f3, e4xd5 or e1*, beginning with the square of one of White's pieces"),
    ],
)
def test_an_illegal_move_is_refused_with_the_legal_moves_of_its_piece(text, message):
    with pytest.raises(IllegalAction, match=re.escape(message)):
        read_move(EXCHANGE.new(0), text)


def test_where_there_is_only_a_pass_or_nothing_that_is_said():
    with pytest.raises(IllegalAction, match="White has no other move than '--'"):
        read_move(at("4k3/8/8/8/8/r1r5/PBn5/K(*0)Bn5"), "a1a2")
    with pytest.raises(IllegalAction, match="'a1a2' can't be played, the game is over"):
        read_move(at("4k3/8/8/8/8/8/8/4K3"), "a1a2")


def test_every_kind_of_move_has_its_form():
    forms = {re.sub("[a-h][1-8]", "s", text) for board in (*BUSY, "4k3/8/8/8/8/4P3/8/4K3") for text in moves(at(board))}
    assert forms == {"ss", "sxs", "ssxs", "ss!xs", "sxs!s", "s+s", "s*", "ss^"}


def test_logits_are_seen_by_the_side_to_move():
    white, black = at("4k3/8/8/8/8/8/4P3/4K3"), at("4k3/4p3/8/8/8/8/8/4K3 b")
    assert logits_of(white, read_move(white, "e2e4")) == logits_of(black, read_move(black, "e7e5")) == (64 * 28 + 12, -1)


@pytest.mark.parametrize(
    ("board", "move", "expected"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3", "e4xd5", (64 * 35 + 28, -1)),
        ("4k3/8/8/8/4r3/8/8/3N3K", "d1e3xe4", (64 * 20 + 3, 4096 + 64 * 0 + 20)),
        ("4k3/8/8/8/8/6r1/8/3QK3", "d1d3!xg3", (64 * 19 + 3, 4096 + 64 * 2 + 19)),
        ("4k3/8/8/3p4/3N4/8/8/4K3", "d4xd5!e3", (64 * 20 + 27, 4096 + 64 * 0 + 27)),
        ("4k3/8/8/8/3B4/2P(5)5/8/4K3", "d4+c3", (64 * 18 + 27, -1)),
        ("4k3/8/8/8/3B4/2P(5)5/8/4K3", "e1*", (64 * 4 + 4, -1)),
        ("4k3/8/8/8/3n4/3P4/8/4K3 b", "d4xd3!e5", (64 * 28 + 35, 4096 + 64 * 0 + 35)),
    ],
)
def test_which_logits_a_move_has(board, move, expected):
    state = at(board)
    assert logits_of(state, read_move(state, move)) == expected


@pytest.mark.jit
def test_a_plain_pair_of_squares_would_collide():
    """Why moves that aim have a second logit: (from, to) alone is shared by several moves of many positions."""
    states = [state for state in random_states(3, 4) if not state.is_over]
    shared = [len({logits_of(s, a)[0] for a in s.legal_actions}) < len(s.legal_actions) for s in states]
    assert np.mean(shared) > 0.4


def test_letters_and_codes_agree():
    assert [LETTERS[TYPE_OF[code_of(side, kind)]] for side in range(2) for kind in range(6)] == list("KQRBNP" * 2)
