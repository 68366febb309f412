"""Orders as people write them: every variant is read as the order that it means."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import Written, read_order, read_orders, write_written
from playmill.games.diplomacy.geography import ALIASES, ARMY, FLEET, KIND, LOCATIONS, NAMES, PROVINCE_COUNT, SEA
from playmill.games.diplomacy.order_words import VERBS
from playmill.games.diplomacy.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
)
from playmill.games.diplomacy.plain import PROVINCE, joined
from playmill.games.diplomacy.state import BUILDS, SPRING_MOVES, SPRING_RETREATS

START = Board.start()
COAST_WORDS = {"nc": "north coast", "sc": "South Coast", "ec": "East coast"}
ARROWS = (" - ", "-", " -> ", "->", " – ", " to ", " moves to ")

units, places = st.sampled_from((ARMY, FLEET)), st.integers(0, len(LOCATIONS) - 1)
seas = st.sampled_from([place for place in range(PROVINCE_COUNT) if KIND[place] == SEA])


@st.composite
def cased(draw, text):
    return draw(st.sampled_from((text, text.upper(), text.lower(), text.title())))


@st.composite
def place_texts(draw, place):
    """A place by its letters, an alias or its full name, with its coast in one of the usual forms."""
    name, _, coast = LOCATIONS[place].partition("/")
    aliases = [alias for alias, meant in ALIASES.items() if meant == name]
    text = draw(cased(draw(st.sampled_from((name, NAMES[PROVINCE[place]], *aliases)))))
    forms = (f"/{coast}", f"({coast})", f" {coast}", f".{coast}", f" ({COAST_WORDS[coast]})") if coast else ("",)
    return text + draw(cased(draw(st.sampled_from(forms))))


@st.composite
def unit_texts(draw, kind, place):
    letter = draw(cased(draw(st.sampled_from(("a", "army") if kind == ARMY else ("f", "fleet")))))
    return f"{letter} {draw(place_texts(place))}"


def verbs(letter):
    return st.sampled_from(VERBS[letter]).flatmap(cased)


@st.composite
def ways(draw, target, route=()):
    """An arrow to the target, over the seas of a route."""
    stops = [draw(place_texts(stop)) for stop in (*route, target)]
    return "".join(draw(st.sampled_from(ARROWS[:5] if route else ARROWS)) + stop for stop in stops)


@st.composite
def orders(draw):
    """An order, the phase it is for, and a text that means it."""
    kind = draw(st.sampled_from((HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY, RETREAT, DISBAND, BUILD, REMOVE)))
    unit, place, other, target = draw(units), draw(places), draw(places), draw(places)
    helped, text = draw(units), draw(unit_texts(unit, place))
    if kind in (HOLD, DISBAND, REMOVE):
        phase = {HOLD: SPRING_MOVES, DISBAND: SPRING_RETREATS, REMOVE: BUILDS}[kind]
        return Written(joined(kind, place), unit), phase, f"{text} {draw(verbs('H' if kind == HOLD else 'D'))}"
    if kind == BUILD:
        forms = (f"{text} {draw(verbs('B'))}", f"build {text}")
        return Written(joined(BUILD, place, unit), unit), BUILDS, draw(st.sampled_from(forms))
    if kind == MOVE:
        route = draw(st.lists(seas, max_size=2)) if unit == ARMY else []
        marks = (" VIA", " via convoy", " by convoy", " (via convoy)", *([""] if route else []))
        via = bool(route) or draw(st.booleans())
        mark = draw(st.sampled_from(marks)) if via else ""
        return Written(joined(MOVE, place, 0, target, via), unit), SPRING_MOVES, f"{text}{draw(ways(target, route))}{mark}"
    if kind == RETREAT:
        arrow = draw(st.sampled_from((f" {draw(verbs('R'))} ", " retreats to ", *ARROWS)))
        written = Written(joined(RETREAT, place, 0, target), unit)
        return written, SPRING_RETREATS, f"{text}{arrow}{draw(place_texts(target))}"
    mate = draw(unit_texts(helped, other))
    if kind == SUPPORT_HOLD:
        end = draw(st.sampled_from(("", " H", " holds", " to hold")))
        return Written(joined(kind, place, other), unit, helped), SPRING_MOVES, f"{text} {draw(verbs('S'))} {mate}{end}"
    verb = draw(verbs("S" if kind == SUPPORT_MOVE else "C"))
    written = Written(joined(kind, place, other, target), unit, helped)
    return written, SPRING_MOVES, f"{text} {verb} {mate}{draw(ways(target))}"


@settings(max_examples=600, deadline=None)
@given(orders())
def test_every_variant_is_read_as_the_canonical_order(drawn):
    written, phase, text = drawn
    canonical = write_written(written, START.plain)
    assert read_order(canonical, phase) == written
    assert read_order(text, phase) == written


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A par-bur", "A par - bur"),
        ("A Paris - Burgundy", "A par - bur"),
        ("a PARIS->burgundy", "A par - bur"),
        ("A lon-nth-bel", "A lon - bel VIA"),
        ("Fleet St. Petersburg (south coast) holds", "F stp/sc H"),
        ("F Mid-Atlantic Ocean-Spain(nc)", "F mao - spa/nc"),
        ("F nth convoys A London - Belgium", "F nth C A lon - bel"),
        ("A vie supports bud to Galicia", "A vie S A bud - gal"),
        ("A lvp - edi via convoy", "A lvp - edi VIA"),
    ],
)
def test_what_was_read_is_written_in_one_way(text, canonical):
    (given_order,) = START.orders(text).given
    assert given_order.text == canonical


@pytest.mark.parametrize("text", ["A par - bur;", ";A par - bur ; ;", "A par - bur\n", "\n A par - bur ;\n\n"])
def test_empty_orders_are_none(text):
    assert [order.text for order in START.orders(text).given] == ["A par - bur"]
    assert len(read_orders(text, SPRING_MOVES)) == 1


def test_an_unreadable_order_is_told_by_name_and_the_rest_is_carried_out():
    outcome = START.orders({"france": "A par flies ; A mar - spa ;", "italy": "A ven - xyz"}).adjudicate()
    assert outcome.results()["A par flies"] == [
        "illegal: it can't be read, word 3: expected H, -, S, C, R, D or B, got 'flies'"
    ]
    assert outcome.results()["A ven - xyz"] == ["illegal: it can't be read, word 4: expected a province, got 'xyz'"]
    assert outcome.results()["A par H"] == ["succeeded"]
    assert outcome.results()["A mar - spa"] == ["succeeded"]
    assert "Faspa" in outcome.next.dfen
    assert "Iaven" in outcome.next.dfen


def test_an_unreadable_order_of_any_length_is_told_in_a_short_line():
    outcome = START.orders("A par " + "x" * 100_000).adjudicate()
    (found,) = [(text, words) for text, words in outcome.results().items() if text.startswith("A par xx")]
    assert len(found[0]) < 80
    assert len(found[1][0]) < 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A par - pic - bel", "only seas are on a convoy's way"),
        ("F por - spa/wc", "expected spa/nc or spa/sc, got 'spa/wc'"),
        ("F par/nc H", "Paris has no named coasts"),
        ("par - bur", "word 1: expected A or F, got 'par'"),
    ],
)
def test_what_means_nothing_is_refused(text, message):
    with pytest.raises(UsageError, match=message):
        read_order(text, SPRING_MOVES)
