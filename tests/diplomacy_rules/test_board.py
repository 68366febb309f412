"""The Python face: orders in, verdicts and the next position out."""

import pytest

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board

CENTRES = Board.start().dfen.split("/")[2]


def board(units, phase="1901sm", **options):
    return Board.from_dfen(f"{phase}/{units}/{CENTRES}/-", **options)


def results(units, orders, **options):
    return board(units, **options).orders(orders).adjudicate().results()


def test_a_board_is_a_value():
    start = Board.start()
    ordered = start.orders("A par - bur")
    assert start.given == ()
    assert [given.text for given in ordered.given] == ["A par - bur"]
    assert ordered.adjudicate().next.dfen != start.dfen == Board.start().dfen
    assert start == Board.start()
    assert hash(start) == hash(Board.start())
    assert start != ordered


def test_verdicts_name_who_did_it():
    found = results("Aavie,Iaven,Iatyr,Faboh", "A vie - tri ; A ven - tri ; A tyr S A ven - tri ; A boh - tyr")
    assert found == {
        "A vie - tri": ["bounced with A ven"],
        "A ven - tri": ["bounced with A vie"],
        "A tyr S A ven - tri": ["cut by A boh"],
        "A boh - tyr": ["bounced with A tyr"],
    }


def test_a_broken_convoy_names_the_attacker_and_a_dislodged_fleet_too():
    found = results("Ealon,Efnth,Gfska,Gfhel", "A lon - hol ; F nth C A lon - hol ; F ska - nth ; F hel S F ska - nth")
    assert found["A lon - hol"] == ["convoy broken by F ska"]
    assert found["F nth C A lon - hol"] == ["succeeded", "dislodged by F ska"]


def test_a_unit_that_can_go_nowhere_is_told():
    found = results("Aftri,Iaven,Iatyr,Ifadr,Faalb", "A ven - tri ; A tyr S A ven - tri ; F adr H")
    assert found["F tri H"] == ["succeeded", "dislodged by A ven", "disbanded: nobody could retreat"]


@pytest.mark.parametrize(
    ("order", "verdict"),
    [
        ("A par - mun", "illegal: it is not next door, and no fleets at sea could convoy"),
        ("F par - pic", "illegal: the unit is of the other kind"),
        ("A mun - ber", "illegal: there is no such unit"),
        ("A par - par", "illegal: the unit is already there"),
        ("A par S A par H", "illegal: a unit can't support itself"),
        ("A par S A bel - mun", "illegal: there is no unit to support"),
        ("A par S A spa - gas", "succeeded"),
        ("A par S A spa - mar", "illegal: the supporting unit can't go there itself"),
        ("F por - spa", "illegal: both coasts can be reached, and none is named"),
        ("F por C A spa - bre", "illegal: only a fleet at sea can convoy"),
        ("A par R bur", "illegal: no order of this phase"),
    ],
)
def test_an_impossible_order_is_kept_with_the_reason(order, verdict):
    found = results("Fapar,Faspa,Ffpor", f"{order} ; A spa - gas")
    assert found[order] == [verdict]


def test_a_second_order_for_a_unit_doesnt_count():
    found = results("Fapar", "A par - bur ; A par - pic")
    assert found == {"A par - bur": ["succeeded"], "A par - pic": ["illegal: the unit already has an order"]}


def test_nobody_orders_other_powers_units():
    outcome = board("Eflon").orders({"germany": "F lon - nth"}).adjudicate()
    assert outcome.results()["F lon - nth"] == ["illegal: the unit belongs to another power"]
    assert outcome.next.dfen.startswith("1901fm/Eflon/")


def test_an_explanation_tells_strengths_and_the_next_position():
    text = Board.start().orders("A par - bur ; A mar S A par - bur ; A mun - bur").explain()
    assert "  A mun - bur  bounced with A par (1 against 2)" in text
    assert "  F kie H      no order, so it holds" in text
    assert text.splitlines()[-1].startswith("next: 1901fm/")


def test_a_board_shows_itself():
    text = str(Board.start().orders("A par - bur"))
    assert text.startswith("1901sm: Austria 3, England 3")
    assert text.endswith("F A par - bur")
    assert repr(Board.start()) == f"Board({Board.start().dfen!r})"


def test_legal_orders_are_listed_by_unit():
    found = Board.start().legal_orders("france")
    assert list(found) == ["F bre", "A mar", "A par"]
    assert "A par S A mar - bur" in found["A par"]
    assert sum(map(len, Board.start().legal_orders().values())) > 200


def test_eighteen_centres_win_and_the_game_stops_at_its_builds():
    owned = "Abel,Aber,Abre,Abud,Abul,Aden,Agre,Ahol,Akie,Amar,Amun,Anap,Apar,Apor,Arom,Arum,Aser"
    others = [c for c in CENTRES.split(",") if f"A{c[1:]}" not in owned]
    before = Board.from_dfen(f"1910fm/Aatyr,Aagas/{owned},{','.join(f'N{c[1:]}' for c in others)}/-")
    after = before.orders("A tyr - ven").adjudicate().next
    assert before.winner is None
    assert after.winner == "austria"
    assert (after.year, after.phase, after.centres["austria"]) == (1910, "fb", 18)


def test_builds_are_waived_and_removals_are_not():
    after = board("Aavie,Iaven", "1901fb").orders({"A": "A bud B ; F tri B", "I": "W ; F nap B"}).adjudicate()
    assert after.next.dfen.startswith("1902sm/Aabud,Aftri,Aavie,Ifnap,Iaven/")
    assert after.results()["W"] == ["succeeded"]


def test_the_rules_must_be_known():
    with pytest.raises(UsageError, match=r"rules: expected one of 2\.x, 3\.x, got '4\.x'"):
        Board.start("4.x")
    with pytest.raises(UsageError, match="power: expected one of austria"):
        Board.start().orders({"spain": "A par H"})
