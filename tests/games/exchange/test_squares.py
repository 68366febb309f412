"""Sets of squares: the same as walks over the board, square by square."""

import numpy as np
import pytest

from playmill.core.bits import highest_bit, lowest_bit
from playmill.core.jit import kernel
from playmill.games.exchange.board import BLACK, CODES, RAYS, SIDE_OF, WHITE
from playmill.games.exchange.rules import EXCHANGE
from playmill.games.exchange.squares import occupied_by, open_lines


@kernel
def ends_of(word):
    """Both bits, asked in compiled code where there is any."""
    return lowest_bit(word), highest_bit(word)


@kernel
def open_from(words, square):
    return open_lines(words[0], square)


def squares_of(word):
    return {square for square in range(64) if int(word) >> square & 1}


def walked(pieces, square):
    """The squares up to the first piece in each direction."""
    found = set()
    for ray in RAYS[square]:
        for end in ray[ray >= 0]:
            found.add(int(end))
            if int(end) in pieces:
                break
    return found


@pytest.mark.jit
@pytest.mark.parametrize(("word", "lowest", "highest"), [(0, 64, -1), (1, 0, 0), (1 << 63, 63, 63), (0b10100, 2, 4)])
def test_the_lowest_and_highest_bit(word, lowest, highest):
    assert ends_of(np.uint64(word)) == (lowest, highest)


@pytest.mark.jit
@pytest.mark.parametrize("share", [0.0, 0.1, 0.4, 0.9])
def test_lines_are_open_up_to_the_first_piece(share):
    rng = np.random.default_rng(int(10 * share))
    for square in range(64):
        pieces = set(np.flatnonzero(rng.random(64) < share).tolist())
        words = np.array([sum(1 << piece for piece in pieces)], np.uint64)
        assert squares_of(open_from(words, square)) == walked(pieces, square)


@pytest.mark.jit
def test_each_piece_stands_in_its_sides_set():
    rng = np.random.default_rng(0)
    records = EXCHANGE.records(1)
    for _ in range(20):
        records[0].piece[:] = rng.integers(0, CODES, 64)
        for side, word in zip((WHITE, BLACK), occupied_by(records[0]), strict=True):
            assert squares_of(word) == set(np.flatnonzero(SIDE_OF[records[0].piece] == side).tolist())
