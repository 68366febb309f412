"""What was done to a file, and why another could not be used: short codes, which reports have."""

from __future__ import annotations

REPAIRS = {
    "latin_1_guess": "the encoding is not known; Latin-1 was taken, and names may be wrong",
    "control_characters": "control characters were left out",
    "junk_before": "text before the first game was left out",
    "junk_inside": "text that belongs to no property was left out",
    "missing_parenthesis": "a game lacked its opening or closing parenthesis",
    "extra_parenthesis": "a game was closed before its end",
    "missing_semicolon": "a node lacked its semicolon",
    "missing_bracket": "a value lacked its closing bracket",
    "unescaped_bracket": "brackets inside a text were escaped",
    "property_name": "names in small letters or long words became the standard ones",
    "move_apart": "a move that shared its node with setup, another move or the root got a node of its own",
    "several_games": "the file had several games, each of which is a file now",
    "info_after_root": "properties of the whole game stood after the root",
    "size_missing": "there was no board size; the moves tell it",
    "komi_units": "the komi was in hundredths, tenths or stones",
    "komi_dropped": "the komi made no sense",
    "point_capitals": "points in capital letters became small ones",
    "setup_after_root": "setup stones before the first move went into the root",
    "split_at_setup": "stones were set up in mid-game: the game goes on from there as a game of its own",
    "markup_dropped": "marks on points that are not on the board, or sides to move that are none, were left out",
    "variation_dropped": "a variation with an impossible move was left out",
    "stone_repeated": "a move on a stone of the same side, as at the end of a ko, was left out",
    "end_cut": "an illegal move among the last tenth of the moves was left out, with all that follows",
    "comments": "comments were left out",
}  # fmt: skip

REASONS = {
    "unreadable": "the system refuses to read the file",
    "too_large": "the file is larger than any game record",
    "empty": "there is nothing in the file",
    "not_sgf": "there is no game in the file",
    "other_game": "GM says that it is not Go",
    "board_size": "the board is not a square of 2 to 19 lines",
    "bad_point": "a move or a setup stone is not on the board",
    "bad_setup": "the setup has two stones on a point, or a chain without liberties",
    "illegal_move": "a move before the last tenth is on a stone of the other side, takes back a ko at once, or is suicide",
    "no_moves": "the game has neither moves nor setup stones",
}


class SgfRejected(Exception):
    """A file or a game that can't be used: data for the report, never shown as an error."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        assert reason in REASONS, reason
        self.reason, self.detail = reason, detail


class Repairs:
    """The codes of what was done, in order, each once."""

    def __init__(self) -> None:
        self._codes: dict[str, None] = {}

    def note(self, code: str) -> None:
        assert code in REPAIRS, code
        self._codes[code] = None

    @property
    def codes(self) -> list[str]:
        return list(self._codes)
