"""Messages come back as they were, and anything else is refused."""

import numpy as np
import pytest

from playmill.serve.packing import (
    BITS,
    BYTES,
    FLOATS,
    HALVES,
    asked_bytes,
    gather_logits,
    gathers,
    names_known_logits,
    pack_asked,
    pack_features,
    row_bytes,
    unpack_asked,
    unpack_features,
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
    assert found.pop("version") == 1
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
    with pytest.raises(ProtocolError, match=r"expected 1, got 7.*same playmill") as caught:
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


@pytest.mark.parametrize("travel", [BITS, BYTES, FLOATS])
def test_features_arrive_as_they_were_written(travel):
    rng = np.random.default_rng(1)
    top = {BITS: 2, BYTES: 256, FLOATS: 2}[travel]
    rows = rng.integers(0, top, (13, 21)).astype(written_type(travel))
    if travel == FLOATS:
        rows = rng.normal(size=rows.shape).astype(np.float32)
    packed = pack_features(rows, travel)
    assert packed.nbytes == 13 * row_bytes(21, travel)
    out = np.zeros((5, 21), np.float32)
    unpack_features(packed.tobytes(), 4, out, travel)
    assert (out == rows[4:9]).all()


@pytest.mark.jit
def test_halves_arrive_rounded_as_a_network_rounds_them():
    import torch

    rows = np.random.default_rng(2).normal(size=(6, 10)).astype(np.float32)
    packed = pack_features(rows, HALVES)
    out = np.zeros((6, 10), np.float32)
    unpack_features(packed.tobytes(), 0, out, HALVES)
    assert packed.nbytes == 6 * row_bytes(10, HALVES)
    assert (out == torch.from_numpy(rows).bfloat16().float().numpy()).all()


@pytest.mark.parametrize("logits", [100, 70_000])
def test_asked_logits_are_summed_as_a_search_sums_them(logits):
    rng = np.random.default_rng(3)
    asked = rng.integers(0, logits, (7, 9, 2)).astype(np.int32)
    asked[:, ::2, 1] = -1
    frame = pack_asked(asked, logits).tobytes()
    assert len(frame) == 7 * asked_bytes(9, logits)
    assert names_known_logits(frame, logits)
    assert not names_known_logits(frame, int(asked[:, :, 0].max()))
    found = np.empty((4, 9, 2), np.int32)
    unpack_asked(frame, 3, found, logits)
    assert (found == asked[3:]).all()
    all_logits, out = rng.normal(size=(4, logits)).astype(np.float32), np.empty((4, 9), np.float32)
    gather_logits(all_logits, found, out)
    for i in range(4):
        for j, (one, two) in enumerate(found[i]):
            assert out[i, j] == all_logits[i, one] + (all_logits[i, two] if two >= 0 else np.float32(0))


def test_logits_are_named_only_where_that_is_shorter():
    assert gathers(512, 4608)
    assert not gathers(46, 47)
    assert not gathers(0, 10)
