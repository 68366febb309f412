"""What the docs list about puzzles is what the code has."""

import json
import re

import pytest

from cli.invoking import invoke
from docs_running import ROOT
from playmill.puzzles.grading import GradingSettings, Weights
from playmill.puzzles.puzzle import PuzzleFacts
from playmill.puzzles.seed_sql import COLUMNS
from playmill.puzzles.tags import TAGS
from puzzles.test_puzzle_files import some_puzzle

HOW_TO = (ROOT / "docs" / "howto" / "mine_puzzles.md").read_text()
FORMATS = (ROOT / "docs" / "formats.md").read_text()


def table(text, heading):
    """The rows of the first table after a heading, each a list of cells."""
    lines = text[text.index(heading) :].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    rows = lines[first + 1 :]
    end = next(i for i, line in enumerate(rows) if not line.startswith("|"))
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in rows[:end]]


def test_the_tags_are_listed():
    assert table(HOW_TO, "## What a puzzle is about") == [[tag.name, tag.sentence] for tag in TAGS]


def test_the_parts_of_a_grade_are_listed_with_their_numbers():
    told = {name: (float(easy), float(hard), float(weight)) for name, _, easy, hard, weight in table(HOW_TO, "## How hard")}
    scales, weights = GradingSettings(), Weights()
    scale = {name: getattr(scales, name) for name in Weights.model_fields}
    assert told == {name: (one.easy, one.hard, getattr(weights, name)) for name, one in scale.items()}


def test_the_columns_of_the_seed_are_listed():
    rows = table(FORMATS[FORMATS.index("The table `puzzles`") :], "The table")
    assert [name for name, *_ in rows] == list(COLUMNS)
    for name, kind, _ in rows:
        assert kind.replace(", primary key", " PRIMARY KEY").split(",")[0] in COLUMNS[name].replace(" NOT NULL", "")


def test_the_facts_of_a_puzzle_are_listed():
    rows = table(FORMATS, "`puzzles.jsonl` has a puzzle in each line")
    assert [name for name, _ in rows] == list(PuzzleFacts.model_fields)


@pytest.mark.parametrize("command", ["permute", "stats", "seed"])
def test_the_fields_of_json_are_listed(command, tmp_path):
    (tmp_path / "puzzles.jsonl").write_text(some_puzzle().line() + "\n")
    (tmp_path / "puzzles.review.jsonl").write_text(f'{{"puzzle": "{some_puzzle().name}", "decision": "approved"}}\n')
    rest = {"permute": ["all.jsonl"], "stats": [], "seed": ["--sql", "a.sql"]}[command]
    facts = json.loads(invoke(["puzzles", command, "puzzles.jsonl", *rest, "--json"], tmp_path).out)
    line = next(line for line in FORMATS.splitlines() if line.startswith(f"| `puzzles {command}` |"))
    told = line.split("|", 2)[2]
    while (shorter := re.sub(r"\([^()]*\)", "", told)) != told:
        told = shorter
    assert set(re.findall(r"`(\w+)`", told)) == set(facts)
