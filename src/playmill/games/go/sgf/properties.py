"""SGF's properties: what their values are, and the name behind a misspelt one."""

from __future__ import annotations

MOVES = {"B", "W"}
STONES = {"AB", "AW", "AE"}
SETUP = STONES | {"PL"}
MARKS = {"MA", "TR", "CR", "SQ", "SL", "TB", "TW", "DD", "VW", "M", "L", "EL"}  # lists of points
POINTS = MOVES | STONES | MARKS
LABELS = {"LB", "AR", "LN"}  # lists of two values each
TALK = {"C", "GC", "N"}  # comments: of a node, of the game, and a node's name
ROOT = {"GM", "FF", "CA", "AP", "ST", "SZ"}
INFO = {
    "KM", "HA", "RU", "RE", "TM", "OT", "PB", "PW", "BR", "WR", "BT", "WT", "DT", "EV", "RO", "PC", "GN", "ON", "SO", "US",
    "AN", "CP", "ID", "BS", "WS", "KI", "SY",
}  # fmt: skip
IN_NODE = {
    "BL",
    "WL",
    "OB",
    "OW",
    "BM",
    "DO",
    "IT",
    "TE",
    "DM",
    "GB",
    "GW",
    "HO",
    "UC",
    "V",
    "FG",
    "PM",
    "MN",
    "KO",
    "OM",
    "OP",
}
ONE_TEXT = TALK | ROOT | INFO  # one value, which may be any text
SHORT = ROOT | IN_NODE | {"KM", "HA"}  # no sentence: the first bracket ends it
KNOWN = POINTS | SETUP | LABELS | ONE_TEXT | IN_NODE

# Whole words, as some programs write them. FF[1] to FF[3] had their own: AddBlack is AB, as small letters don't count.
WORDS = {
    "black": "B", "white": "W", "comment": "C", "name": "N", "game": "GM", "fileformat": "FF", "charset": "CA", "size": "SZ",
    "boardsize": "SZ", "komi": "KM", "handicap": "HA", "rules": "RU", "rule": "RU", "result": "RE", "time": "TM",
    "playerblack": "PB", "blackplayer": "PB", "playerwhite": "PW", "whiteplayer": "PW", "blackrank": "BR", "whiterank": "WR",
    "date": "DT", "event": "EV", "round": "RO", "place": "PC", "gamename": "GN", "source": "SO", "user": "US", "player": "PL",
    "gamecomment": "GC", "addblack": "AB", "addwhite": "AW", "addempty": "AE", "mark": "MA", "triangle": "TR", "circle": "CR",
    "square": "SQ", "label": "LB", "opening": "ON", "copyright": "CP", "application": "AP",
}  # fmt: skip


def normal_name(name: str) -> str:
    """The property that a name stands for, in capitals; small letters beside capitals don't count."""
    word = WORDS.get(name.lower())
    if word is not None:
        return word
    capitals = "".join(letter for letter in name if letter.isupper())
    return capitals or name.upper()


def is_plausible(name: str) -> bool:
    """Whether a word before a bracket is a property rather than a word of a sentence."""
    return (name.isupper() and len(name) <= 2) or normal_name(name) in KNOWN
