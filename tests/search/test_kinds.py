"""Searches are a table: a pack's search has a section among the settings, and unknown names are told with the nearest."""

import pytest

from playmill.core.documents import fit
from playmill.core.errors import UsageError
from playmill.packs.registry import find_pack
from playmill.search.settings import PuctSettings, SearchSettings

find_pack("yatzy")


def test_the_section_of_the_search_in_use_is_always_there():
    assert SearchSettings(kind="exact_turn").model_dump()["exact_turn"]["win_from_turn"] == 30
    assert set(SearchSettings().model_dump()) == {"kind", "puct"}


def test_settings_survive_being_written_and_read():
    settings = fit(SearchSettings, "search", {"kind": "exact_turn", "exact_turn": {"win_temperature": 0.5}})
    assert settings.exact_turn.win_temperature == 0.5
    assert SearchSettings.model_validate(settings.model_dump(mode="json")) == settings
    assert settings.model_copy(update={"puct": PuctSettings(budget=3)}).exact_turn == settings.exact_turn


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"kind": "exact_trun"}, r"search\.kind: unknown search 'exact_trun'; did you mean 'exact_turn'\? \(known: "),
        ({"exact_trun": {}}, r"search\.exact_trun: unknown key; did you mean 'exact_turn'\?"),
        ({"exact_turn": {"win_from_turn": 31}}, r"search\.exact_turn\.win_from_turn: expected at most 30, got 31"),
        ({"exact_turn": {"win_from": 3}}, r"search\.exact_turn\.win_from: unknown key; did you mean 'win_from_turn'\?"),
        ({"exact_turn": 3}, r"search\.exact_turn: expected a mapping, got 3"),
        ({"kind": 3}, r"search\.kind: expected a text, got 3"),
    ],
)
def test_a_wrong_section_is_named_in_one_line(fields, line):
    with pytest.raises(UsageError, match=line):
        fit(SearchSettings, "search", fields)
