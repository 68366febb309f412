"""What a position is worth to each power: a share of the whole, so that the seven sum to 1.

Every unit has a claim on each centre, larger the nearer it is; the owner has one, too. A centre is split by the squares of the
claims, which gives the centres that a power can expect. Those become a share partly by their number, partly by its square.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.diplomacy.distances import CENTRE_STEPS
from playmill.diplomacy.weights import EvaluationWeights, as_record
from playmill.games.diplomacy.geography import CENTRE_COUNT, CENTRES, HOME, NOBODY, POWER_COUNT, PROVINCE_COUNT
from playmill.games.diplomacy.state import winner

EVALUATION_ROWS = POWER_COUNT + 1  # the claims of each power, and a row for sums


def claim_table(weights: EvaluationWeights) -> np.ndarray:
    """[unit kind, location, centre]: the claim of a unit there, float64."""
    by_steps = np.array([weights.stands, weights.one_step, weights.two_steps, weights.three_steps, 0.0])
    table: np.ndarray = by_steps[np.minimum(CENTRE_STEPS, by_steps.size - 1)]
    return table


def evaluate_states(states: Any, weights: EvaluationWeights | None = None) -> np.ndarray:
    """The values of several positions, float64 [positions, 7]."""
    chosen = weights or EvaluationWeights()
    record, claims = as_record(chosen), claim_table(chosen)
    scratch, values = np.zeros((EVALUATION_ROWS, CENTRE_COUNT)), np.zeros((len(states), POWER_COUNT))
    evaluate_all(states, record[0], claims, scratch, values)
    return values


@kernel
def evaluate_all(states, weights, table, scratch, values):
    for row in range(len(states)):
        evaluate(states[row], weights, table, scratch, values[row])


@kernel
def evaluate(state, weights, table, scratch, values):
    """Fill `values`, float64 [7], summing to 1; `table` is from `claim_table`, `scratch` float64 [8, 34]."""
    champion = winner(state)
    if champion != NOBODY:
        values[:] = 0.0
        values[champion] = 1.0
        return
    lay_claims(state, weights, table, scratch, values)
    expect_centres(state, weights, scratch, values)
    share_out(weights, values)


@kernel
def lay_claims(state, weights, table, scratch, values):
    """Fill rows 0..6 of `scratch` with the powers' claims, and `values` with what their units are worth as such."""
    scratch[:POWER_COUNT] = 0.0
    values[:] = 0.0
    for province in range(PROVINCE_COUNT):
        kind = state.kind[province]
        if kind == 0:
            continue
        power = state.power[province]
        claims, own = table[kind, state.at[province]], scratch[power]
        for i in range(CENTRE_COUNT):
            own[i] += claims[i]
        values[power] += weights.unit
    for i in range(CENTRE_COUNT):
        owner = state.owner[CENTRES[i]]
        if owner != NOBODY:
            scratch[owner, i] += weights.owned


@kernel
def expect_centres(state, weights, scratch, values):
    """Add the centres that each power can expect to `values`."""
    total = scratch[POWER_COUNT]
    for i in range(CENTRE_COUNT):
        total[i] = weights.neutral if state.owner[CENTRES[i]] == NOBODY else 0.0
    for power in range(POWER_COUNT):
        for i in range(CENTRE_COUNT):
            scratch[power, i] *= scratch[power, i]
            total[i] += scratch[power, i]
    for power in range(POWER_COUNT):
        expected = 0.0
        for i in range(CENTRE_COUNT):
            if total[i] > 0:
                expected += scratch[power, i] / total[i] * (1.0 + (weights.home if HOME[CENTRES[i]] == power else 0.0))
        values[power] += expected


@kernel
def share_out(weights, values):
    """Turn expected centres into shares."""
    total, squares = 0.0, 0.0
    for power in range(POWER_COUNT):
        total += values[power]
        squares += values[power] * values[power]
    for power in range(POWER_COUNT):
        plain = values[power] / total if total > 0 else 1.0 / POWER_COUNT
        squared = values[power] * values[power] / squares if squares > 0 else 1.0 / POWER_COUNT
        values[power] = (1.0 - weights.squares) * plain + weights.squares * squared
