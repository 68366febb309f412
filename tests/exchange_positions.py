"""EXCHANGE in tests: positions from text, moves by their text, dice by hand."""

from __future__ import annotations

import numpy as np

from naive.exchange import Exchange, Piece
from playmill.games.exchange.board import LETTERS, PROMOTED, SIDE_OF, TYPE_OF
from playmill.games.exchange.move_text import move_text, read_move
from playmill.games.exchange.notation import read_position
from playmill.games.exchange.rules import EXCHANGE, logit_ids
from playmill.games.kit.samples import play_word
from playmill.games.state import State

# A chance word for each face of the die.
WORDS = {die: np.uint64((((die - 1) * 2**32 // 6) + 1) << 32) for die in range(1, 7)}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w 00 0 0 -"
BUSY = (
    "r1bqk2r/ppp2ppp/2n1p3/1B1pP3/1b1P2n1/2N2N2/PPP2PPP/R1BQK2R w 00 12 3 -",
    "4k(9*1)3/2P5/3n(4)4/1r(8)QpB(3)3/2N(7~1*3)1q(9)3/3R(5)b3/5p2/4K(12*2)3 b 10 91 0 -",
    "2b1k3/8/1p2r(3*1)3/3Nq(6~2)3/3PK(20*2)3/2n2B2/6P1/8 w 20 120 1 -",
)


def at(text: str) -> State:
    """The state that a text means; "... w" or a board alone means one without history."""
    fields = text.split(" ")
    side = fields[1] if len(fields) > 1 else "w"
    whole = text if len(fields) == 6 else f"{fields[0]} {side} 00 {100 + (side == 'b')} 0 -"
    records = read_position(whole)
    return State(EXCHANGE, records, 0, int(records[0].turn))


def moves(state: State, square: str = "") -> set[str]:
    """The texts of the legal moves, of one piece if it is named."""
    return {text for action in state.legal_actions if (text := move_text(action)).startswith(square)}


def play(state: State, *texts: str, die: int = 1) -> State:
    """After these moves, every die showing `die`."""
    for text in texts:
        action, records = read_move(state, text), state.record.reshape(1).copy()
        play_word(EXCHANGE, records, action, WORDS[die])
        state = State(EXCHANGE, records, state.seed, state.ply + 1)
    return state


def board(state: State) -> str:
    """The first field of the text: the pieces."""
    return state.line.split(" ")[0]


def hp(state: State, square: str) -> int:
    return int(state.record.hp[number(square)])


def number(square: str) -> int:
    return 8 * (int(square[1]) - 1) + "abcdefgh".index(square[0])


def twin_of(state: State) -> Exchange:
    """The plain twin in the same position."""
    record = state.record
    pieces = {}
    for square in range(64):
        if code := int(record.piece[square]):
            numbers = (int(part[square]) for part in (record.hp, record.cooldown, record.charges))
            piece = Piece(int(SIDE_OF[code]), LETTERS[TYPE_OF[code]], *numbers, promoted=code >= PROMOTED)
            pieces[square % 8, square // 8] = piece
    return Exchange().place(pieces, int(record.mover), int(record.turn), [int(turns) for turns in record.decree])


def random_moves(seed: int, games: int):
    """All states of some random games with the move played in them, which is None in the last ones."""
    for number_of_game in range(games):
        rng = np.random.default_rng((seed, number_of_game))
        state = EXCHANGE.new(int(rng.integers(2**62)))
        while not state.is_over:
            action = int(rng.choice(state.legal_actions))
            yield state, action
            state = state.apply(action)
        yield state, None


def random_states(seed: int, games: int):
    return (state for state, _ in random_moves(seed, games))


def logits_of(state: State, action: int) -> tuple[int, int]:
    return logit_ids(state.record, action)
