"""Which samples a training step reads: a pure function of (seed, step), so there is no generator to save or restore."""

from __future__ import annotations

import numpy as np

from playmill.core.errors import PlaymillError, require_positive, require_seed
from playmill.core.seeds import mix
from playmill.replay.kernels import fill_numbers, fill_symmetries, fill_words
from playmill.replay.tables import Array

CHAPTER_BLOCKS = 512
ORDER = 0xFFFF_FFFF_FFFF_FF10  # the stream that orders an epoch's blocks, away from its chapters' streams
SYMMETRIES = 0xFFFF_FFFF_FFFF_FF11  # the stream of symmetries, away from the epochs'


class SampleOrder:
    """An endless series of shuffled epochs; in each, every sample comes once.

    An epoch puts the blocks in random order and reads them a chapter at a time; within a chapter all rows are shuffled.
    So a step's rows come from many places of the data set, and yet the reader loads each block once an epoch. A data set
    of one chapter (65,536 positions) is simply shuffled.
    """

    def __init__(self, block_starts: Array, seed: int, chapter_blocks: int = CHAPTER_BLOCKS) -> None:
        """`block_starts` as the reader has them: each block's first sample, and at the end the number of samples."""
        self.samples = int(block_starts[-1])
        if self.samples < 1:
            raise PlaymillError("replay: expected samples to train on, got none; play some games first")
        self._starts = block_starts
        self._seed = require_seed(seed)
        self._chapter_blocks = require_positive("chapter blocks", chapter_blocks)
        self._epoch = -1
        self._order = self._ends = np.empty(0, np.int64)

    def numbers(self, step: int, batch_size: int) -> Array:
        """The int64 sample numbers of step `step`, counted from 0; a batch may end one epoch and begin the next."""
        numbers = np.empty(require_positive("batch size", batch_size), np.int64)
        done = 0
        while done < batch_size:
            epoch, place = divmod(step * batch_size + done, self.samples)
            count = min(batch_size - done, self.samples - place)
            self._fill(epoch, place, numbers[done : done + count])
            done += count
        return numbers

    def symmetries(self, step: int, batch_size: int, count: int) -> Array:
        """For each row of step `step` one of a game's `count` symmetries, int64 0..count - 1."""
        drawn = np.empty(batch_size, np.int64)
        fill_symmetries(np.uint64(mix(mix(self._seed, SYMMETRIES), step)), count, drawn)
        return drawn

    def _fill(self, epoch: int, place: int, numbers: Array) -> None:
        key = mix(self._seed, epoch)
        if epoch != self._epoch:
            self._shuffle_blocks(key)
            self._epoch = epoch
        fill_numbers(np.uint64(key), self._starts, self._order, self._ends, self._chapter_blocks, place, numbers)

    def _shuffle_blocks(self, key: int) -> None:
        """Set the epoch's order of blocks and, for each, the rows before it."""
        words = np.empty(len(self._starts) - 1, np.uint64)
        fill_words(np.uint64(mix(key, ORDER)), words)
        self._order = np.argsort(words, kind="stable")
        self._ends = np.concatenate(([0], np.cumsum(np.diff(self._starts)[self._order])))
