"""What self-play's players are called: teacher and student where one network plays both, by how it searches."""

import pytest

from playmill.pipeline.roles import roles_in, roles_of
from playmill.pipeline.settings import RunSettings

SHALLOW = {"share": 1, "search": {"kind": "one_ply"}}


def roles(**opponent):
    return roles_of(RunSettings.model_validate({"game": "yatzy", "selfplay": {"opponent": opponent}}))


@pytest.mark.parametrize(
    ("opponent", "expected"),
    [
        ({}, ("best", "opponent")),
        ({"share": 0.5, "budget": 8}, ("best", "opponent")),
        (SHALLOW, ("teacher (puct)", "student (one_ply)")),
        ({**SHALLOW, "model": "other.pt"}, ("best (puct)", "opponent (one_ply)")),
        ({**SHALLOW, "share": 0}, ("best", "opponent")),
    ],
)
def test_roles_follow_from_the_searches(opponent, expected):
    assert roles(**opponent) == expected


def test_settings_that_are_not_the_engines_have_plain_names(tmp_path):
    config = tmp_path / "config.yaml"
    assert roles_in(config) == ("best", "opponent")
    config.write_text("game: diplomacy\n")
    assert roles_in(config) == ("best", "opponent")
