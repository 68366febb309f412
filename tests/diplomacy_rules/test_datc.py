"""The DATC: every case, and our files against the reference where it is at hand."""

import json
import re
from pathlib import Path

import pytest

from playmill.games.diplomacy.datc import load_cases

CASES = load_cases()
REFERENCE = Path(__file__).parents[3] / "shared" / "datc" / "datc_v3.json"
COUNTS = {"A": 12, "B": 15, "C": 9, "D": 34, "E": 15, "F": 25, "G": 20, "H": 16, "I": 7, "J": 11}

# Where the reference, made for another engine, differs from what the DATC itself prefers.
SETTLED = {
    "6.A.5": "the DATC calls the support of the impossible move illegal",
    "6.B.2": "the only coast in reach is taken (4.B.2)",
    "6.B.10": "the coast of the ordered unit is ignored (4.B.5)",
    "6.B.12": "an army's coast is ignored (4.B.6)",
    "6.B.15": "the support counts, so that both bounce (4.B.4)",
    "6.G.11": "no fallback to the land way: the simplest paradox (4.A.3)",
}
OTHER_RULEBOOKS = ("1971", "1982", "dptg")


@pytest.mark.parametrize(
    ("case", "rules"),
    [pytest.param(case, rules, id=f"{case.id}-{rules}-{n}") for n, case in enumerate(CASES) for rules in case.rules],
)
def test_every_case_passes(case, rules):
    assert case.check(rules) == []


@pytest.mark.parametrize("rules", ["2.x", "3.x"])
def test_no_case_is_left_out(rules):
    ids = {case.id for case in CASES if rules in case.rules}
    assert ids == {f"6.{section}.{n}" for section, count in COUNTS.items() for n in range(1, count + 1)}


def test_a_wrong_expectation_is_told():
    case = next(case for case in CASES if case.id == "6.A.11")
    case.data["orders"]["italy"][0]["A ven - tyr"] = "ok"
    try:
        assert case.check("3.x") == ["A ven - tyr: expected ok, got bounced"]
    finally:
        case.data["orders"]["italy"][0]["A ven - tyr"] = "bounced"


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference data is not at hand")
def test_our_cases_agree_with_the_reference():
    ours = {case.id: outcomes(case) for case in CASES if "3.x" in case.rules and "orders" in case.data}
    seen = 0
    for reference in json.loads(REFERENCE.read_text())["cases"]:
        name = re.match(r"t6([a-j])(\d+)", reference["name"])
        number = f"6.{name[1].upper()}.{int(name[2])}"
        foreign = reference.get("edition") in OTHER_RULEBOOKS or "variant" in reference["name"]
        if reference["phase"] != "Main" or foreign or number in SETTLED:
            continue
        for order, expected in reference["orders"].items():
            if expected is not None:
                seen += 1
                assert ours[number][plain(order)] == (expected == "Succeeds"), f"{number}: {order}"
    assert seen > 250


def outcomes(case):
    """For each order whether it is said to succeed: as a unit that stays, not to be dislodged."""
    found = {}
    for orders in case.data["orders"].values():
        for order in orders:
            for text, words in order.items():
                found[text] = words == "ok"
    return found


def plain(order):
    """An order of the reference in our notation."""
    words = [place(word) for word in order.partition(": ")[2].split()]
    verb = words[2].lower()
    if verb.startswith("hold"):
        return f"{words[0]} {words[1]} H"
    if verb == "->":
        return f"{words[0]} {words[1]} - {words[3]}{' VIA' if len(words) > 4 else ''}"
    if verb == "convoys":
        return f"{words[0]} {words[1]} C A {words[3]} - {words[5]}"
    return f"{words[0]} {words[1]} S {words[3]} {words[4]} {f'- {words[6]}' if len(words) > 5 else 'H'}"


def place(word):
    word = re.sub(r"\((\w+)\)", r"/\1", word)
    return {"lyo": "gol", "nwg": "nrg", "tyn": "tys"}.get(word, word)
