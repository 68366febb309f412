"""Many positions in one call: a phase of each, or the legal orders of each."""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.legal import legal_orders
from playmill.games.diplomacy.phases import advance


@kernel
def advance_all(states, orders, counts, rules, work, results):
    """Carry out a phase of every position in place; row i of `orders` has the `counts[i]` orders of position i.

    `results` has a row of RESULTs for each position.
    """
    for i in range(states.size):
        advance(states[i], orders[i], counts[i], rules, work, results[i])


@kernel
def list_all(states, rules, lists, orders, starts, places):
    """List the legal orders of every position, one after the other in the same memory; return how many there were."""
    total = 0
    for i in range(states.size):
        groups = legal_orders(states[i], rules, lists, orders, starts, places)
        total += starts[groups]
    return total
