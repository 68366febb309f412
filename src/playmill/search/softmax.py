"""Softmax over a handful of logits, in a kernel.

A tree softens some twenty logits for each leaf, and the exponential of the C library, called one by one, was a tenth of all
tree work. This one has no branch and calls nothing, so the compiler does eight at a time. It is exact to 1 in 10**14: rounded
to a float32 prior, the same number.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel

LOWEST = -700.0  # e to this is as good as nothing beside 1
WHOLE = 1.5 * 2.0**52  # added to a small whole number, it leaves that in the lowest bits
LOG2_E = 1 / math.log(2)
# ln 2 in two parts; a whole number of up to eleven bits times the first one is exact.
LN2_HIGH = 0.693147180369123816490
LN2_LOW = 1.90821492927058770002e-10


@kernel
def softmax(weights, count):
    """Turn the first `count` logits into probabilities; into uniform ones, and return False, if they are not finite."""
    highest = weights[0]
    for i in range(1, count):
        highest = max(highest, weights[i])
    for i in range(count):
        weights[i] = exp_below_zero(weights[i] - highest)
    total = 0.0
    for i in range(count):
        total += weights[i]
    if not math.isfinite(total):
        weights[:count] = 1 / count
        return False
    share = 1 / total
    for i in range(count):
        weights[i] *= share
    return True


@kernel
def exp_below_zero(x):
    """e to the x, for x up to 0; not a number for what is none."""
    bounded = min(x if x > LOWEST else LOWEST, 0.0)  # whatever comes, the table below is read inside its bounds
    halvings = np.floor(0.5 - bounded * LOG2_E)
    y = bounded + halvings * LN2_HIGH + halvings * LN2_LOW
    # Taylor's series around 0; y lies within 0.35 of it.
    series = 1 + y * (1 / 11)
    for part in (1 / 10, 1 / 9, 1 / 8, 1 / 7, 1 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 1.0):
        series = 1 + series * (y * part)
    return series * power_of_half(halvings) if x == x else x


@kernel
def power_of_half(n):
    """2 to the -n, for a whole number below 1023: its exponent is written straight into the bits of a float64."""
    bits = np.float64(WHOLE + (1023 - n)).view(np.int64)
    return np.int64(bits << 52).view(np.float64)
