"""The capture bot of Go: what it plays, and whom it beats."""

import numpy as np

from playmill.arena.match import play_match
from playmill.games.go.rules import GO9
from playmill.games.go.setup import from_drawing
from playmill.packs.go.capture import CaptureBot, pick_captures
from playmill.packs.registry import find_pack
from playmill.play.bots import RandomBot

EMPTY = ". . . . . . . . .\n"


def picks(text, to_move="Black", words=60):
    state = from_drawing(GO9, text + EMPTY * (9 - text.strip().count("\n") - 1), to_move)
    records, out = np.repeat(state.record.reshape(1), words), np.empty(words, np.int32)
    pick_captures(GO9, records, np.arange(words, dtype=np.uint64), np.empty(GO9.max_legal, np.int32), out)
    return {state.action_text(int(action)) for action in out}


def test_it_takes_the_most():
    """Both white corners are in atari, and so is the stone on the right."""
    text = "O O . X . X O . .\nX X . . . . X . .\n"
    assert picks(text) == {"C9"}


def test_of_two_captures_of_one_stone_each_is_as_likely():
    text = "O . X . . X O . .\nX . . . . . X . .\n"
    assert picks(text) == {"B9", "H9"}


def test_a_point_that_takes_two_chains_counts_both():
    """At C8 two stones of two chains go, at H9 one."""
    text = ". X O X . X O . .\n. . . . . . X . .\n. X O X . . . . .\n. . X . . . . . .\n"
    assert picks(text) == {"C8"}


def test_else_it_saves_what_it_can():
    text = ". . . . . . . . .\n. O . . . . . . .\nO X . . . . . . .\n. O . . . . . . .\n"
    assert picks(text) == {"C7"}


def test_what_can_not_be_saved_is_left_alone():
    """In the corner an extension has one liberty: it would be taken all the same."""
    assert len(picks("X . O . . . . . .\nO . . . . . . . .\nO O . . . . . . .\n")) > 20


def test_on_an_empty_board_it_plays_anywhere():
    assert len(picks(EMPTY, words=400)) > 60


def test_it_beats_chance():
    make = find_pack("go9").bots["capture"](GO9, 1)
    match = play_match(GO9, [make, lambda _lanes: RandomBot(GO9)], np.arange(40, dtype=np.uint64))
    assert isinstance(make(1), CaptureBot)
    assert match.scores(0).mean() > 0.8
