"""The same phases through the `diplomacy` package: every difference has a name, and docs/games/diplomacy.md lists the names."""

from collections import Counter
from pathlib import Path

import pytest

from diplomacy_peer import name_of, name_of_rules, ours, theirs
from diplomacy_phases import random_phases, search_phases
from playmill.games.diplomacy.board import Board

pytestmark = pytest.mark.jit
PAGE = Path(__file__).parents[2] / "docs" / "games" / "diplomacy.md"


@pytest.fixture(scope="module")
def game():
    from diplomacy.engine.game import Game

    return Game()


@pytest.mark.parametrize(("seed", "keep"), [(1, 1.0), (2, 0.8)])
def test_phases_of_random_games_end_alike(game, seed, keep):
    compare(game, random_phases(700, seed, keep=keep))


def test_phases_of_searchers_end_alike(game):
    compare(game, search_phases(600, 3))


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "keep"), [(101, 1.0), (102, 0.8)])
def test_many_phases_of_random_games_end_alike(game, seed, keep):
    compare(game, random_phases(40_000, seed, keep=keep))


@pytest.mark.slow
def test_many_phases_of_searchers_end_alike(game):
    compare(game, search_phases(20_000, 103))


def compare(game, phases):
    """The package follows the 2.x rules; where ours of 3.x end otherwise, that must have a name as well."""
    names, unexplained, count = Counter(), [], 0
    for phase in phases:
        count += 1
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
