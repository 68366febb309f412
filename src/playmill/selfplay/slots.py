"""Which logits stored actions stand on, for games whose actions have `slots` of their own."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.kernels import slots


@kernel
def fill_slots(game, records, count, actions, out):
    """Fill int32 out[k] with the one or two slots of each action, row by row: actions[i, : count[i]] are of records[i]."""
    k = 0
    for i in range(records.size):
        for j in range(count[i]):
            out[k, 0], out[k, 1] = slots(game, records[i], actions[i, j])
            k += 1
