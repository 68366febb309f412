"""The differences to the `diplomacy` package that docs/games/diplomacy.md shows by example, and its words beside ours."""

from pathlib import Path

import numpy as np
import pytest

from diplomacy_peer import name_of, ours, plain, theirs
from diplomacy_phases import Phase, random_phases
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.orders import CONVOY, HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE
from playmill.games.diplomacy.package_json import write_package_order, write_state
from playmill.games.diplomacy.plain import parts

pytestmark = pytest.mark.jit
PAGE = (Path(__file__).parents[2] / "docs" / "games" / "diplomacy.md").read_text()
CENTRES = Board.start().dfen.split("/")[2]

# Name, units, orders; then the units afterwards there, by 2.x, by 3.x, each where it is of interest.
EXAMPLES = [
    (
        "own help against a convoying fleet",
        "Ealon,Efnth,Efedi,Rfnwy",
        "A lon - hol ; F nth C A lon - hol ; F edi S F nwy - nth ; F nwy - nth",
        ("A LON", "A HOL", "A HOL"),
    ),
    (
        "own fleet convoys next door",
        "Eabel,Efnth,Gfnwy,Gfska",
        "A bel - hol ; F nth C A bel - hol ; F nwy - nth ; F ska S F nwy - nth",
        ("A HOL", "A BEL", "A BEL"),
    ),
    (
        "own help in a head-to-head battle",
        "Aaven,Aatus,Iatyr,Iarom,Iapie",
        "A ven - tyr ; A tus S A tyr - ven ; A tyr - ven ; A rom S A tyr - ven ; A pie S A ven - tyr",
        ("*A VEN", "A TYR", "A TYR"),
    ),
    (
        "convoy by a fleet that is not needed",
        "Famar,Ffwes,Ifgol,Iaspa",
        "A mar - spa ; F wes C A mar - spa ; F gol C A mar - spa ; A spa - mar",
        ("FRANCE A MAR", "FRANCE A SPA", "FRANCE A MAR"),
    ),
]


@pytest.fixture(scope="module")
def game():
    from diplomacy.engine.game import Game

    return Game()


def phase_of(units, orders):
    board = Board.from_dfen(f"1901sm/{units}/{CENTRES}/-").orders(orders)
    return Phase(np.array(board._states), np.array([given.order for given in board.given], np.int32))


def units_of(state):
    return {text for power, units in state["units"].items() for unit in units for text in (unit, f"{power} {unit}")}


@pytest.mark.parametrize(("name", "units", "orders", "ends"), EXAMPLES, ids=[row[0] for row in EXAMPLES])
def test_the_examples_of_the_docs_end_as_they_say(game, name, units, orders, ends):
    phase = phase_of(units, orders)
    found = (theirs(game, phase, "2.x"), ours(phase, "2.x"), ours(phase, "3.x"))
    for end, state in zip(ends, found, strict=True):
        assert end in units_of(state)
    assert found[0] != found[1]
    assert name_of(phase, found[1], found[0]) == name
    assert PAGE.count(f"**{name}**") == 2
    assert orders in PAGE


# What the package says of a unit where both end alike, beside our verdict on its order. Its void also means: helped in vain.
WORDS = {
    (HOLD, "succeeded"): {""},
    (HOLD, "dislodged"): {"dislodged"},
    (MOVE, "succeeded"): {""},
    (MOVE, "bounced"): {"bounce", "bounce dislodged"},
    (MOVE, "no convoy"): {"no convoy", "dislodged no convoy"},
    (MOVE, "convoy broken"): {"no convoy", "dislodged no convoy"},
    (SUPPORT_HOLD, "succeeded"): {"", "void"},
    (SUPPORT_HOLD, "cut"): {"cut", "cut dislodged"},
    (SUPPORT_HOLD, "void"): {"void", "dislodged void"},
    (SUPPORT_MOVE, "succeeded"): {"", "void"},
    (SUPPORT_MOVE, "cut"): {"cut", "cut dislodged", "void", "dislodged void"},
    (SUPPORT_MOVE, "void"): {"", "void", "dislodged void"},
    (CONVOY, "succeeded"): {""},
    (CONVOY, "no convoy"): {"", "no convoy void"},
    (CONVOY, "convoy broken"): {"no convoy", "dislodged", "dislodged disrupted"},
    (CONVOY, "dislodged"): {"dislodged", "dislodged disrupted"},
    (CONVOY, "void"): {"", "void", "no convoy void", "dislodged void"},
}


def told(game, board):
    """The verdicts that differ from the package's words; nothing where the phase ends otherwise."""
    outcome = board.adjudicate()
    numbers = np.array([given.order for given in board.given], np.int32)
    if theirs(game, Phase(np.array(board._states), numbers), "2.x") != plain(write_state(outcome.next)):
        return []
    results = game.result_history.last_value()
    found = []
    for verdict in outcome.verdicts:
        unit = " ".join(write_package_order(verdict.order, board).split()[:2])
        words = " ".join(sorted({str(code) for code in results[unit]}))
        assert verdict.is_dislodged == ("dislodged" in words), (verdict.text, words)
        found.append((parts(verdict.order).kind, verdict.word, words, verdict.text))
    return found


def test_verdicts_say_what_the_packages_results_say(game):
    seen = []
    for phase in random_phases(300, 11, rules="2.x"):
        board = Board(phase.states, "2.x")
        if board.phase in ("sm", "fm"):
            seen += told(game, board.orders(write_orders(phase.orders.tolist(), board.plain)))
    assert len(seen) > 3000
    assert [row for row in seen if row[2] not in WORDS[row[0], row[1]]] == []


@pytest.mark.parametrize(
    ("units", "orders"),
    [
        ("Ealon,Efnth,Gfska,Gfhel", "A lon - hol ; F nth C A lon - hol ; F ska - nth ; F hel S F ska - nth"),
        (
            "Ealon,Efnth,Efska,Gfden,Gfnwy",
            "A lon - swe ; F nth C A lon - swe ; F ska C A lon - swe ; F den - ska ; F nwy S F den - ska",
        ),
        (
            "Ealon,Efnth,Efeng,Ffiri,Ffbre",
            "A lon - bel ; F nth C A lon - bel ; F eng C A lon - bel ; F iri - eng ; F bre S F iri - eng",
        ),
        ("Aftri,Iaven,Iatyr", "F tri H ; A ven - tri ; A tyr S A ven - tri"),
    ],
)
def test_broken_convoys_and_dislodged_holds_say_what_the_package_says(game, units, orders):
    found = told(game, Board.from_dfen(f"1901sm/{units}/{CENTRES}/-", "2.x").orders(orders))
    assert found
    assert [row for row in found if row[2] not in WORDS[row[0], row[1]]] == []
