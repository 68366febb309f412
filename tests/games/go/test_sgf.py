"""Game records in SGF: every repair, encoding and reason; what is read and written again stays the same; nothing crashes."""

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playmill.games.go.sgf import clean as cleaner
from playmill.games.go.sgf.clean import CleanGame, RejectedGame, clean_sgf
from playmill.games.go.sgf.encodings import decode
from playmill.games.go.sgf.record import read_record
from playmill.games.go.sgf.repairs import REASONS, REPAIRS
from playmill.games.go.sgf.root import komi_in_points
from playmill.games.go.sgf.tree import SgfNode, parse_sgf, write_sgf
from sgf_files import ALL, ENCODINGS, REJECTED, REPAIRED

FORMATS = Path(__file__).parents[3] / "docs" / "formats.md"


def repairs_of(cleaned):
    return {code for one in [cleaned, *(game for game in cleaned.games if isinstance(game, CleanGame))] for code in one.repairs}


def assert_sound(cleaned):
    """Whatever came out can be cleaned again, and nothing is left to do."""
    for game in cleaned.games:
        if isinstance(game, CleanGame):
            again = clean_sgf(game.sgf.encode(), keep_comments=True)
            assert [one.sgf for one in again.games] == [game.sgf]
            assert repairs_of(again) == set()
            assert len(read_record(game.root).moves) == game.moves
        else:
            assert game.reason in REASONS


# ------------------------------------------------------------------ broken files


@pytest.mark.parametrize("case", [*ENCODINGS, *REPAIRED], ids=lambda case: case.name)
def test_a_broken_file_is_repaired(case):
    cleaned = clean_sgf(case.data)
    assert cleaned.encoding == case.encoding
    assert [game.moves for game in cleaned.games] == list(case.moves)
    assert repairs_of(cleaned) == case.repairs
    assert case.has in "".join(game.sgf for game in cleaned.games).replace("\n", "")
    assert_sound(cleaned)


@pytest.mark.parametrize("case", REJECTED, ids=lambda case: case.name)
def test_what_cannot_be_repaired_is_rejected_with_its_reason(case):
    cleaned = clean_sgf(case.data)
    (problem,) = [cleaned.rejected] if cleaned.rejected else cleaned.games
    assert isinstance(problem, RejectedGame)
    assert problem.reason == case.reason
    assert problem.detail
    assert "\n" not in problem.detail


def test_every_repair_and_every_reason_has_a_file_and_stands_in_the_docs():
    told = FORMATS.read_text()
    assert {code for case in ALL for code in case.repairs} == set(REPAIRS)
    assert {case.reason for case in REJECTED} == set(REASONS) - {"unreadable", "too_large"}  # tests/puzzles has those
    assert [code for code in [*REPAIRS, *REASONS] if f"`{code}`" not in told] == []


def test_comments_stay_if_they_are_wanted():
    (game,) = clean_sgf(b"(;GM[1]SZ[19];B[pd]C[Tom [3k]: (hi)];W[dd])", keep_comments=True).games
    assert next(node for node in game.root.main_line() if "B" in node.properties).text("C") == "Tom [3k]: (hi)"


def test_a_game_that_goes_on_from_a_setup_begins_with_the_whole_position():
    first, second = clean_sgf(b"(;SZ[9]KM[7];B[cc];W[gg];AB[aa]AE[gg]PL[W];W[ee])").games
    assert first.moves == 2
    record = read_record(second.root)
    assert (record.komi, len(record.stones), record.moves[0][0], len(record.moves)) == (7.0, 2, 2, 1)


@pytest.mark.parametrize(
    ("number", "points"),
    [
        (6.5, 6.5),
        (0, 0),
        (-5.5, -5.5),
        (375, 7.5),
        (750, 7.5),
        (650, 6.5),
        (275, 5.5),
        (3.75, 7.5),
        (65, 6.5),
        (380, None),
        (6.3, None),
    ],
)
def test_komi_in_points(number, points):
    assert komi_in_points(number) == points


CHINESE = [
    "古力 常昊",
    "聂卫平",
    "中国围棋甲级联赛",
    "马晓春 九段",
    "黑胜3又1/4子",
    "连笑 芈昱廷",
    "这步棋很好，黑棋已经没有办法了",
]
JAPANESE = ["本因坊", "趙治勲", "依田紀基九段", "黒中押し勝ち", "坂田栄男 藤沢秀行", "これはいい手です", "第一期名人戦"]
KOREAN = ["이창호", "조훈현 9단", "백 반집승", "신진서 커제 농심신라면배", "이 수는 아주 좋은 수입니다", "박정환 흑불계승"]
WESTERN = ["Jörg Müller", "René", "Günther Weiß", "Rémi Coulom né", "Ångström Pär", "Ménard", "Cão", "Øystein"]


@pytest.mark.parametrize(
    ("encoding", "words"),
    [(e, w) for e, ws in (("gb18030", CHINESE), ("shift_jis", JAPANESE), ("euc_kr", KOREAN), ("latin-1", WESTERN)) for w in ws],
)
def test_a_few_characters_tell_the_encoding(encoding, words):
    decoded = decode(f"(;GM[1]PB[{words}];B[aa])".encode(encoding))
    assert (decoded.encoding, decoded.is_guess) == (encoding, encoding == "latin-1")
    assert words in decoded.text


def test_the_main_line_has_no_limit_and_neither_has_nesting():
    deep = b"(;GM[1]SZ[9]" + b"(;C[a]" * 3_000 + b";B[aa]"
    assert [game.moves for game in clean_sgf(deep).games] == [1]
    long = b"(;GM[1]SZ[9]" + b";B[];W[]" * 3_000 + b")"
    assert [game.moves for game in clean_sgf(long).games] == [6_000]


@pytest.mark.parametrize(
    "part", [b"C[a]x ", b"C[[[", b"(", b";", b"]", b"C[\\", b"(;B[aa]", b"B[", b"a" * 50, b" (", b"PB[\nPW"]
)
def test_time_grows_with_the_size_of_a_file_and_no_faster(part):
    """Ten times the file may take thirty times as long at the most, and that only since small times are uncertain."""

    def seconds(size):
        data, began = (b"(;GM[1]" + part * (size // len(part)))[:size], time.process_time()
        clean_sgf(data)
        return time.process_time() - began

    seconds(1_000)
    small = max(seconds(5_000), 0.02)
    assert any(seconds(50_000) < 30 * small for _ in range(4))  # a neighbour in the cache may slow one try down, not all


# ------------------------------------------------------------------ round trips

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
NODES = st.recursive(
    st.builds(lambda words: (words, []), TEXTS),
    lambda inner: st.tuples(TEXTS, st.lists(inner, max_size=3)),
    max_leaves=12,
)


def tree_of(shape):
    words, children = shape
    node = SgfNode({}, [tree_of(child) for child in children])
    node.set_text("C", words)
    return node


def shape_of(node):
    return node.text("C"), [shape_of(child) for child in node.children]


@given(NODES)
@settings(max_examples=100, deadline=None)
def test_a_tree_is_the_same_after_writing_and_reading(shape):
    text = write_sgf(tree_of(shape))
    again = parse_sgf(text)
    spaced = parse_sgf(write_sgf(again))
    assert shape_of(again) == shape_of(spaced)
    assert [words.split() for words in flat(shape_of(again))] == [words.split() for words in flat(shape)]
    assert write_sgf(again) == text


def flat(shape):
    return [shape[0], *(words for child in shape[1] for words in flat(child))]


@given(st.lists(st.integers(0, 81), min_size=1, max_size=60), st.sampled_from([None, 0.5, 5.5, 7.0]))
@settings(max_examples=100, deadline=None)
@pytest.mark.jit
def test_a_random_game_is_cleaned_without_loss(numbers, komi):
    points = ["" if number == 81 else "abcdefghi"[number % 9] + "abcdefghi"[number // 9] for number in dict.fromkeys(numbers)]
    moves = "".join(f";{'BW'[turn % 2]}[{point}]" for turn, point in enumerate(points))
    text = f"(;GM[1]SZ[9]{'' if komi is None else f'KM[{komi}]'}{moves})"
    (game,) = clean_sgf(text.encode()).games
    if isinstance(game, RejectedGame):
        assert game.reason == "illegal_move"  # suicide
        return
    kept = [node.raw("B" if "B" in node.properties else "W") for node in game.root.main_line()][1:]
    assert kept == points[: len(kept)]
    assert (len(kept), game.komi) == (len(points), komi) or game.repairs == ["end_cut"]
    assert_sound(clean_sgf(text.encode()))


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_bytes_are_too_strange(data):
    assert_sound(clean_sgf(data))


# ------------------------------------------------------------------ mutations

PARTS = [
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b"B[",
    b"W[aa]",
    b"AB[cc]",
    b"SZ[9]",
    b"KM[375]",
    b"C[",
    b"\n",
    b"\x00",
    b"\x81",
    b"\xe9",
    b"(;",
    b"[dd:ff]",
    b"AE[",
]


def mutated(data, rng):
    """The file with a few bytes changed, left out, doubled, moved, or cut off."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8, 30))):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            del data[at : at + rng.choice((1, 1, 2, 10))]
        elif kind == 2:
            data[at:at] = rng.choice(PARTS)
        elif kind == 3:
            data[at:at] = data[at : at + rng.randrange(1, 30)]
        elif kind == 4 and rng.random() < 0.1:
            del data[at:]
        else:
            other = rng.randrange(len(data) + 1)
            data[at:at] = data[other : other + rng.randrange(1, 12)]
    return bytes(data)


def originals():
    return [case.data for case in ALL if case.data]


def fuzz(seed, count):
    rng, files, slowest = random.Random(seed), originals(), 0.0
    outcomes = set()
    for _ in range(count):
        data = mutated(rng.choice(files), rng)
        began = time.process_time()
        cleaned = clean_sgf(data, keep_comments=rng.random() < 0.5)
        slowest = max(slowest, time.process_time() - began)
        if rng.random() < 0.1:
            assert_sound(cleaned)
        outcomes |= {game.reason if isinstance(game, RejectedGame) else "cleaned" for game in cleaned.games}
    assert {"cleaned", "illegal_move", "bad_point", "board_size"} <= outcomes
    assert slowest < 5.0


@pytest.mark.jit
def test_two_thousand_mutated_files_neither_crash_nor_hang():
    clean_sgf(originals()[0])  # compiled before the clock runs
    fuzz(1, 2_000)


@pytest.mark.slow
@pytest.mark.jit
def test_a_hundred_thousand_mutated_files_neither_crash_nor_hang():
    clean_sgf(originals()[0])
    fuzz(2, 100_000)


def test_a_file_that_is_too_large_is_not_even_decoded(monkeypatch):
    monkeypatch.setattr(cleaner, "MAX_BYTES", 10)
    assert clean_sgf(b"(;GM[1];B[aa])").rejected.reason == "too_large"
