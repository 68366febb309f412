"""The words of the code and the docs: each term of the glossary is used, and has one meaning; old words are gone."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "src" / "playmill").rglob("*.py"))

READABLE = ["architecture.md", "api.md", "glossary.md", "howto/add_a_head.md", "howto/teach_with_another_player.md"]
WIDEST = 128

# Words that a reader of the papers would have to translate, or that a rename left behind: (pattern, the word to use).
OLD_WORDS: list[tuple[str, str]] = [
    (r"\bfold_back\b", "td_lambda"),
    (r"\bYatzyNet\b", "ResidualMLP"),
    (r"\bmake_rule\b|search/rule\b", "PuctParams"),
    (r"\bsoften_by_visits\b|\bplant\(|\bSHARP\b", "temperature_by_visits, start_tree, LOGITS"),
    (r"selfplay\.lookahead|`lookahead`", "td_lambda"),
    (r"policy_softness(?!\": )|`softness`", "improvement_temperature"),
]


def rows():
    """(term, meaning, source) of every row of the glossary."""
    lines = [line for line in GLOSSARY.read_text().splitlines() if line.startswith("| ")]
    return [cells for line in lines if (cells := [cell.strip() for cell in line.strip("|").split("|")])[0] != "term"]


TERMS = [term for row in rows() for term in row[0].split(", ")]


@pytest.fixture(scope="module")
def everything():
    """All text that people and machines read, but for the glossary."""
    return "\n".join(path.read_text() for path in [*SOURCES, *PAGES] if path != GLOSSARY)


@pytest.mark.parametrize("page", READABLE)
def test_lines_of_a_page_can_be_read_where_they_stand(page):
    """Tables and links can't be broken; everything else is at most as wide as the code."""
    for number, line in enumerate((ROOT / "docs" / page).read_text().splitlines(), 1):
        assert len(line) <= WIDEST or line.startswith(("|", "!", "playmill ")), f"{page}, line {number}: {len(line)} characters"


def test_every_term_has_a_meaning_and_a_source():
    for row in rows():
        assert len(row) == 3, row
        assert all(row), row


def test_a_term_stands_in_the_glossary_once():
    assert len(TERMS) == len({term.lower() for term in TERMS})


def test_the_terms_of_a_part_are_in_alphabetical_order():
    for part in re.split(r"^## ", GLOSSARY.read_text(), flags=re.MULTILINE)[1:]:
        terms = [line.split("|")[1].strip().lower() for line in part.splitlines() if line.startswith("| ")][1:]
        assert terms == sorted(terms), part.splitlines()[0]


@pytest.mark.parametrize("term", TERMS)
def test_every_term_is_used(term, everything):
    """As it stands or with its words joined, in the singular or the plural."""
    words = r"[\s_-]*".join(re.escape(word).removesuffix("y") for word in term.split())
    assert re.search(rf"(?<![a-z]){words}", everything, re.IGNORECASE), term


@pytest.mark.parametrize(("old", "new"), OLD_WORDS)
def test_old_words_are_gone(old, new, everything):
    found = re.search(rf".*{old}.*", everything)
    assert found is None, f"say {new}: {found[0].strip()}"


# ------------------------------------------------------------------ names of classes


def test_a_public_class_name_occurs_once_in_the_package():
    found = [name for path in SOURCES for name in re.findall(r"^class ([A-Z]\w*)", path.read_text(), re.MULTILINE)]
    assert [name for name in sorted(set(found)) if found.count(name) > 1] == []
