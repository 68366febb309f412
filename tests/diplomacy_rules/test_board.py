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
    assert found["F nth C A lon - hol"] == ["convoy broken by F ska", "dislodged by F ska"]


def test_a_fleet_that_stays_in_a_broken_convoy_has_not_succeeded():
    units = "Ealon,Efnth,Efska,Gfden,Gfswe,Gfnwy"
    orders = "A lon - swe ; F nth C A lon - swe ; F ska C A lon - swe ; F den - ska ; F nwy S F den - ska ; F swe H"
    assert results(units, orders)["F nth C A lon - swe"] == ["convoy broken by F den"]


def test_a_convoy_that_is_ordered_in_part_has_not_succeeded():
    found = results("Ealon,Efnth,Efska", "A lon - swe ; F nth C A lon - swe ; F ska H")
    assert found["A lon - swe"] == found["F nth C A lon - swe"] == ["no convoy"]


def test_a_convoy_succeeds_if_the_army_got_there_and_bounced():
    found = results("Ealon,Efnth,Gahol", "A lon - hol ; F nth C A lon - hol ; A hol H")
    assert found["A lon - hol"] == ["bounced with A hol"]
    assert found["F nth C A lon - hol"] == ["succeeded"]


def test_a_beaten_fleet_has_not_succeeded_even_if_the_army_came_another_way():
    found = results(
        "Ealon,Efnth,Efeng,Ffiri,Ffbre",
        "A lon - bel ; F nth C A lon - bel ; F eng C A lon - bel ; F iri - eng ; F bre S F iri - eng",
    )
    assert found["A lon - bel"] == ["succeeded"]
    assert found["F eng C A lon - bel"] == ["dislodged by F iri"]
    assert found["F nth C A lon - bel"] == ["succeeded"]


def test_a_held_unit_that_is_dislodged_has_not_succeeded():
    found = results("Aftri,Iaven,Iatyr", "F tri H ; A ven - tri ; A tyr S A ven - tri")
    assert found["F tri H"] == ["dislodged by A ven"]
    outcome = board("Aftri,Iaven,Iatyr").orders("A ven - tri ; A tyr S A ven - tri").adjudicate()
    assert "F tri H  no order, so it holds; dislodged by A ven" in outcome.explain()


def test_a_unit_that_can_go_nowhere_is_told():
    found = results("Aftri,Iaven,Iatyr,Ifadr,Faalb", "A ven - tri ; A tyr S A ven - tri ; F adr H")
    assert found["F tri H"] == ["dislodged by A ven", "disbanded: nobody could retreat"]


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
