"""The same phases through the `diplomacy` package: every difference has a name, and docs/games/diplomacy.md lists the names."""

from collections import Counter
from pathlib import Path

import pytest

from diplomacy_peer import name_of, name_of_rules, ours, theirs
from diplomacy_phases import random_phases
from playmill.games.diplomacy.board import Board

pytestmark = pytest.mark.jit
PAGE = Path(__file__).parents[2] / "docs" / "games" / "diplomacy.md"


@pytest.fixture(scope="module")
def game():
    # The whole name: a folder of tests is called diplomacy, too.
    return pytest.importorskip("diplomacy.engine.game", reason="the package is not installed").Game()


@pytest.mark.parametrize(("seed", "keep"), [(1, 1.0), (2, 0.8)])
def test_phases_end_alike(game, seed, keep):
    compare(game, 1000, seed, keep)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "keep"), [(101, 1.0), (102, 0.8)])
def test_many_phases_end_alike(game, seed, keep):
    compare(game, 50_000, seed, keep)


def compare(game, count, seed, keep):
    """The package follows the 2.x rules; where ours of 3.x end otherwise, that must have a name as well."""
    names, unexplained = Counter(), []
    for phase in random_phases(count, seed, keep=keep):
        mine, peer = ours(phase, "2.x"), theirs(game, phase, "2.x")
        if mine != peer:
            names[name_of(phase, mine, peer)] += 1
            if name_of(phase, mine, peer) is None:
                unexplained.append(Board(phase.states).dfen)
        if ours(phase, "3.x") != mine:
            names[name_of_rules(phase)] += 1
            if name_of_rules(phase) is None:
                unexplained.append(Board(phase.states).dfen)
    print(count, dict(names))
    assert not unexplained
    assert all(f"**{name}**" in PAGE.read_text() for name in names)
