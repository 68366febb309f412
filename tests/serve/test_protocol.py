"""Messages come back as they were, and anything else is refused."""

import numpy as np
import pytest

from playmill.core.evaluation import ALONE, LIST_END
from playmill.serve.lists import put_answers
from playmill.serve.packing import (
    BITS,
    BYTES,
    FLOATS,
    HALVES,
    TRAVELS,
    WORDS,
    AskedLists,
    Malformed,
    gathers,
    most_row_bytes,
    pack_asked,
    pack_features,
    read_features,
    written_type,
)
from playmill.serve.protocol import (
    HEADER_BYTES,
    Header,
    MessageKind,
    ProtocolError,
    Reason,
    decode,
    encode,
    refusal,
    refused,
    rules_key,
    weights_key,
)

HEADER = Header(MessageKind.EVALUATE, 2, 1 << 60, 3, 4, (1 << 64) - 1, 7, 8, 9, 10, 11, 12)


def test_a_message_comes_back_as_it_was():
    frames = encode(HEADER, b"features", b"asked")
    header, payload = decode(frames)
    assert header == HEADER
    assert [bytes(frame) for frame in payload] == [b"features", b"asked"]
    assert len(frames[0]) == HEADER_BYTES == 64


def test_the_header_lies_as_the_formats_page_says():
    head = encode(HEADER)[0]
    fields = {"magic": (0, 4), "version": (4, 2), "kind": (6, 1), "what": (7, 1), "request": (8, 8), "model": (16, 4)}
    fields |= {"edition": (20, 4), "rules": (24, 8), "weights": (32, 8), "rows": (40, 4), "features": (44, 4)}
    fields |= {"logits": (48, 4), "columns": (52, 4), "actions": (56, 4)}
    found = {name: int.from_bytes(head[at : at + size], "little") for name, (at, size) in fields.items()}
    assert found.pop("magic") == int.from_bytes(b"PMIL", "little")
    assert found.pop("version") == 2
    assert found == HEADER._asdict()


def test_every_changed_bit_is_noticed():
    frames = [bytes(frame) for frame in encode(HEADER, bytes(range(32)), b"asked")]
    for number, frame in enumerate(frames):
        for bit in range(8 * len(frame)):
            changed = bytearray(frame)
            changed[bit // 8] ^= 1 << bit % 8
            with pytest.raises(ProtocolError):
                decode([*frames[:number], bytes(changed), *frames[number + 1 :]])


@pytest.mark.parametrize(
    "frames", [[], [b""], [b"PMIL"], [b"x" * 64], encode(HEADER)[:1] * 2, [*encode(HEADER), b"", b"", b""]]
)
def test_what_is_no_message_is_malformed(frames):
    with pytest.raises(ProtocolError) as caught:
        decode(frames)
    assert caught.value.reason == Reason.MALFORMED


def test_another_version_is_told_by_both_numbers_and_its_request():
    head = bytearray(encode(HEADER)[0])
    head[4:6] = (7).to_bytes(2, "little")
    with pytest.raises(ProtocolError, match=r"expected 2, got 7.*same playmill") as caught:
        decode([bytes(head)])
    assert (caught.value.reason, caught.value.request) == (Reason.VERSION, HEADER.request)


def test_a_refusal_says_why():
    header, payload = decode(refusal(9, Reason.BUSY, "the queue is full"))
    error = refused(header, payload)
    assert (error.reason, error.request, str(error)) == (Reason.BUSY, 9, "the queue is full")


def test_keys_tell_rules_and_weights_apart():
    assert len({rules_key("a", "b", "c"), rules_key("ab", "", "c"), rules_key("a", "b", "d")}) == 3
    assert weights_key("") == 0
    assert weights_key("00ff" * 16) == 0x00FF_00FF_00FF_00FF


# ------------------------------------------------------------------ rows


def rows_of(travel, count, width):
    """Numbers with runs of equal ones among them, as a board's planes have."""
    rng = np.random.default_rng(width)
    top = {BITS: 2, BYTES: 256}.get(travel, 9)
    rows = rng.integers(0, top, (count, width))
    for begin in range(0, width, 5):
        rows[:, begin : begin + 4] = rows[:, begin : begin + 1]
    return (rows if travel in (BITS, BYTES) else rows / 8).astype(written_type(travel))


@pytest.mark.parametrize("width", [1, 21, 63, 64, 65, 200])
@pytest.mark.parametrize("travel", TRAVELS)
def test_features_arrive_as_they_were_written(travel, width):
    rows = rows_of(travel, 13, width)
    packed = pack_features(rows, travel)
    assert packed.nbytes <= 13 * most_row_bytes(width, travel)
    out = np.full((5, width), 7, np.float32)
    read_features(packed.tobytes(), 13, width, travel).unpack(4, out)
    assert (out == rows[4:9]).all()


def test_every_bit_of_a_float_arrives():
    """Also those that make no difference to a number: zero with a sign, numbers that are none."""
    words = np.array([[0, 0x80000000, 0x7FC00001, 0xFFC00001, 1, 1, 0, 0x3F800000, 0x7F800000]], np.uint32)
    rows, out = words.view(np.float32), np.ones((1, 9), np.float32)
    read_features(pack_features(rows, FLOATS).tobytes(), 1, 9, FLOATS).unpack(0, out)
    assert (out.view(np.uint32) == words).all()


def test_planes_of_one_number_are_short():
    planes = np.zeros((1, 640), np.float32)
    planes[0, 64:128] = 0.5
    assert pack_features(planes, FLOATS).nbytes == 8 * 10 + 4 * 3  # marks, and three numbers: zero, a half, zero


@pytest.mark.jit
def test_halves_arrive_rounded_as_a_network_rounds_them():
    import torch

    rows = np.random.default_rng(2).normal(size=(6, 10)).astype(np.float32)
    out = np.zeros((6, 10), np.float32)
    read_features(pack_features(rows, HALVES).tobytes(), 6, 10, HALVES).unpack(0, out)
    assert (out == torch.from_numpy(rows).bfloat16().float().numpy()).all()


@pytest.mark.parametrize("travel", TRAVELS)
def test_features_that_are_cut_or_longer_are_malformed(travel):
    frame = pack_features(rows_of(travel, 3, 70), travel).tobytes()
    for wrong in (b"", frame[:5], frame[:-1], frame[: -WORDS.get(travel, np.dtype("u1")).itemsize], frame + bytes(4)):
        with pytest.raises(Malformed, match="3 rows"):
            read_features(wrong, 3, 70, travel)


def test_marks_that_no_rows_have_are_malformed():
    frame = bytearray(pack_features(rows_of(BYTES, 2, 70), BYTES).tobytes())
    for place in (0, 15):  # the first of a row must be marked; there are only 70 places
        wrong = bytearray(frame)
        wrong[place] ^= 0x81
        with pytest.raises(Malformed, match="belong together"):
            read_features(bytes(wrong), 2, 70, BYTES)


def lists_of(logits):
    """Lists of 0 to 9 pairs; what stands behind a list's end is no pair at all."""
    rng = np.random.default_rng(3)
    asked = rng.integers(0, logits, (10, 9, 2)).astype(np.int32)
    asked[:, ::2, 1] = ALONE
    for row, length in enumerate(range(9)):
        asked[row, length] = 0, LIST_END
        asked[row, length + 1 :] = -77
    return asked


@pytest.mark.parametrize("logits", [100, 70_000])
def test_asked_logits_are_summed_as_a_search_sums_them(logits):
    asked = lists_of(logits)
    frame = pack_asked(asked, logits).tobytes()
    assert len(frame) == 10 * 4 + 45 * 2 * (2 if logits == 100 else 4)
    lists = AskedLists.read(frame, 10, 9, logits)
    all_logits, answers = np.random.default_rng(4).normal(size=(4, logits)).astype(np.float32), np.zeros(45, np.float32)
    lists.sum_up(6, all_logits, answers[lists.span(6, 10)])
    assert (answers[: lists.span(6, 10).start] == 0).all()
    out = np.full((10, 9), 5, np.float32)
    assert put_answers(answers, asked, out) == 45
    for row in range(6, 10):
        for place, (one, two) in enumerate(asked[row]):
            if two == LIST_END:
                assert (out[row, place:] == 5).all()
                break
            assert out[row, place] == all_logits[row - 6, one] + (all_logits[row - 6, two] if two >= 0 else np.float32(0))


def test_lists_go_to_an_evaluator_that_chooses_and_its_answers_come_back():
    asked = lists_of(50)
    lists, found = AskedLists.read(pack_asked(asked, 50).tobytes(), 10, 9, 50), np.zeros((3, 9, 2), np.int32)
    lists.put(7, found)
    assert [(found[row, :7] == asked[7 + row, :7]).all() for row in range(3)] == [True] * 3
    chosen, answers = np.arange(27, dtype=np.float32).reshape(3, 9), np.zeros(24, np.float32)
    lists.take(7, chosen, answers)
    assert answers.tolist() == [*range(7), *range(9, 17), *range(18, 27)]


def test_lists_that_are_none_are_malformed():
    asked, rows = lists_of(100), 10
    frame = pack_asked(asked, 100).tobytes()
    backwards = (9).to_bytes(4, "little") + frame[4:]
    for wrong in (b"", frame[:39], frame[:-1], frame[:-4], frame + bytes(4), backwards):
        with pytest.raises(Malformed, match="10 rows"):
            AskedLists.read(wrong, rows, 9, 100)
    with pytest.raises(Malformed, match="at most 8 pairs"):
        AskedLists.read(frame, rows, 8, 100)
    with pytest.raises(Malformed, match="of 90 logits"):
        AskedLists.read(frame, rows, 9, 90)


def test_logits_are_named_only_where_that_is_shorter():
    assert gathers(512, 4608)
    assert not gathers(46, 47)
    assert not gathers(0, 10)
