"""What holds for all settings."""

from collections.abc import Mapping
from typing import ClassVar

import pytest

from playmill.core.documents import fit
from playmill.core.errors import UsageError
from playmill.core.settings import Settings
from playmill.pipeline.settings import RunSettings
from playmill.runs.overrides import override


class Oven(Settings):
    heat: int = 200
    renamed: ClassVar[Mapping[str, str]] = {"fire": "heat"}


def test_an_old_name_is_refused_by_the_new_one():
    with pytest.raises(UsageError, match=r"oven\.yaml.*unknown key 'fire'; it is called heat now"):
        fit(Oven, "oven.yaml", {"fire": 3})
    assert fit(Oven, "oven.yaml", {"heat": 3}).heat == 3


def test_an_old_name_on_the_command_line_is_refused_by_the_new_one(tmp_path):
    settings = fit(RunSettings, "mine.yaml", {"game": "connect_four"})
    with pytest.raises(UsageError, match=r"unknown setting 'selfplay\.lookahead'; it is called selfplay\.td_lambda now"):
        override(settings, ["selfplay.lookahead=0.5"], tmp_path / "mine.yaml")
