"""Texts that people type for actions: what they mean, and what is answered to those that mean none."""

import pytest

from playmill.core.errors import IllegalAction
from playmill.games.registry import game_names, get_game

MEANT = [
    ("tictactoe", "b2", "b2"),
    ("tictactoe", "  B2 ", "b2"),
    ("tictactoe", "4", "b2"),  # its number: no name is one
    ("connect_four", "4", "column 4"),  # not action 4
    ("connect_four", "Column  4", "column 4"),
    ("connect_four", "#4", "column 5"),
    ("yatzy", "chance", "mark chance"),
    ("yatzy", "reroll", "reroll all"),
    ("exchange", "E2 e4", "e2e4"),
]


@pytest.mark.parametrize(("name", "text", "meant"), MEANT)
def test_a_text_means_an_action(name, text, meant):
    state = get_game(name).new(1)
    assert state.action_text(state.read_action(text)) == meant


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("tictactoe", "d4", r"^tictactoe: 'd4' is no legal action: .* such as a3, b3, c3, a2, b2, c2, a1, b1, c1$"),
        ("connect_four", "0", r"'0' is no legal action: .* such as column 1, "),
        ("connect_four", "#9", "'#9' is no legal action"),
        ("connect_four", "", "'' is no legal action"),
        ("connect_four", "9" * 5000, "'9{40}' is no legal action"),
        ("connect_four", "column ²", "is no legal action"),
        ("yatzy", "mark", "such as mark ones, mark twos"),
        ("exchange", "e2e9", "of White's pawn on e2 legal moves are e2e3, e2e4$"),
    ],
)
def test_what_means_nothing_is_refused_with_what_may_be_meant(name, text, line):
    with pytest.raises(IllegalAction, match=line):
        get_game(name).new(1).read_action(text)


def test_nothing_can_be_played_after_the_end():
    state = get_game("tictactoe").new()
    for action in (0, 3, 1, 4, 2):
        state = state.apply(action)
    with pytest.raises(IllegalAction, match="'b3' can't be played, the game is over in"):
        state.read_action("b3")


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("seed", range(3))
def test_every_legal_action_is_read_by_its_own_name(name, seed):
    if name == "diplomacy":
        pytest.skip("it stands beside the contract")
    state = get_game(name).new(seed)
    for step in range(40):
        if state.is_over:
            return
        few = len(state.legal_actions) // 60 + 1  # a board of 361 points would take a minute
        for action in state.legal_actions[step % few :: few]:
            text = state.action_text(action)
            assert state.action_text(state.read_action(text)) == text
        state = state.apply(state.legal_actions[(seed + step) % len(state.legal_actions)])
