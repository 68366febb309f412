"""Random words from (seed, event): integer arithmetic only, so the same on every platform and in any order.

`mix(seed, event)` is output number `event` of the SplitMix64 generator that starts at `seed`. A stream is therefore a seed,
its counter is the event, and nobody holds a generator: word 7 can be had before word 3, or by another thread.

Two twins say the same thing: `mix`, `below` on Python integers for the Python face, and `mix_word`, `below_word` on 64-bit
words for kernels. In a kernel both arguments must be `np.uint64`: Numba turns a sum of signed and unsigned into a float.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel

MASK = (1 << 64) - 1
_GOLDEN, _M1, _M2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

# A stream of its own for everything that is not the game's own chance: keys far away from any event number.
START = 0xFFFF_FFFF_FFFF_FF00  # the chance of a game's first state
CHOICES = 0xFFFF_FFFF_FFFF_FF01  # what a random policy picks
SEARCH = 0xFFFF_FFFF_FFFF_FF02  # what a search imagines

GOLDEN_WORD, M1_WORD, M2_WORD = np.uint64(_GOLDEN), np.uint64(_M1), np.uint64(_M2)
ONE, S27, S30, S31, S32 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def mix(seed: int, event: int) -> int:
    """Word number `event` of the stream `seed`, 0 to 2**64 - 1."""
    z = (seed + (event + 1) * _GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * _M1) & MASK
    z = ((z ^ (z >> 27)) * _M2) & MASK
    return z ^ (z >> 31)


def below(word: int, n: int) -> int:
    """A number from 0 to n - 1 out of the word's high half; its bias is under n / 2**32."""
    return ((word >> 32) * n) >> 32


@kernel
def mix_word(seed, event):
    """`mix` for kernels: both arguments and the result are uint64."""
    z = seed + (event + ONE) * GOLDEN_WORD
    z = (z ^ (z >> S30)) * M1_WORD
    z = (z ^ (z >> S27)) * M2_WORD
    return z ^ (z >> S31)


@kernel
def below_word(word, n):
    """`below` for kernels: `word` is uint64, `n` a small count; returns int64."""
    return np.int64(((word >> S32) * np.uint64(n)) >> S32)
