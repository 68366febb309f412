"""Phases of random games and of games between searchers, for tests that need many positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from playmill.core.seeds import mix
from playmill.games.diplomacy.board import RULES
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.playout import Table, random_orders
from playmill.games.diplomacy.state import start_states, winner
from playmill.games.diplomacy.verdicts import RESULT


@dataclass
class Phase:
    """A position and orders for it, as numbers."""

    states: np.ndarray
    orders: np.ndarray


def random_phases(count, seed, rules="3.x", last_year=1914, keep=1.0, skip=0):
    """Phases of random games, after the first `skip`; with `keep` below 1, some units get no order."""
    table, results = Table(), np.zeros(40, RESULT)
    lists, legal, starts, places, chosen, _ = table.arrays()
    game = made = 0
    while made < count + skip:
        states, step = start_states(1), 0
        draw = np.random.default_rng([seed, game])
        while states[0].year <= last_year and winner(states[0]) < 0 and made < count + skip:
            word = np.uint64(mix(mix(seed, game), step))
            n = random_orders(states[0], word, RULES[rules], lists, legal, starts, places, chosen)
            orders = chosen[:n][draw.random(n) < keep].copy()
            if made >= skip:
                yield Phase(states.copy(), orders)
            advance(states[0], orders, len(orders), RULES[rules], lists.work, results)
            step, made = step + 1, made + 1
        game += 1


def search_phases(count, seed, rules="3.x", last_year=1914):
    """Phases of games that searchers of all kinds play against each other, seats dealt anew for every game."""
    from playmill.packs.diplomacy.players.player import make_player
    from playmill.packs.diplomacy.search.budgets import Budget
    from playmill.packs.diplomacy.search.settings import OrderSearchSettings

    settings = OrderSearchSettings(candidates=6, levels=1, level_nodes=20, play_temperature=1.0, rules=RULES[rules])
    players = [(make_player(kind, settings=settings), Budget(nodes=60)) for kind in ("rm_plus", "cartesian", "heuristic")]
    table, results = Table(), np.zeros(40, RESULT)
    game = made = 0
    while made < count:
        states, step = start_states(1), 0
        seats = np.random.default_rng([seed, game]).integers(len(players), size=7)
        while states[0].year <= last_year and winner(states[0]) < 0 and made < count:
            parts = []
            for number, (player, budget) in enumerate(players):
                powers = np.flatnonzero(seats == number).tolist()
                parts += player.decide(states[0], powers, mix(mix(seed, game), step), budget).orders.values()
            orders = np.concatenate([np.zeros(0, np.int32), *parts])
            yield Phase(states.copy(), orders)
            advance(states[0], orders, len(orders), RULES[rules], table.arrays()[0].work, results)
            step, made = step + 1, made + 1
        game += 1
