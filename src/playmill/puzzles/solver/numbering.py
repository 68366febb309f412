"""The order of the states in a certificate: every certificate has one, so that states can't change places unnoticed."""

from __future__ import annotations

from collections.abc import Sequence


def order_states(follow: Sequence[Sequence[int]], is_forced: bool) -> list[int]:
    """The states, from the first one, as they come up in the lists of those that follow on each.

    In a proof a state comes after all that lead to it, and states on a way round are left out; else it comes after the first.
    """
    waiting = [0] * len(follow)
    for states in follow:
        for state in states:
            waiting[state] = waiting[state] + 1 if is_forced else 1
    order, met = [0], {0}
    for at in order:
        for state in follow[at]:
            waiting[state] -= 1
            if state not in met and waiting[state] <= 0:
                met.add(state)
                order.append(state)
    return order
