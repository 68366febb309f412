"""Grades: between 0 and 100, harder for what is harder, and nothing guessed about what nobody measured."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill.core.errors import UsageError
from playmill.puzzles.grading import Evidence, GradingSettings, Scale, Weights, grade
from playmill.puzzles.puzzle import rank_of

EASY = Evidence(depth=1, tree_nodes=1, legal_first_moves=1, wrong_moves_refuted=0, nodes=1)
MEASURED = {"nodes": "effort", "visits_to_find": "visits", "prior": "hiddenness", "score_swing": "subtlety"}
HARD = Evidence(25, 5000, 40, 20, 10**8, 10**6, 1e-6, 0.0)

counts = st.integers(1, 10**7)
evidence = st.builds(
    Evidence,
    counts,
    counts,
    counts,
    st.integers(0, 100),
    st.none() | counts,
    st.none() | counts,
    st.none() | st.floats(0, 1),
    st.none() | st.floats(-400, 400),
)


@given(evidence)
def test_a_grade_and_its_parts_fit_a_puzzle(found):
    graded = grade(found)
    assert 0 <= graded.score <= 100
    assert all(0 <= part <= 1 for part in graded.parts.values())
    assert graded.parts.keys() <= Weights.model_fields.keys()
    assert graded.rank == rank_of(graded.score)


@given(evidence)
def test_what_was_not_measured_has_no_part(found):
    parts = grade(found).parts
    for measured, part in {
        "nodes": "effort",
        "visits_to_find": "visits",
        "prior": "hiddenness",
        "score_swing": "subtlety",
    }.items():
        assert (part in parts) is (getattr(found, measured) is not None)


def test_the_ends_of_the_scale_are_reached():
    assert grade(EASY).score == 0
    assert grade(HARD).score == 100
    assert (grade(EASY).rank, grade(HARD).rank) == ("25k", "9d")


@given(
    evidence, st.sampled_from(["depth", "tree_nodes", "legal_first_moves", "wrong_moves_refuted", "nodes", "visits_to_find"])
)
def test_more_to_read_is_never_easier(found, name):
    value = getattr(found, name)
    if value is not None:
        assert grade(replace(found, **{name: 2 * value + 1})).score >= grade(found).score


@given(evidence)
def test_a_move_that_is_easily_seen_is_never_harder(found):
    if found.prior is not None:
        assert grade(replace(found, prior=1.0)).score <= grade(found).score
    if found.score_swing is not None:
        assert grade(replace(found, score_swing=2 * found.score_swing)).score <= grade(found).score


def test_weights_are_settings():
    found = Evidence(depth=15, tree_nodes=1, legal_first_moves=1, wrong_moves_refuted=0)
    only_depth = GradingSettings(weights=Weights(breadth=0.0, choices=0.0, temptation=0.0))
    assert grade(found, only_depth).score == 100
    assert grade(found).score == pytest.approx(100 * 3 / 8, abs=0.01)


def test_weights_of_nothing_that_was_measured_are_refused():
    nothing = GradingSettings(weights=Weights(depth=0.0, breadth=0.0, choices=0.0, temptation=0.0))
    with pytest.raises(UsageError, match="expected one of depth, breadth, choices, temptation above 0"):
        grade(Evidence(3, 3, 3, 3), nothing)


def test_a_scale_without_length_is_refused():
    with pytest.raises(ValueError, match="expected easy and hard to differ, got 5 twice"):
        Scale(easy=5, hard=5)
