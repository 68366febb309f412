"""What players of a shard's games are called."""

import pytest

from playmill.replay.meta import ShardPlayer
from playmill.replay.shard_games import player_names

TREE, SHALLOW = {"kind": "puct"}, {"kind": "one_ply"}


@pytest.mark.parametrize(
    ("models", "searches", "expected"),
    [
        ("aa", (TREE, SHALLOW), ["teacher (puct)", "student (one_ply)"]),
        ("ab", (TREE, SHALLOW), ["best (puct)", "opponent (one_ply)"]),
        ("ab", (TREE, TREE), ["best", "opponent"]),
        ("aa", (TREE, {}), ["best", "opponent"]),
        ("a", (TREE,), ["best"]),
    ],
)
def test_they_are_called_by_their_roles(models, searches, expected):
    names = ("best", "opponent")
    players = [ShardPlayer(name=n, model=m, search=s) for n, m, s in zip(names, models, searches, strict=False)]
    assert list(player_names(players)) == expected
