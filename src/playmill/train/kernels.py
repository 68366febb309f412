"""Kernels of the feed: targets become what the losses want, in one pass over the rows."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel


@kernel
def mix(outcome, expected, bootstrap, mixed):
    """Fill mixed [n, k]: (1 - bootstrap) * outcome + bootstrap * expected; where one of them is NaN, the other alone."""
    for row in range(outcome.shape[0]):
        for column in range(outcome.shape[1]):
            told, hoped = outcome[row, column], expected[row, column]
            both = np.float32(1 - bootstrap) * told + np.float32(bootstrap) * hoped
            mixed[row, column] = told if np.isnan(hoped) else hoped if np.isnan(told) else both


@kernel
def weigh(targets, weights):
    """Put 0 for NaN into targets [n, k], and fill `weights` with what each of the others counts in its column's mean."""
    for column in range(targets.shape[1]):
        count = 0
        for row in range(targets.shape[0]):
            count += not np.isnan(targets[row, column])
        share = np.float32(1 / max(count, 1))
        for row in range(targets.shape[0]):
            is_absent = np.isnan(targets[row, column])
            weights[row, column] = np.float32(0) if is_absent else share
            targets[row, column] = np.float32(0) if is_absent else targets[row, column]
