"""The board: captures, ko and area as an independent board has them, and a record that follows from its stones."""

import numpy as np
import pytest
from sgfmill.boards import Board

from go_positions import as_points, boards_of, marks_of, random_states, twin_of
from playmill.core.bits import add_bit, drop_bit, has_bit, lowest_bit
from playmill.core.jit import kernel
from playmill.games.go.board import BLACK, WHITE, board_type, is_legal, place, set_up
from playmill.games.go.board_text import read_board
from playmill.games.go.chains import list_liberties, list_neighbours
from playmill.games.go.geometry import MAX_SIZE, MIN_SIZE, WORDS, cell_of, cells_of, place_of
from playmill.games.go.planes import count_liberties
from playmill.games.go.scoring import area_lead, territory_lead

SGFMILL = {"b": "X", "w": "O", None: "."}


def stones_of(board, size):
    return tuple(SGFMILL[board.get(size - 1 - at // size, at % size)] for at in range(size * size))


@pytest.mark.parametrize(("game", "seeds"), [("go9", range(12)), ("go13", range(2)), ("go19", range(1))])
def test_random_games_agree_with_sgfmill_on_captures_ko_and_area(game, seeds):
    assert sum(captures_beside_sgfmill(game, seed) for seed in seeds) > 20


def captures_beside_sgfmill(game, seed):
    """Play a random game on both boards; return how many moves captured something."""
    outside, captures, taken = None, 0, 0
    for state in random_states(game, seed):
        board, size = state.record.board, int(state.record.board.width)
        outside = outside or Board(size)
        if state.record.last:
            row, column = place_of(size, int(state.record.last))
            ko = outside.play(size - 1 - row, column, "wb"[int(state.record.mover)])
            assert stones_of(outside, size) == marks_of(board)
            ours = place_of(size, int(board.ko)) if board.ko else None
            assert ours == (None if ko is None else (size - 1 - ko[0], ko[1]))
        captures += int(state.record.prisoners.sum() > taken)
        taken = int(state.record.prisoners.sum())
        assert taken + board_stones(board) == int(state.record.positions)
        if state.ply % 7 == 0:
            assert area_lead(board) == outside.area_score() == twin_of(board).area_lead()
    return captures


def board_stones(board):
    return int(((board.colour == BLACK) | (board.colour == WHITE)).sum())


def test_what_is_suicide_is_so_for_sgfmill():
    found = 0
    for state in random_states("go9", 1, every=6):
        boards, colour = boards_of(state), int(state.record.mover) + 1
        boards["ko"] = 0
        ours = np.zeros(boards[0].colour.size, bool)
        fill_legal(boards, colour, ours)
        for cell in np.flatnonzero(boards[0].colour == 0):
            row, column = place_of(9, int(cell))
            outside = Board(9)
            outside.apply_setup(*stones_as_sets(boards[0]), [])
            outside.play(8 - row, column, "bw"[colour - 1])
            is_suicide = outside.get(8 - row, column) is None
            found += is_suicide
            assert ours[cell] == (not is_suicide)
    assert found > 5


@kernel
def fill_legal(boards, colour, found):
    """Where a stone may be played under the simple ko rule."""
    for cell in range(found.size):
        found[cell] = is_legal(boards[0], cell, colour)


def stones_as_sets(board):
    places = {colour: [place_of(9, int(cell)) for cell in np.flatnonzero(board.colour == colour)] for colour in (BLACK, WHITE)}
    return [[(8 - row, column) for row, column in places[colour]] for colour in (BLACK, WHITE)]


@pytest.mark.parametrize("game", ["go9", "go13", "go19"])
def test_a_board_follows_from_its_stones(game):
    """However it came about, its bytes are those of the position set up at once; but for a ko, which is of the last move."""
    for state in random_states(game, 5, every=9):
        ours = boards_of(state)
        ours["ko"] = 0
        again = np.zeros_like(ours)
        set_up(again[0], int(ours[0].width), ours[0].colour.copy())
        assert again.tobytes() == ours.tobytes()


def test_liberties_are_those_of_the_twin():
    for state in random_states("go9", 2, every=4):
        board, twin = state.record.board, twin_of(state.record.board)
        counts = np.zeros(board.colour.size, np.int64)
        count_liberties(board, counts)
        for head in {int(head) for head in board.head if head}:
            found, beside = np.zeros(81, np.int64), np.zeros(81, np.int64)
            count = list_liberties(board, head, found)
            stones, liberties = twin.chain(twin.board, 9 * place_of(9, head)[0] + place_of(9, head)[1])
            assert count == counts[head] == len(liberties)
            assert as_points(np.isin(np.arange(board.colour.size), found[:count]), 9) == liberties
            near = {at for stone in stones for at in twin.neighbours(stone) if twin.board[at] not in (".", twin.board[stone])}
            chains = {frozenset(twin.chain(twin.board, at)[0]) for at in near}
            assert list_neighbours(board, head, beside) == len(chains)


def test_every_stone_has_a_word_of_its_own_and_so_has_every_pair():
    for size in (9, 13, 19):
        first = sum(cells_of(other) for other in range(MIN_SIZE, size))
        words = WORDS[1:, first : first + cells_of(size)]
        words = words[words != 0]
        assert words.size == 2 * size * size
        pairs = words[:, None] ^ words[None, :]
        pairs = pairs[np.triu_indices(words.size, 1)]
        assert pairs.all()
        assert np.intersect1d(pairs, words).size == 0


def test_all_sizes_hold_a_board_full_of_one_colour_but_a_point():
    for size in range(MIN_SIZE, MAX_SIZE + 1):
        boards = np.zeros(1, board_type(size))
        set_up(boards[0], size, np.zeros(cells_of(size), np.uint8))
        taken = np.zeros((2, boards[0].empty.size), np.uint64)
        for at in range(size * size - 1):
            assert place(boards[0], cell_of(size, *divmod(at, size)), BLACK, taken) == 0
        corner = cell_of(size, size - 1, size - 1)
        assert not is_legal(boards[0], corner, BLACK)
        assert is_legal(boards[0], corner, WHITE)
        assert place(boards[0], corner, WHITE, taken) == size * size - 1
        assert marks_of(boards[0]).count(".") == size * size - 1
        assert sum(bin(int(word)).count("1") for word in taken[0]) == size * size - 1
        assert not taken[1].any()


def test_territory_counts_dead_stones_twice_and_prisoners_once():
    boards, names = read_board(
        """
        . X O . .
        X X O . .
        X O O a .
        X O . O O
        X O . . .
        """
    )
    board = boards[0]
    assert area_lead(board) == 7 - 18
    none = np.zeros(board.colour.size, bool)
    assert territory_lead(board, none, np.array([3, 1])) == 1 - 10 + 3 - 1
    taken = np.zeros((2, board.empty.size), np.uint64)
    place(board, names["a"], BLACK, taken)
    dead = none.copy()
    dead[names["a"]] = True
    assert territory_lead(board, none, np.array([0, 0])) == 1 - 4
    assert territory_lead(board, dead, np.array([0, 0])) == 1 - 10 - 1


def test_sets_of_bits():
    words = np.zeros(3, np.uint64)
    for number in (0, 63, 64, 130):
        add_bit(words, number)
    drop_bit(words, 64)
    assert [number for number in range(192) if has_bit(words, number)] == [0, 63, 130]
    assert [first_of(word) for word in (1, 8, 1 << 63, 0)] == [0, 3, 63, 64]


def first_of(word):
    return int(lowest_of(np.array([word], np.uint64)))


@kernel
def lowest_of(words):
    return lowest_bit(words[0])
