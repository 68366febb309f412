"""What a position is worth to each power: a share of the whole, so that the seven sum to 1.

Every unit has a claim on each centre, larger the nearer it is; the owner has one, too. A centre is split by the squares of the
claims, which gives the centres that a power can expect. Those become a share partly by their number, partly by its square.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.records import record_of
from playmill.games.diplomacy.geography import CENTRE_COUNT, CENTRES, HOME, NOBODY, POWER_COUNT, PROVINCE_COUNT
from playmill.games.diplomacy.state import winner
from playmill.packs.diplomacy.search.distances import CENTRE_STEPS
from playmill.packs.diplomacy.search.weights import EVALUATION_WEIGHTS, EvaluationWeights

EVALUATION_ROWS = POWER_COUNT + 1  # the claims of each power, and a row for sums


# What an evaluation goes by, and the memory that it works in.
EVALUATION = record_of(
    ("weights", EVALUATION_WEIGHTS),
    ("claims", "f8", CENTRE_STEPS.shape),  # [unit kind, location, centre]: of a unit there
    ("rows", "f8", (POWER_COUNT + 1, CENTRE_COUNT)),  # the claims of each power, and a row for sums
)


def set_weights(evaluation: Any, weights: EvaluationWeights) -> None:
    """Make an EVALUATION record go by these weights."""
    by_steps = np.array([weights.stands, weights.one_step, weights.two_steps, weights.three_steps, 0.0])
    evaluation.weights = astuple(weights)
    evaluation.claims[:] = by_steps[np.minimum(CENTRE_STEPS, by_steps.size - 1)]


def evaluate_states(states: Any, weights: EvaluationWeights | None = None) -> np.ndarray:
    """The values of several positions, float64 [positions, 7]."""
    evaluation, values = np.zeros(1, EVALUATION)[0], np.zeros((len(states), POWER_COUNT))
    set_weights(evaluation, weights or EvaluationWeights())
    evaluate_all(states, evaluation, values)
    return values


@kernel
def evaluate_all(states, evaluation, values):
    for row in range(len(states)):
        evaluate(states[row], evaluation, values[row])


@kernel
def evaluate(state, evaluation, values):
    """Fill `values`, float64 [7], summing to 1; `evaluation` is an EVALUATION."""
    champion = winner(state)
    if champion != NOBODY:
        values[:] = 0.0
        values[champion] = 1.0
        return
    lay_claims(state, evaluation, values)
    expect_centres(state, evaluation, values)
    share_out(evaluation.weights, values)


@kernel
def lay_claims(state, evaluation, values):
    """Fill the powers' rows with their claims, and `values` with what their units are worth as such."""
    weights, rows = evaluation.weights, evaluation.rows
    rows[:POWER_COUNT] = 0.0
    values[:] = 0.0
    for province in range(PROVINCE_COUNT):
        kind = state.kind[province]
        if kind == 0:
            continue
        power = state.power[province]
        claims, own = evaluation.claims[kind, state.at[province]], rows[power]
        for i in range(CENTRE_COUNT):
            own[i] += claims[i]
        values[power] += weights.unit
    for i in range(CENTRE_COUNT):
        owner = state.owner[CENTRES[i]]
        if owner != NOBODY:
            rows[owner, i] += weights.owned


@kernel
def expect_centres(state, evaluation, values):
    """Add the centres that each power can expect to `values`."""
    weights, rows = evaluation.weights, evaluation.rows
    total = rows[POWER_COUNT]
    for i in range(CENTRE_COUNT):
        total[i] = weights.neutral if state.owner[CENTRES[i]] == NOBODY else 0.0
    for power in range(POWER_COUNT):
        for i in range(CENTRE_COUNT):
            rows[power, i] *= rows[power, i]
            total[i] += rows[power, i]
    for power in range(POWER_COUNT):
        expected = 0.0
        for i in range(CENTRE_COUNT):
            if total[i] > 0:
                expected += rows[power, i] / total[i] * (1.0 + (weights.home if HOME[CENTRES[i]] == power else 0.0))
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
