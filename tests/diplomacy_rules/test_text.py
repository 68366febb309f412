"""DFEN, DSON and the package's JSON: what is written can be read, and what can't be read is explained."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diplomacy_phases import random_phases
from playmill.core.errors import UsageError
from playmill.core.jit import IS_COMPILED
from playmill.games.diplomacy import package_games, package_json
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dfen import read_dfen, write_dfen
from playmill.games.diplomacy.dson import read_order, read_orders, write_order
from playmill.games.diplomacy.geography import KIND, LOCATIONS, SEA
from playmill.games.diplomacy.plain import Plain
from playmill.games.diplomacy.state import SPRING_MOVES

PHASES = 400 if IS_COMPILED else 12
START = (
    "1901sm/Aabud,Aftri,Aavie,Efedi,Eflon,Ealvp,Ffbre,Famar,Fapar,Gaber,Gfkie,Gamun,Ifnap,Iarom,Iaven,Ramos,Rfsev,Rfstp.sc,Rawar,"
    "Tfank,Tacon,Tasmy/Abud,Atri,Avie,Eedi,Elon,Elvp,Fbre,Fmar,Fpar,Gber,Gkie,Gmun,Inap,Irom,Iven,Rmos,Rsev,Rstp,Rwar,Tank,Tcon,"
    "Tsmy,Nbel,Nbul,Nden,Ngre,Nhol,Nnwy,Npor,Nrum,Nser,Nspa,Nswe,Ntun/-"
)
CENTRES = START.split("/")[2]
positions = st.integers(0, 2**32).map(lambda seed: next(random_phases(1, seed, skip=seed % 60)))


def test_the_start_is_the_start():
    assert Board.start().dfen == START
    assert Board.from_dfen(START) == Board.start()


@settings(max_examples=60 if IS_COMPILED else 3, deadline=None)
@given(positions)
def test_positions_survive_being_written(phase):
    plain = Plain.of(phase.states)
    assert read_dfen(write_dfen(plain)).states().tobytes() == phase.states.tobytes()
    assert write_dfen(read_dfen(write_dfen(plain))) == write_dfen(plain)


def test_orders_survive_being_written():
    for phase in random_phases(PHASES, 5):
        plain = Plain.of(phase.states)
        for order in phase.orders.tolist():
            text = write_order(order, plain)
            assert text == "W" or read_order(text, plain.phase).order == order


def test_four_fields_mean_no_stand_off():
    text = f"1902sr/Aatri,Iatyr/{CENTRES}/Iatri<tyr"
    assert write_dfen(read_dfen(text)) == text + "/-"
    assert write_dfen(read_dfen(text + "/ven,alb")) == text + "/alb,ven"


def test_writing_is_canonical_whatever_the_order():
    shuffled = "/".join(["1901sm", *(",".join(sorted(field.split(","), reverse=True)) for field in START.split("/")[1:3]), "-"])
    assert Board.from_dfen(shuffled).dfen == START


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 4 or 5 fields between '/', got 1"),
        ("1901sx/-/-/-", r"phase: '1901sx' at position 1: expected a year and one of sm, sr, fm, fr, fb"),
        ("1850sm/-/-/-", "expected a year from 1901"),
        (f"1901sm/Aanth/{CENTRES}/-", r"units: 'Aanth' at position 8: army can't stand in North Sea, which is a sea"),
        (f"1901sm/Aabud,Afvie/{CENTRES}/-", r"'Afvie' at position 14: fleet can't stand in Vienna, which is inland"),
        (f"1901sm/Rfstp/{CENTRES}/-", "fleet in St Petersburg needs its coast, stp/nc or stp/sc"),
        (f"1901sm/Rastp.nc/{CENTRES}/-", "army has no coast"),
        (f"1901sm/Rfstp.ec/{CENTRES}/-", "expected stp.nc or stp.sc, got 'stp.ec'"),
        (f"1901sm/Aabud,Iabud/{CENTRES}/-", "there is already a unit in Budapest"),
        (f"1901sm/Xabud/{CENTRES}/-", "expected a power, one of AEFGIRT, got 'X'"),
        (f"1901sm/Axbud/{CENTRES}/-", r"expected a \(army\) or f \(fleet\) after the power, got 'x'"),
        (f"1901sm/Aabda/{CENTRES}/-", "expected a province, got 'bda'"),
        ("1901sm/-/Abud/-", "centres: expected all 34, got 1; missing: ank, bel"),
        (f"1901sm/-/{CENTRES},Abud/-", "Budapest is listed twice"),
        (f"1901sm/-/{CENTRES},Apic/-", "Picardy is no supply centre"),
        (f"1901sm/Aabud/{CENTRES}/Aabud<gal", "dislodged: 'Aabud<gal' at position .*: expected '-' in phase 1901sm"),
        (f"1901sr/Aabud/{CENTRES}/Aabud", "expected a unit, '<' and the province"),
        (f"1901sr/-/{CENTRES}/Aabud<gal", "nobody stands in Budapest"),
        (f"1901sr/Aabud/{CENTRES}/-/bud", "contested: 'bud' .* there is a unit in Budapest"),
    ],
)
def test_a_bad_dfen_names_field_and_position(text, message):
    with pytest.raises(UsageError, match=f"DFEN: .*{message}"):
        Board.from_dfen(text)


def test_more_units_than_centres_are_refused():
    land = [name for name, kind in zip(LOCATIONS, KIND, strict=False) if kind != SEA][:35]
    units = ",".join(f"{'A' if i < 19 else 'E'}a{name}" for i, name in enumerate(land))
    with pytest.raises(UsageError, match="units: expected at most 34, one for each centre, got 35"):
        Board.from_dfen(f"1901sm/{units}/{CENTRES}/-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A par bur", r"order 1 'A par bur', word 3: expected H, -, S, C, R, D or B, got 'bur'"),
        ("A vie H ; X par H", r"order 2 'X par H', word 1: expected A or F, got 'X'"),
        ("A prs H", r"order 1 'A prs H', word 2: expected a province, got 'prs'; did you mean 'pr."),
        ("A par -", r"word 4: expected a province, got the end"),
        ("A par - bur now", r"word 5: expected the end of the order, got 'now'"),
        ("A par S A bur -", r"word 7: expected a province, got the end"),
        ("F nth C A lon nwy", r"word 6: expected -, got 'nwy'"),
    ],
)
def test_a_bad_order_names_order_and_word(text, message):
    with pytest.raises(UsageError, match=f"orders: .*{message}"):
        read_orders(text, SPRING_MOVES)


def test_a_waive_needs_its_power():
    board = Board.from_dfen(f"1901fb/-/{CENTRES}/-")
    assert board.orders("W").adjudicate().results() == {"W": ["illegal: a waive needs its power; give the orders by power"]}
    assert board.orders({"austria": "W ; A bud B"}).adjudicate().next.dfen.startswith("1902sm/Aabud/")


# ------------------------------------------------------------------ the package's layout


def test_states_of_the_package_survive_being_read():
    for phase in random_phases(PHASES, 9):
        board = Board(phase.states)
        again = package_json.read_state(json.loads(json.dumps(package_json.write_state(board))))
        assert package_json.write_state(again) == package_json.write_state(board)
        assert again.legal_orders() == board.legal_orders()


def test_a_saved_game_survives_being_read():
    board, boards = Board.start(), []
    for orders in ({"F": "A par - bur ; F bre - mao"}, {"F": "A bur S A mar H", "E": "F lon - nth"}):
        boards.append(board.orders(orders))
        board = boards[-1].adjudicate().next
    game = json.loads(json.dumps(package_games.write_saved_game(boards)))
    assert game["phases"][0]["orders"]["FRANCE"] == ["A PAR - BUR", "F BRE - MAO"]
    assert game["phases"][1]["orders"]["FRANCE"] == ["A BUR S A MAR"]
    again = package_games.read_saved_game(game)
    assert [b.adjudicate().next.dfen for b in again] == [b.adjudicate().next.dfen for b in boards]


def test_convoys_are_marked_for_the_package():
    board = Board.from_dfen(f"1901sm/Ealon,Efnth/{CENTRES}/-").orders("A lon - nwy ; F nth C A lon - nwy")
    texts = [package_json.write_package_order(given.order, board) for given in board.given]
    assert texts == ["A LON - NWY VIA", "F NTH C A LON - NWY"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "X1901M"}, "state: name: expected a phase such as S1901M"),
        ({"units": {"AUSTRIA": ["Z BUD"]}}, "state: units: expected A or F and a place, got 'Z BUD'"),
        ({"units": {"AUSTRIA": ["F BUD"]}}, "state: units: 'F BUD': fleet can't stand in Budapest"),
        ({"units": {"MARS": ["A BUD"]}}, "state: units: power: expected one of"),
        ({"centers": {"AUSTRIA": ["XYZ"]}}, "state: centers: expected a province, got 'XYZ'"),
    ],
)
def test_a_bad_state_names_its_field(change, message):
    with pytest.raises(UsageError, match=message):
        package_json.read_state({**package_json.write_state(Board.start()), **change})


def test_a_missing_field_is_named():
    with pytest.raises(UsageError, match="expected a field 'units', got name"):
        package_json.read_state({"name": "S1901M"})


def test_records_and_plain_positions_say_the_same():
    states = Plain().states()
    assert np.array_equal(Plain.of(states).states(), states)
