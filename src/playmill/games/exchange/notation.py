"""Reading positions of EXCHANGE, whose text is that of `position_text.py`: strictly, and with the square at fault."""

from __future__ import annotations

import re
from typing import Any

from playmill.core.errors import UsageError
from playmill.games.exchange.board import (
    CHARGES,
    LETTERS,
    MAX_HP,
    MAX_TURNS,
    NAMES,
    PROMOTED,
    code_of,
    square_name,
)
from playmill.games.exchange.position_checks import check_pieces, check_position
from playmill.games.exchange.position_text import piece_text
from playmill.games.exchange.rules import EXCHANGE
from playmill.games.exchange.trails import follow_trail

FIELDS = "board side decree turn calm trail"
PIECE = re.compile(r"([KQRBNPkqrbnp])(\+?)(?:\((\d*)(?:~(\d+))?(?:\*(\d+))?\))?")


def read_position(text: str) -> Any:
    """The record that a text means, shape [1]; an impossible one is an error that says where and what was expected."""
    fields = text.split(" ")
    if len(fields) != len(FIELDS.split()):
        raise UsageError(f"exchange: expected a position of six fields, '{FIELDS}', got {len(fields)} in '{text}'")
    board, side, decree, turn, calm, trail = fields
    records = EXCHANGE.records(1)
    record = records[0]
    _read_board(record, board)
    record.turn = _read_number("turn", turn, MAX_TURNS)
    record.calm = _read_number("calm", calm, int(record.turn))
    record.mover = int(record.turn) % 2
    if side != "wb"[int(record.mover)]:
        raise UsageError(f"exchange: side: White moves in even turns, so expected '{'wb'[int(record.mover)]}', got '{side}'")
    if not re.fullmatch("[012][012]", decree):
        raise UsageError(f"exchange: decree: expected White's and Black's turns, each 0 to 2, such as '20', got '{decree}'")
    record.decree = [int(digit) for digit in decree]
    record.repeats = 1
    check_position(record)
    return follow_trail(records, trail)


# ------------------------------------------------------------------ reading


def _read_number(name: str, text: str, most: int) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,3}", text) or int(text) > most:
        raise UsageError(f"exchange: {name}: expected a whole number from 0 to {most}, got '{text}'")
    return int(text)


def _read_board(record: Any, text: str) -> None:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise UsageError(f"exchange: expected eight ranks with '/' between them, got {len(ranks)} in '{text}'")
    for rank, words in zip(reversed(range(8)), ranks, strict=True):
        _read_rank(record, rank, words)
    check_pieces(record)


def _read_rank(record: Any, rank: int, words: str) -> None:
    file, at, was_digit = 0, 0, False
    while at < len(words):
        where = f"exchange: {square_name(8 * rank + min(file, 7))}"
        if words[at] in "12345678" and not was_digit:
            file, at, was_digit = file + int(words[at]), at + 1, True
        elif (match := PIECE.match(words, at)) and file < 8:
            _read_piece(record, 8 * rank + file, match)
            file, at, was_digit = file + 1, match.end(), False
        elif file >= 8:
            break
        else:
            raise UsageError(
                f"{where}: expected a piece such as N or r(9~2*4), or how many squares are empty, got '{words[at:]}'"
            )
    if file != 8 or at < len(words):
        what = "more" if file >= 8 else str(file)
        raise UsageError(f"exchange: rank {rank + 1}: expected eight squares, got {what} in '{words}'")


def _read_piece(record: Any, square: int, match: re.Match[str]) -> None:
    letter, plus, hp, cooldown, charges = match.groups()
    kind, side = LETTERS.index(letter.upper()), int(letter.islower())
    if plus and letter.upper() != "Q":
        raise UsageError(f"exchange: {square_name(square)}: only a queen can have been a pawn, got '{match[0]}'")
    record.piece[square] = PROMOTED + side if plus else code_of(side, kind)
    # Too large numbers are told below, by comparing texts: no piece has more than two digits of anything.
    numbers = [int(word) if word and len(word) < 3 else default for word, default in ((hp, MAX_HP[kind]), (cooldown, 0))]
    record.hp[square], record.cooldown[square] = numbers
    record.charges[square] = int(charges) if charges and len(charges) < 3 else CHARGES[kind]
    if piece_text(record, square) != match[0]:
        forms = " or ".join(dict.fromkeys((piece_text(record, square), letter + plus)))
        raise UsageError(
            f"exchange: {square_name(square)}: expected only what differs from a fresh {NAMES[kind]} in brackets, "
            f"as {forms}, got '{match[0]}'"
        )
