"""How many games stand side by side: as the settings say, and more where each question is a message."""

import pytest

from playmill.pipeline.selfplay_phase import lanes_of
from playmill.pipeline.settings import RunSettings

SERVER = {"addresses": "unix:///tmp/mill.sock"}


def lanes(games, workers=2, infer=SERVER, search=None, **selfplay):
    search = search or {"kind": "puct", "puct": {"inflight": 4}}
    settings = {"game": "connect_four", "infer": infer, "search": search, "selfplay": {"lanes": 64, **selfplay}}
    return lanes_of(RunSettings.model_validate(settings), games, workers)


def test_networks_in_the_same_threads_leave_the_lanes_as_they_are():
    assert lanes(100_000, infer={}) == 64


def test_a_message_is_filled():
    assert lanes(100_000) == 256
    assert lanes(100_000, infer={**SERVER, "rows": 1026}) == 257
    assert lanes(100_000, infer={**SERVER, "rows": 100}) == 64
    assert lanes(100_000, lanes=500) == 500


def test_all_cohorts_in_turn_get_games_and_more_games_later():
    assert lanes(1200) == 150
    assert lanes(1200, infer={**SERVER, "in_turn": 3}) == 100
    assert lanes(500) == 64


@pytest.mark.parametrize(("kind", "expected"), [("puct", 256), ("one_ply", 128)])
def test_of_two_searches_the_one_with_fewer_rows_a_lane_decides(kind, expected):
    deep = {"kind": "puct", "puct": {"inflight": 8}}
    assert lanes(100_000, search=deep, opponent={"share": 1.0, "search": {"kind": kind}}) == expected
