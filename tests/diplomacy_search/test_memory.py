"""The memory of searches is records of a fixed size: what won't fit is refused, and nothing compiles for tuples of arrays."""

import importlib
import pkgutil

import numpy as np
import pytest
from numba.core import types
from numba.core.dispatcher import Dispatcher

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.packs.diplomacy import search as rooms
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.settings import (
    MAX_CANDIDATES,
    MAX_LEVELS,
    MAX_POOL,
    MAX_REPLIES,
    MAX_SLOT_BITS,
    OrderSearchSettings,
)
from playmill.search import regret
from playmill.search.matrix_games import solve

LIMITS = {
    "candidates": MAX_CANDIDATES, "pool": MAX_POOL, "levels": MAX_LEVELS, "polish": MAX_REPLIES, "slot_bits": MAX_SLOT_BITS
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_settings_that_would_not_fit_are_refused(name):
    with pytest.raises(UsageError, match=rf"search: {name}: expected \d to {LIMITS[name]}, got {LIMITS[name] + 1}"):
        OrderSearchSettings(**{name: LIMITS[name] + 1})


@pytest.mark.jit
def test_the_largest_settings_fit():
    largest = OrderSearchSettings(**LIMITS, level_nodes=20, polish_nodes=100)
    decision = make_player("rm_plus", settings=largest).decide(Board.start().state, [0], 1, Budget(iterations=1))
    assert decision.orders[0].size == 3
    # Answers that are among the candidates already are not added.
    assert MAX_CANDIDATES - MAX_LEVELS <= len(decision.strategies.sets[6]) <= MAX_CANDIDATES


def test_a_game_with_too_many_players_or_actions_is_refused():
    for shape in ((*[1] * 8, 8), (65, 1, 2)):
        with pytest.raises(UsageError, match="expected at most 7 players with 64 actions each"):
            solve(np.zeros(shape), 1)


@pytest.mark.jit
def test_no_kernel_of_a_search_takes_a_tuple_of_arrays():
    # Each function unpacks and packs a tuple's arrays again: with a hundred of them, three lines compile for seconds.
    for kind, budget in (("cartesian", Budget(nodes=50)), ("rm_plus", Budget(nodes=500))):
        make_player(kind).decide(Board.start().state, None, 1, budget)
    modules = [
        regret,
        *(importlib.import_module(f"{rooms.__name__}.{one.name}") for one in pkgutil.iter_modules(rooms.__path__)),
    ]
    kernels = {one for module in modules for one in vars(module).values() if isinstance(one, Dispatcher)}
    signatures = [(one.py_func.__name__, each) for one in kernels for each in (*one.signatures, *one.inner.signatures)]
    assert len(signatures) > 5  # what comes out of the cache brings no inner kernels along
    assert not [name for name, each in signatures if any(isinstance(arg, types.BaseTuple) for arg in each)]
