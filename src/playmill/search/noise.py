"""Dirichlet noise and choices by temperature, from counted words: no generator, the same on every platform."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word

S11 = np.uint64(11)


@kernel
def uniform01(word):
    """A number in (0, 1) out of a word's top 53 bits; never 0, so it may go into a logarithm."""
    return (np.float64(word >> S11) + 0.5) * (1.0 / 9007199254740992.0)


@kernel
def normal(seed, event):
    """A standard normal number out of words 2 * event and 2 * event + 1 of a stream (Box-Muller)."""
    first = uniform01(mix_word(seed, np.uint64(2 * event)))
    second = uniform01(mix_word(seed, np.uint64(2 * event + 1)))
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)


@kernel
def gamma(shape, seed):
    """A Gamma(shape, 1) number from a stream of its own (Marsaglia and Tsang; below 1 by raising the shape by one)."""
    boost = 1.0
    d = shape - 1.0 / 3.0
    if shape < 1.0:
        boost = uniform01(mix_word(seed, np.uint64(0))) ** (1.0 / shape)
        d = shape + 2.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    trial = 1
    while True:
        x = normal(seed, 2 * trial)
        v = (1.0 + c * x) ** 3
        u = uniform01(mix_word(seed, np.uint64(4 * trial + 2)))
        # The first test lets nothing pass that the second would not; with it, logarithms are hardly ever needed.
        if v > 0 and (u < 1.0 - 0.0331 * x**4 or math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v)):
            return boost * d * v
        trial += 1


@kernel
def dirichlet(alpha, seed, out):
    """Fill `out` with a symmetric Dirichlet(alpha) draw; uniform if every part underflows."""
    total = 0.0
    for i in range(out.size):
        out[i] = gamma(alpha, mix_word(seed, np.uint64(i)))
        total += out[i]
    for i in range(out.size):
        out[i] = out[i] / total if total > 0 else 1.0 / out.size


@kernel
def choose(weights, temperature, word):
    """An index drawn with probability weight ** (1 / temperature); at temperature 0 the first of the largest."""
    best = 0
    for i in range(weights.size):
        if weights[i] > weights[best]:
            best = i
    if temperature <= 0 or weights[best] <= 0:
        return best
    # Relative to the largest, so that no power overflows.
    total = 0.0
    for i in range(weights.size):
        total += heated(weights[i] / weights[best], temperature)
    left = uniform01(word) * total
    for i in range(weights.size):
        left -= heated(weights[i] / weights[best], temperature)
        if left < 0:
            return i
    return best


@kernel
def heated(weight, temperature):
    """weight ** (1 / temperature); no power is taken where it would change nothing."""
    return weight if weight == 0 or temperature == 1 else weight ** (1.0 / temperature)
